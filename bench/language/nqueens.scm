;; All solutions of the n-queens problem: lists, closures in loops, backtracking.
(define size 12)
(define rounds 3)

(define (safe? row distance placed)
  (or (null? placed)
      (and (not (= (car placed) row))
           (not (= (abs (- (car placed) row)) distance))
           (safe? row (+ distance 1) (cdr placed)))))

(define (queens n)
  (let place ((k 0) (placed '()))
    (if (= k n)
        1
        (let try ((row 0) (total 0))
          (if (= row n)
              total
              (try (+ row 1)
                   (if (safe? row 1 placed)
                       (+ total (place (+ k 1) (cons row placed)))
                       total)))))))

(define (run n total)
  (if (= n 0)
      total
      (run (- n 1) (+ total (queens size)))))

(display (run rounds 0))
(newline)
