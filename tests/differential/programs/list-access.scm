;; list-ref, list-tail, and procedures built on them
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(define l '(a b c d))
(show (list-ref l 0) (list-ref l 3) (list-tail l 0) (list-tail l 2) (list-tail l 4))
(show (list-tail '(1 2 . 3) 2) (list-ref '(1 2 . 3) 1) (eq? l (list-tail l 0)))
(define (take l n) (if (= n 0) '() (cons (car l) (take (cdr l) (- n 1)))))
(define (last-pair l) (if (pair? (cdr l)) (last-pair (cdr l)) l))
(show (take l 2) (last-pair l) (last-pair '(1 2 . 3)))
