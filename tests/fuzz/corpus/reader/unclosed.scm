(define (f x)
  (g x)
(define (h x)
  1.5)
(define (k '
