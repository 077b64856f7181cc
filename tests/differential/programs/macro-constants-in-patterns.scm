;; syntax-rules: numbers, strings, characters and booleans in patterns match by equal?
(define-syntax describe
  (syntax-rules ()
    ((_ 0) 'zero)
    ((_ "hello") 'greeting)
    ((_ #\a) 'letter-a)
    ((_ #t) 'true)
    ((_ ()) 'empty)
    ((_ (1 x)) (list 'one-and x))
    ((_ x) 'other)))
(display (list (describe 0) (describe "hello") (describe #\a) (describe #t) (describe ())
               (describe (1 2)) (describe 5) (describe "bye")))
(newline)
(define-syntax step
  (syntax-rules ()
    ((_ 3 x) (list 'three x))
    ((_ 2 x) (step 3 (cons 2 x)))
    ((_ 1 x) (step 2 (cons 1 x)))))
(display (step 1 '())) (newline)
