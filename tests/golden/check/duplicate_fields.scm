(define-message Ping (n int) (n string))
(define-port p in Ping Ping)
(read p)
