;; syntax-rules: (... ...) in templates gives a literal ellipsis
(define-syntax dots
  (syntax-rules ()
    ((_ a) '(a (... ...)))))
(display (dots x)) (newline)
(define-syntax escaped-list
  (syntax-rules ()
    ((_ a b ...) '(a ((... ...) is literal) b ...))))
(display (escaped-list 1 2 3)) (newline)
(define-syntax escape-template
  (syntax-rules ()
    ((_ a) '(... (a ...)))))
(display (escape-template 1)) (newline)
(define-syntax be-like-begin
  (syntax-rules ()
    ((_ name)
     (define-syntax name
       (syntax-rules ()
         ((_ expr (... ...)) (begin expr (... ...))))))))
(be-like-begin sequence)
(display (sequence 1 2 3 4)) (newline)
