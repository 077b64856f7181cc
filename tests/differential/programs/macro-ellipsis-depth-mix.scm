;; syntax-rules: a variable of lower depth repeated with one of greater depth
(define-syntax distribute
  (syntax-rules ()
    ((_ k (x ...) ...) '((k (k x) ...) ...))))
(display (distribute key (1 2) (3))) (newline)
(define-syntax table
  (syntax-rules ()
    ((_ (row cell ...) ...) (list (list 'row (+ cell 0) ...) ...))))
(display (table (a 1 2) (b 3) (c))) (newline)
(define-syntax my-let-values
  (syntax-rules ()
    ((_ (((name ...) e) ...) body ...) (list (call-with-values (lambda () e) (lambda (name ...) (list name ...))) ... (begin body ...)))))
(display (my-let-values (((a b) (values 1 2)) ((c) (values 3))) 'end)) (newline)
(define-syntax zip
  (syntax-rules ()
    ((_ (a ...) (b ...)) '((a b) ...))))
(display (zip (1 2 3) (x y z))) (newline)
(define-syntax twice-each
  (syntax-rules () ((_ (x y ...) ...) '(x ... (y ... y ...) ...))))
(display (twice-each (a 1 2) (b 3))) (newline)
