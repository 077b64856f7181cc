;; arithmetic-shift: left, right, negative numbers, big distances
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (arithmetic-shift 1 0) (arithmetic-shift 1 10) (arithmetic-shift 1024 -3) (arithmetic-shift 5 -1) (arithmetic-shift 5 -10))
(show (arithmetic-shift -1 0) (arithmetic-shift -1 4) (arithmetic-shift -1 -1) (arithmetic-shift -5 -1) (arithmetic-shift -8 -2) (arithmetic-shift -7 -2) (arithmetic-shift -5 -100))
(show (arithmetic-shift 1 62) (arithmetic-shift 1 63) (arithmetic-shift 1 64) (arithmetic-shift 1 100) (arithmetic-shift -1 62) (arithmetic-shift -1 63) (arithmetic-shift -3 70))
(show (arithmetic-shift (expt 2 100) -90) (arithmetic-shift (expt 3 60) -30) (arithmetic-shift (- (expt 3 60)) -30) (arithmetic-shift (expt 2 100) -200) (arithmetic-shift (- (expt 2 100)) -200))
(show (arithmetic-shift 0 100) (arithmetic-shift 0 -100))
(define (bits n) (let loop ((n n) (acc '())) (if (= n 0) acc (loop (arithmetic-shift n -1) (cons (bitwise-and n 1) acc)))))
(show (bits 10) (bits 255) (bits 0))
