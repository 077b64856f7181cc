(define x 1)
(write y)
