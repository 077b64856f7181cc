;; syntax-rules: nested ellipses in patterns and templates
(define-syntax my-let*-lists
  (syntax-rules ()
    ((_ ((name value ...) ...) body) (let ((name (list value ...)) ...) body))))
(display (my-let*-lists ((a 1 2 3) (b) (c 4)) (list a b c))) (newline)
(define-syntax flatten-all
  (syntax-rules ()
    ((_ (x ...) ...) '(x ... ...))))
(display (flatten-all (1 2) () (3) (4 5 6))) (newline)
(define-syntax three-deep
  (syntax-rules ()
    ((_ ((x ...) ...) ...) '(((x ...) ... end) ...))))
(display (three-deep ((1 2) (3)) () ((4)))) (newline)
(define-syntax my-cond
  (syntax-rules (else)
    ((_ (else e ...)) (begin e ...))
    ((_ (test e ...) clause ...) (if test (begin e ...) (my-cond clause ...)))))
(display (my-cond (#f 1) ((= 1 1) 2 3) (else 4))) (newline)
(display (my-cond (#f 1) (else 4 5))) (newline)
