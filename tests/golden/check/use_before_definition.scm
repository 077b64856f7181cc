(define (f) (g))
(write (f))
(define (g) later)
(define later 1)
