; explain cp:seven
; The model ends, so the search is a proof.
(define-message Send (size (int 0 9)))
(define-port user in Send)
(define n (Send-size (read user)))
(if (= (* n n) 7)
    (checkpoint seven)
    (checkpoint other))
