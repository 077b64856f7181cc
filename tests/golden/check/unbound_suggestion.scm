(define (reply code) (write code))
(define total 3)
(reply (+ totl 1))
(repyl total)
