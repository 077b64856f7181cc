; Receiving no values at all is no error, and what comes after it is reached.
(define (nothing) (if (read bool) (apply values '()) (values)))
(let-values ((() (nothing))) (checkpoint received))
(call-with-values values (lambda () (checkpoint called)))
(define-values () (values))
(checkpoint end)
