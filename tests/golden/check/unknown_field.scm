(define-message Ping (number int))
(define-port p in Ping)
(define m (read p))
(write (Ping-nummber m))
