(define-values (a . b) (values 1 2 3)) (let-values (((q r) (floor/ 7 2)) (all (values 1 2))) (let*-values (((s) q) ((t u) (values s r))) (call-with-values (lambda () (values t u)) list)))
