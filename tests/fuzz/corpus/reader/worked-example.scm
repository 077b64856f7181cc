(define foo
  (lambda (x)
    (begin
      (checkpoint proc:foo)
      (let ((n (read)))
        (if (> n 0)
            (begin (checkpoint b:id=1,true)  (set! n (+ n 1)))
            (begin (checkpoint b:id=1,false) (set! n (* n -1))))))))
(foo 1)
