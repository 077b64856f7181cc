(define (f x)
  (if (> x 0)
      (write x)

(define (g x)
  (f x))
(g 1)
