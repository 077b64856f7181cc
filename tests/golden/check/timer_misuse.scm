(define-message Ping)
(define-port p in Ping)
(define-timer t)
(select
  ((timeout tt) 1)
  ((timeout p) 2)
  ((timeout t) 3))
(start p 5)
(start t)
