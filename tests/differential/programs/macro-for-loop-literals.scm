;; syntax-rules: literals (in, from, to, step), several clauses
(define-syntax for
  (syntax-rules (in from to step)
    ((_ x in lst body ...) (for-each (lambda (x) body ...) lst))
    ((_ x from a to b step s body ...)
     (do ((x a (+ x s))) ((> x b)) body ...))
    ((_ x from a to b body ...)
     (for x from a to b step 1 body ...))))
(for x in '(a b c) (display x) (display " "))
(newline)
(for i from 1 to 5 (display i))
(newline)
(for i from 0 to 20 step 5 (display i) (display " "))
(newline)
(for row from 1 to 3
  (for column in '(1 2 3)
    (display (* row column))
    (display " "))
  (newline))
