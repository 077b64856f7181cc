(define-message Ping (n int))
(define-port p in Ping)
(define (first)
  (write undefined-one))
(define (second)
  (car))
(select
  ((p (Png n)) (second undefined-two))
  ((p (Ping n)) (frist)))
