(define-syntax table (syntax-rules (=>) ((_ (k => v ...) ...) '((k v ... end) ...)) ((_ #(a b ...) . r) '(b ... a . r))))
(define-syntax be-like-begin (syntax-rules () ((_ name) (define-syntax name (syntax-rules () ((_ e (... ...)) (begin e (... ...))))))))
(be-like-begin seq) (define-syntax my (syntax-rules ::: () ((_ a :::) (list a ::: '...)))) (list (table (a => 1 2) (b =>)) (table #(1 2 3) . 4) (seq 1 2) (my 1 2))
