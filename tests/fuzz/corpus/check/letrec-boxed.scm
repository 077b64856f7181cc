(define (f) (letrec ((a (lambda () b)) (b (a))) b)) (define (g) (define x 1) (set! x (+ x 1)) (define y (lambda () x)) (y)) (g) (f)
