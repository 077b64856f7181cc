;; syntax-rules: underscore matches anything, also several times
(define-syntax second-of
  (syntax-rules ()
    ((_ _ x . _) x)))
(display (second-of 1 2 3 4)) (newline)
(display (second-of (unbound-name here) 2)) (newline)
(define-syntax count-args
  (syntax-rules ()
    ((_) 0)
    ((_ _) 1)
    ((_ _ _) 2)
    ((_ _ _ _ ...) 'many)))
(display (list (count-args) (count-args a) (count-args a b) (count-args a b c) (count-args a b c d)))
(newline)
(define-syntax last-of-each
  (syntax-rules ()
    ((_ (_ ... x) ...) '(x ...))))
(display (last-of-each (1 2 3) (4) (5 6))) (newline)
