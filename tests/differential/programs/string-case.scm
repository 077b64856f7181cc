;; string-upcase, string-downcase, string-foldcase
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (string-upcase "Hello, World 123") (string-downcase "Hello, World 123") (string-foldcase "Hello"))
(show (string-upcase "") (string=? (string-foldcase "ABC") (string-foldcase "abc")))
(show (map string-upcase '("a" "bc" "DEF")))
