(write ())
(define (f) ())
(f)
