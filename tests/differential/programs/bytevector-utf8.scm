;; utf8->string and string->utf8, with ranges and beyond ASCII
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (utf8->string #u8(65 66 67)) (utf8->string #u8(65 66 67 68) 1) (utf8->string #u8(65 66 67 68) 1 3))
(show (string->utf8 "ABC") (string->utf8 "") (string->utf8 "λ") (string->utf8 "é€😀"))
(show (string->utf8 "hello" 2) (string->utf8 "hello" 1 3) (string->utf8 "aλb" 1 2))
(show (utf8->string (string->utf8 "naïve 日本 😀")) (utf8->string #u8(206 187)) (bytevector-length (string->utf8 "日本")))
