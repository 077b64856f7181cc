(define (f x)
  (write x)))
(f 1)
