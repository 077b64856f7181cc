;; abs, magnitude of differences, min and max over lists
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (abs 5) (abs -5) (abs 0) (abs -1/2) (abs (- (expt 10 25))))
(define (range l) (- (apply max l) (apply min l)))
(show (range '(3 1 4 1 5 9 2 6)) (range '(-5 5)) (range '(1/2 1/3)) (range '(7)))
(define (sign n) (cond ((positive? n) 1) ((negative? n) -1) (else 0)))
(show (map sign '(-10 -1/2 0 1/2 10)))
(show (max -1 -2 -3) (min -1 -2 -3) (max 0 -1/2) (min 0 1/2))
