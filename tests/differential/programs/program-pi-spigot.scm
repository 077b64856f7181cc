;; digits of pi by Gibbons's unbounded spigot, with bignums
(define (pi-digits count)
  (let loop ((q 1) (r 0) (t 1) (k 1) (n 3) (l 3) (left count) (digits '()))
    (cond ((= left 0) (reverse digits))
          ((< (- (+ (* 4 q) r) t) (* n t))
           (let ((nr (* 10 (- r (* n t)))))
             (loop (* 10 q) nr t k (- (quotient (* 10 (+ (* 3 q) r)) t) (* 10 n)) l (- left 1) (cons n digits))))
          (else
           (let ((nr (* (+ (* 2 q) r) l))
                 (nn (quotient (+ (* q (+ (* 7 k) 2)) (* r l)) (* t l))))
             (loop (* q k) nr (* t l) (+ k 1) nn (+ l 2) left digits))))))
(for-each display (pi-digits 100))
(newline)
