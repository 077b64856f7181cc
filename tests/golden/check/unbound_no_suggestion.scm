(define (f x) (+ x zzzzzz))
(write (f 1))
