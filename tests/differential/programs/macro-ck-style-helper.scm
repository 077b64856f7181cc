;; syntax-rules: helper macros that pass generated code through several levels
(define-syntax my-case
  (syntax-rules (else)
    ((_ e clause ...) (let ((key e)) (my-case-clauses key clause ...)))))
(define-syntax my-case-clauses
  (syntax-rules (else)
    ((_ key) 'none)
    ((_ key (else r)) r)
    ((_ key ((d ...) r) rest ...)
     (if (or (eqv? key 'd) ...) r (my-case-clauses key rest ...)))))
(define key 'user-key)
(display (my-case 3 ((1 2) 'low) ((3 4) key) (else 'high))) (newline)
(display (my-case 9 ((1 2) 'low) ((3 4) key) (else 'high))) (newline)
(display (my-case 9 ((1 2) 'low))) (newline)
(define-syntax with-vars
  (syntax-rules ()
    ((_ (v ...) body) (with-vars-helper (v ...) (1 2 3) body))))
(define-syntax with-vars-helper
  (syntax-rules ()
    ((_ () _ body) body)
    ((_ (v . vs) (n . ns) body) (let ((v n)) (with-vars-helper vs ns body)))))
(display (with-vars (a b c) (list c b a))) (newline)
