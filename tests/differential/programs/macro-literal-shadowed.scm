;; a literal matches only an identifier with the same binding
(define-syntax test-literal
  (syntax-rules (=>)
    ((_ a => b) (list 'arrow a b))
    ((_ a x b) (list 'plain a x b))))
(display (test-literal 1 => 2)) (newline)
(display (test-literal 1 'x 2)) (newline)
(let ((=> 'local))
  (display (test-literal 1 => 2)) (newline))
(define-syntax has-foo
  (syntax-rules (foo)
    ((_ foo) 'literal-foo)
    ((_ other) 'something-else)))
(display (has-foo foo)) (newline)
(display (has-foo bar)) (newline)
(display (let ((foo 1)) (has-foo foo))) (newline)
