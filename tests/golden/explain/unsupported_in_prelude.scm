; explain cp:found
; The place is the author's call, not the library's code.
(define-message Shift (by int))
(define-port user in Shift)
(define n (Shift-by (read user)))
(define shifts (map (lambda (x) (arithmetic-shift x n)) '(1 2)))
(if (memv 8 shifts)
    (checkpoint found)
    (checkpoint other))
