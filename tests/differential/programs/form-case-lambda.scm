;; case-lambda: clauses by number of arguments, with rest clauses
(define area
  (case-lambda
    (() 0)
    ((side) (* side side))
    ((width height) (* width height))
    ((a b . more) (list 'too-many a b more))))
(display (list (area) (area 3) (area 3 4) (area 1 2 3) (area 1 2 3 4)))
(newline)
(define range
  (case-lambda
    ((end) (range 0 end))
    ((start end) (range start end 1))
    ((start end step)
     (if (>= start end) '() (cons start (range (+ start step) end step))))))
(display (range 5)) (newline)
(display (range 2 5)) (newline)
(display (range 0 10 3)) (newline)
(define any-number
  (case-lambda
    ((x) (list 'one x))
    (all (list 'all all))))
(display (list (any-number) (any-number 1) (any-number 1 2)))
(newline)
(define (make-accumulator)
  (let ((total 0))
    (case-lambda
      (() total)
      ((n) (set! total (+ total n)) total))))
(define acc (make-accumulator))
(acc 5)
(acc 7)
(display (acc)) (newline)
(display (apply area '(6 7))) (newline)
(display (map (case-lambda ((x) (- x)) ((x y) (- x y))) '(1 2 3) '(10 20 30))) (newline)
