; explain cp:third --depth 2 --cover checkpoints
; Nothing new lies between the stable states, so the bound does not start anew.
(define-message Go)
(define-port user in Go)
(read user)
(read user)
(read user)
(checkpoint third)
