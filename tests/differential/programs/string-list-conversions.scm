;; string->list, list->string, string->vector, vector->string with ranges
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (string->list "hello") (string->list "hello" 2) (string->list "hello" 1 3) (string->list ""))
(show (list->string '(#\a #\b)) (list->string '()) (list->string (map char-upcase (string->list "hello"))))
(show (string->vector "hello") (string->vector "hello" 3) (string->vector "hello" 1 4) (string->vector ""))
(show (vector->string #(#\x #\y #\z)) (vector->string #(#\x #\y #\z) 1) (vector->string #(#\x #\y #\z) 1 2) (vector->string #()))
(show (list->string (reverse (string->list "stressed"))))
(show (vector-length (string->vector "λμν")) (string-length (vector->string (vector #\λ #\μ))))
