;; macros with side effects in order: a small printing language
(define-syntax out
  (syntax-rules (nl sp)
    ((_) #t)
    ((_ nl rest ...) (begin (newline) (out rest ...)))
    ((_ sp rest ...) (begin (display " ") (out rest ...)))
    ((_ x rest ...) (begin (display x) (out rest ...)))))
(out 1 sp 2 nl "three" sp 'four nl)
(define nl-value 5)
(out nl-value nl)
(define-syntax trace-call
  (syntax-rules ()
    ((_ (f arg ...)) (begin (display '(f arg ...)) (display " => ") (let ((v (f arg ...))) (display v) (newline) v)))))
(trace-call (+ 1 2))
(trace-call (list 1 "b" (trace-call (* 2 3))))
