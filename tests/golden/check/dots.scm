(define (f . ) 1)
(write '(a .))
