(define (f x)
		(write (undefined x)))
(f 1)
