;; macros that expand to let-syntax and letrec-syntax, and macros in their bodies
(define-syntax with-doubler
  (syntax-rules ()
    ((_ name body) (let-syntax ((name (syntax-rules () ((_ e) (* 2 e))))) body))))
(display (with-doubler twice (twice (twice 5)))) (newline)
(define-syntax with-list-maker
  (syntax-rules ()
    ((_ name body) (letrec-syntax ((name (syntax-rules () ((_) '()) ((_ x . rest) (cons x (name . rest)))))) body))))
(display (with-list-maker mk (mk 1 2 3))) (newline)
(define-syntax outer
  (syntax-rules ()
    ((_ x) (let ((y 10)) (let-syntax ((inner (syntax-rules () ((_ z) (+ x y z))))) (let ((y 1000)) (inner y)))))))
(define y 1)
(display (outer y)) (newline)
