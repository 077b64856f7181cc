;; gcd and lcm: signs, zero, many arguments, bignums
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (gcd) (lcm) (gcd 5) (gcd -5) (lcm -5) (gcd 12 18) (gcd -12 18) (gcd 12 -18) (gcd 0 7) (gcd 7 0) (gcd 0 0))
(show (lcm 4 6) (lcm -4 6) (lcm 4 -6) (lcm 0 5) (lcm 32 -36) (gcd 32 -36) (gcd 12 18 27) (lcm 2 3 4 5 6))
(show (gcd (expt 2 100) (expt 6 50)) (lcm (expt 2 70) (expt 3 40)) (gcd (* 97 (expt 10 30)) (* 97 (expt 7 30))))
(show (apply gcd '(48 36 120)) (apply lcm (iota 20 1)))
