;; floor, ceiling, round and truncate on rationals and integers: ties to even
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(for-each (lambda (x) (show x (floor x) (ceiling x) (truncate x) (round x)))
          '(1/2 -1/2 3/2 -3/2 5/2 -5/2 7/2 -7/2 1/3 -1/3 2/3 -2/3 7/3 -7/3 10/4 5 -5 0
            99999999999999999999/2 -99999999999999999999/2 100000000000000000001/3))
(show (integer? (floor 5/2)) (exact? (round 7/2)) (floor -7/2) (round 7))
(show (exact (floor 7/2)) (exact-integer? (truncate 9/2)))
