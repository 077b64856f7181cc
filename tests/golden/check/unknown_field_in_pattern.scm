(define-message Ping (number int) (name string))
(define-port p in Ping)
(select
  ((p (Ping n)) 1)
  ((p (Ping n m o)) 2))
