(define-message M (n int)) (define-port p in M) (define x 0) (define (g) (set! x 1) #t) (select ((p (M n)) (where (g)) 1) ((p (M n)) (where (begin (read) #t)) 2))
