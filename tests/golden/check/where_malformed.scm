(define-message Ping (n int))
(define-port p in Ping)
(select
  ((p (Ping n)) (where) 1)
  ((p (Ping n)) (where (> n 0) (< n 9)) 2)
  ((p Ping) (when #t 3)))
