;; expt: integer and rational bases, negative exponents, zero
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (expt 2 0) (expt 2 1) (expt 2 10) (expt 0 0) (expt 0 5) (expt 1 1000) (expt -1 1001) (expt -1 1000))
(show (expt -2 3) (expt -2 4) (expt 2 -2) (expt -2 -3) (expt 1/2 3) (expt 2/3 -2) (expt -1/2 3) (expt 10 25))
(show (expt 7 77))
(show (modulo (expt 3 1000) 1000007))
(show (square 5) (square -5) (square 1/3) (square (expt 10 15)))
