; explain cp:known
; What happens in the library is told of the call.
(define-message Send (n (int 0 19)))
(define-port user in Send)
(define n (Send-n (read user)))
(define known (assv (* n n) '((2 . two) (3 . three))))
(if (and known (eq? (cdr known) 'two))
    (checkpoint known)
    (checkpoint other))
