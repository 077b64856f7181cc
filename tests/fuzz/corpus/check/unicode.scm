(define λ "ünï") (define |a b| #\λ) (list λ |a b| (string-length "𝄞") 'ß) ; é
