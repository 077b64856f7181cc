(define counter 0)
(define (tick) (set! conter (+ counter 1)))
(tick)
