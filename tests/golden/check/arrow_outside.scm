(define (f) (-> busy))
(f)
