;; define: values computed from earlier definitions, closures over a defined variable
(define base 10)
(define twice (* 2 base))
(define (scaled x) (* base x))
(display (list base twice (scaled 3)))
(newline)
(set! base 100)
(display (list base twice (scaled 3)))
(newline)
(define list-of-scalers
  (map (lambda (k) (lambda (x) (* k x base))) '(1 2 3)))
(display (map (lambda (f) (f 2)) list-of-scalers))
(newline)
