;; #e makes a decimal literal an exact rational
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show #e1.5 #e-0.25 #e.5 #e10.0 #e1e3 #e1.5e2 #e25e-2)
