;; exact, exact?, exact-integer?, boolean results usable as data
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (exact 5) (exact -1/3) (exact? 5) (inexact? 5) (exact-integer? 5) (exact-integer? 5/2))
(show (eq? (= 1 1) #t) (eq? (< 2 1) #f) (not (= 1 2)))
(show (boolean? (even? 2)) (boolean=? (even? 2) (odd? 1)) (boolean=? #t #t #f) (boolean=? #f #f #f))
(show (number->string (exact 7/2)) (number? (exact 7/2)))
