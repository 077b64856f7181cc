;; rationalize: the simplest rational within a distance
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (rationalize 3/10 1/10) (rationalize 1/3 1/100) (rationalize -3/10 1/10) (rationalize 5 1) (rationalize 1/2 1))
(show (rationalize 314159/100000 1/1000) (rationalize 22/7 0))
