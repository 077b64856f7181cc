(define-message Ping (n int))
(define-port p in Ping)
(define-channel c)
(select
  ((p Ping) 1)
  (else 2))
(select
  (else 1)
  ((c Ping) 2))
