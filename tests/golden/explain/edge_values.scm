; explain bound:top#1:below
(define-message Send (n (int 0 9)))
(define-port user in Send)
(define n (Send-n (read user)))
(if (>= n 0) (checkpoint yes) (checkpoint no))
