(define-message Ping (id int))
(define-port p in Ping)
(define (wait-for id)
  (select
    ((p (Ping id)) (write id))))
(wait-for 3)
