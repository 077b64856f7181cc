;; syntax-rules with an ellipsis of its own: (syntax-rules ::: ())
(define-syntax my-list
  (syntax-rules ::: ()
    ((_ x :::) (list x :::))))
(display (my-list 1 2 3)) (newline)
(define-syntax define-variadic
  (syntax-rules ::: ()
    ((_ name f)
     (define-syntax name
       (syntax-rules ()
         ((_ x ...) (f x ...)))))))
(define-variadic sum +)
(display (sum 1 2 3 4)) (newline)
(define-syntax quoted-dots
  (syntax-rules dot3 ()
    ((_ x dot3) '(x dot3 ...))))
(display (quoted-dots 1 2)) (newline)
(define-syntax nested
  (syntax-rules ::: ()
    ((_ (a b :::) :::) '((b ::: a) :::))))
(display (nested (1 2 3) (4))) (newline)
