;; a local variable named else is not the keyword else; nor is => the arrow
(display (let ((else #f)) (cond (#f 1) (else 2) (#t 3)))) (newline)
(display (let ((else #t)) (cond (#f 1) (else 2)))) (newline)
(display (let ((=> #f)) (cond (#t => 'ok)))) (newline)
(define-syntax pick
  (syntax-rules (else)
    ((_ else x) (list 'else-keyword x))
    ((_ y x) (list 'expression y x))))
(display (pick else 1)) (newline)
(display (pick 2 1)) (newline)
(let ((else 'shadowed))
  (display (pick else 1)) (newline))
