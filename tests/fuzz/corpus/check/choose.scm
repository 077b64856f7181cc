(define-message L (n int)) (define-port o out L) (define (f n) (if (< n 3) (begin (choose (write o (L n)) (checkpoint lost) (f (+ n 2))) (f (+ n 1))))) (f 0)
