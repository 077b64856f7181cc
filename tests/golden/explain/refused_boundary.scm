; explain bound:top#1:at
(define-message Send (n (int 0 9)))
(define-port user in Send)
(select ((user (Send n)) (where (> n 5)) (checkpoint taken)))
