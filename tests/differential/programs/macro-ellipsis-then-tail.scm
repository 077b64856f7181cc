;; syntax-rules: patterns after an ellipsis, (a ... b c), and dotted tails after it
(define-syntax last-two
  (syntax-rules ()
    ((_ a ... b c) '((rest a ...) b c))))
(display (last-two 1 2)) (newline)
(display (last-two 1 2 3 4 5)) (newline)
(define-syntax reverse-args
  (syntax-rules ()
    ((_ f) (f))
    ((_ f a ... b) (list b (reverse-args list a ...)))))
(display (reverse-args list 1 2 3)) (newline)
(define-syntax tail-dotted
  (syntax-rules ()
    ((_ a ... b . c) '((a ...) b c))))
(display (tail-dotted 1 2 3)) (newline)
(display (tail-dotted 1 2 3 . 4)) (newline)
(define-syntax inside
  (syntax-rules ()
    ((_ (x ... y) ...) '((y x ...) ...))))
(display (inside (1 2 3) (4) (5 6))) (newline)
(define-syntax my-begin
  (syntax-rules ()
    ((_ e ... last) (let ((ignored e) ...) last))))
(display (my-begin 1)) (newline)
