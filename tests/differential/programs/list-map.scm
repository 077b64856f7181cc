;; map: one and several lists, unequal lengths, procedures with state
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (map - '(1 2 3)) (map + '(1 2) '(10 20)) (map list '(1 2) '(a b) '("x" "y")) (map car '((1 2) (3 4))))
(show (map + '(1 2 3) '(10 20)) (map list '() '(1 2)) (map (lambda (x) x) '()))
(show (map (lambda (x y z) (+ x (* y z))) '(1 2 3) '(4 5 6) '(7 8 9)))
(show (map (lambda args (length args)) '(1 2) '(3 4) '(5 6)))
(show (map cadr '((a b) (d e) (g h))) (map (lambda (n) (expt n n)) '(1 2 3 4 5)))
(show (apply map list '((1 2 3) (4 5 6) (7 8 9))))
