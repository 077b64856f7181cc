(define-type code (enum a b c)) (write (type-values code)) (write (type-values bool))
