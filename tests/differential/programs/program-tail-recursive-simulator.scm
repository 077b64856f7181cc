;; a long simulation: 300,000 steps of integer arithmetic in constant space
(define (simulate steps)
  (let loop ((i 0) (a 1) (b 1) (hits 0))
    (if (= i steps)
        (list a b hits)
        (let* ((x (modulo (+ (* a 1664525) b 1013904223) 4294967296)) (bit (bitwise-and 1 (arithmetic-shift x -16))))
          (loop (+ i 1) x (bitwise-xor b (arithmetic-shift x -5)) (+ hits bit))))))
(display (simulate 300000)) (newline)
