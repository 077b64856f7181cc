;; numeric literals: signs, radix prefixes, exactness prefix, rationals
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show 42 -42 +42 0 -0 007 +7/3 -7/3)
(show #b1010 #o17 #xff #xFF #d99 #b-101 #x-ff #X1F #B11 #O77)
(show #e10 #e1/2 #x#e1f #e#x1f #b1/10 #x1/f)
(show 123456789012345678901234567890 -123456789012345678901234567890)
(show '(1 -1 +1 - + ... -a +b ->))
(show (symbol? '-) (symbol? '+) (symbol? '...) (number? '+5) (symbol? '-> ) (symbol? '+a))
