;; Doubly recursive Fibonacci: procedure calls and small-integer arithmetic.
(define size 39)

(define (fib n)
  (if (< n 2)
      n
      (+ (fib (- n 1)) (fib (- n 2)))))

(display (fib size))
(newline)
