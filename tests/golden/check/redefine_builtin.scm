(define (list . xs) xs)
(define (assert x) x)
(write (list 1 (assert 2)))
