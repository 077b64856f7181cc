(define-message Ping)
(define-port p out Ping)
(write p 5)
(write 5 6)
