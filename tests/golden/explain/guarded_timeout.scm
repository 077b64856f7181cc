; explain transition:link/sending#2 --depth 3
; Two clauses for one timer: the second has its turn where the first refuses, so its guard is in the way, and not the wait.
(define-message Packet)
(define-port user (in Packet) (out Packet))
(define-timer t)
(define-machine (link left)
  (state sending
    (entry (start t 5))
    (on (timeout t) (where (> left 0))
        (write user (Packet))
        -> sending (with (left (- left 1))))
    (on (timeout t) -> failed))
  (state failed
    (on (user (Packet)))))
(link 9)
