(define (f x)
  (write x
(define (g) 1)
