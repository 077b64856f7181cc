(define (f x) (cond ((assv x '((1 . a))) => cdr) ((and (> x 1) (or (= x 2) (not (= x 3)))) 'b) (else (case x ((0 -1) 'c) ((z "s") => list) (else => values)))))
(list (f 1) (f 2) (f 0) (f 9) (when #t 1 2) (unless #f 3) (if #f #f))
