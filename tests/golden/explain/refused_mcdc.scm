; explain mcdc:top#1:false
; One condition in a `where`: its mark needs no values of its own, but a message that is taken.
(define-message Send (n (int 0 9)))
(define-port user in Send)
(select ((user (Send n)) (where (> n 5)) (checkpoint taken)))
