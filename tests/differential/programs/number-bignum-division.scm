;; bignum division: quotient, remainder and modulo with all signs
(define a 123456789012345678901234567890)
(define b 987654321987654321)
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(for-each
 (lambda (x)
   (for-each
    (lambda (y)
      (show (quotient x y) (remainder x y) (modulo x y))
      (show (floor-quotient x y) (floor-remainder x y) (truncate-quotient x y) (truncate-remainder x y))
      (show (= x (+ (* y (quotient x y)) (remainder x y)))
            (= x (+ (* y (floor-quotient x y)) (modulo x y)))))
    (list b (- b))))
 (list a (- a)))
(show (quotient a a) (quotient b a) (remainder b a) (modulo (- b) a) (quotient a 7) (modulo (- a) 7))
(show (quotient (expt 10 40) (expt 10 20)) (remainder (expt 10 40) (+ (expt 10 20) 1)))
(show (modulo (expt 2 100) 97) (modulo (- (expt 2 100)) 97) (modulo 5 (expt 2 100)) (modulo -5 (expt 2 100)))
