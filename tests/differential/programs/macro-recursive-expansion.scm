;; syntax-rules: recursive macros that accumulate
(define-syntax my-reverse
  (syntax-rules ()
    ((_ () acc) 'acc)
    ((_ (x . rest) (acc ...)) (my-reverse rest (x acc ...)))))
(display (my-reverse (1 2 3 4) ())) (newline)
(define-syntax count-elements
  (syntax-rules ()
    ((_ ()) 0)
    ((_ (x . rest)) (+ 1 (count-elements rest)))))
(display (count-elements (a b c d e))) (newline)
(define-syntax my-let*
  (syntax-rules ()
    ((_ () body ...) (let () body ...))
    ((_ ((name value) rest ...) body ...)
     (let ((name value)) (my-let* (rest ...) body ...)))))
(display (my-let* ((x 1) (y (+ x 1)) (x (* y 10))) (list x y))) (newline)
(define-syntax compose-calls
  (syntax-rules ()
    ((_ x) x)
    ((_ x (f a ...) rest ...) (compose-calls (f x a ...) rest ...))
    ((_ x f rest ...) (compose-calls (f x) rest ...))))
(display (compose-calls 5 (+ 3) (* 2) - list)) (newline)
