;; booleans: literals, not, boolean?, boolean=?
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show #t #f #true #false)
(show (not #f) (not #t) (not 0) (not '()) (not 'x) (not ""))
(show (boolean? #t) (boolean? #f) (boolean? 0) (boolean? '()) (boolean? 'false))
(show (boolean=? #t #t) (boolean=? #t #f) (eq? #t #true) (eq? #f #false))
(define (xor a b) (if a (not b) b))
(show (xor #t #t) (xor #t #f) (xor #f #t) (xor #f #f))
(show (list #t #f) (vector #t) (cons #t #f))
