(define Limit 3)
(write limit)
