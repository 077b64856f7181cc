(define (f x]
  (write x))
(let [(y 1)] y)
