; explain cp:seven
; Only the least and the greatest delay are tried.
(define-message Start (delay (int 1 30)))
(define-port user in Start)
(define d (Start-delay (read user)))
(select ((after d) 'over))
(if (= d 7)
    (checkpoint seven)
    (checkpoint other))
