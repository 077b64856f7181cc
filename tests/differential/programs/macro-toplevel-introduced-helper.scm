;; a macro's template refers to a top-level procedure defined after the macro
(define-syntax call-later
  (syntax-rules () ((_ x) (later-defined x))))
(define (use x) (call-later x))
(define (later-defined x) (list 'later x))
(display (use 1)) (newline)
(display (call-later 2)) (newline)
(define-syntax my-assert-equal
  (syntax-rules ()
    ((_ expected expression)
     (let ((actual expression))
       (display (if (equal? actual expected) "pass " "fail "))
       (display 'expression)
       (newline)))))
(my-assert-equal 3 (+ 1 2))
(my-assert-equal 4 (+ 1 2))
(define actual 7)
(my-assert-equal 7 actual)
