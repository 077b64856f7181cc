;; characters beyond ASCII: case and classes
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (char-upcase #\é) (char-downcase #\É) (char-upcase #\λ) (char-downcase #\Ω) (char-upcase #\я) (char-downcase #\Я))
(show (map char-alphabetic? (list #\é #\λ #\я #\中 #\€ #\x1F600)))
(show (map char-upper-case? (list #\É #\é #\Λ #\λ)) (map char-lower-case? (list #\É #\é #\Λ #\λ)))
(show (char-numeric? #\x0664) (digit-value #\x0664) (char-whitespace? #\x00A0) (char-whitespace? #\x2003))
