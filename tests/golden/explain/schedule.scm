; explain cp:second-first
; Which thread is first is the scheduler's choice, and only one order is tried.
(define order '())
(define (note name) (set! order (cons name order)))
(define-message Ask)
(define-port user in Ask)
(spawn (note 1))
(spawn (note 2))
(read user)
(if (< (car order) 2)
    (checkpoint second-first)
    (checkpoint other))
