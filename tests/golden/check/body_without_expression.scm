(define (f)
  (define a 1))
(let () (define b 2))
(f)
