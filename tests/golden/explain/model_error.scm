; explain cp:after
(define-message Send (n (int 0 9)))
(define-port user in Send)
(define n (Send-n (read user)))
(assert (= (* n n) 7))
(checkpoint after)
