(define (car x) 'mine) (define old cdr) (define cdr old) (list (car '(1)) (cdr '(1 2)) (length (list 1)))
