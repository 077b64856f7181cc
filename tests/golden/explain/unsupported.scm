; explain cp:shifted
(define-message Shift (by int))
(define-port user in Shift)
(define n (Shift-by (read user)))
(if (> (arithmetic-shift 1 n) 1000)
    (checkpoint shifted)
    (checkpoint other))
