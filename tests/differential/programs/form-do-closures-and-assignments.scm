;; do: fresh bindings for each iteration, assignments in the body, captured variables
(define fs '())
(define result
  (do ((i 0 (+ i 1)) (j 100)) ((= i 3) (list i j))
    (set! fs (cons (lambda () (set! i (+ i 10)) (list i j)) fs))
    (set! j (- j 1))))
(display result) (newline)
(display (map (lambda (f) (f)) (reverse fs))) (newline)
(display (map (lambda (f) (f)) (reverse fs))) (newline)
(display (do ((i 0 (+ i 1)) (s '() (cons (* i i) s))) ((= i 4) s) (set! i (+ i 0)))) (newline)
(display (do ((i 0 (+ i 1))) ((= i 10) i) (set! i (+ i 1)))) (newline)
