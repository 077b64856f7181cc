(let-values ((a 1)) a)
(let-values (((a a) (values 1 2))) a)
(define-values (x x) (values 1 2))
(receive (a b) (values 1 2) a)
