(define (f x)
  (write (list x 1))
(f 1)
