; explain cp:after
; A loop that waits for nothing is given up after a million steps.
(define-message Go (n (int 1 9)))
(define-port user in Go)
(define n (Go-n (read user)))
(define (spin i) (if (= (* i i) 7) i (spin (+ i n))))
(spin 0)
(checkpoint after)
