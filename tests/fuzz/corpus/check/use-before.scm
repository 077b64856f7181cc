(define (f) later) (f) (define later 1)
