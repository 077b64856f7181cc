(define-type seq (int 0 9))
(define-message Ping (a integer) (b seqq) (c (list-of)) (d (array int 3)))
(define-port p in Ping)
(read p)
