(define-message Ping (n int))
(write (Ping 1))
