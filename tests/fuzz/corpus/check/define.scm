(define x 1) (define (f a . b) (cons a b)) (define g (lambda all all)) (f x (g 1 2)) (set! x (f 1))
