;; tail calls: procedures with rest arguments and case-lambda
(define count
  (case-lambda
    ((n) (count n 0))
    ((n acc) (if (= n 0) acc (count (- n 1) (+ acc 1))))))
(display (count 500000)) (newline)
(define (variadic n . more)
  (if (= n 0) more (variadic (- n 1) n (length more))))
(display (variadic 300000)) (newline)
(define (change-arity n)
  (if (= n 0) 'arity-done (other-arity n 1 2 3)))
(define (other-arity n a b c) (change-arity (- n a)))
(display (change-arity 500000)) (newline)
