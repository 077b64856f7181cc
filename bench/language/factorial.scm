;; Factorials with thousands of digits: bignum products, and their digits.
(define size 3000)
(define rounds 120)

(define (factorial n)
  (if (= n 0)
      1
      (* n (factorial (- n 1)))))

(define (run n total)
  (if (= n 0)
      total
      (run (- n 1) (+ total (modulo (factorial (+ size n)) 1000000007)))))

(display (run rounds 0))
(newline)
(display (string-length (number->string (factorial size))))
(newline)
