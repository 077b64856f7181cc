; explain cp:blocked --depth 20 --search dfs --memo off --interpolants on
; States are skipped for what they have in common with one of which nothing came.
(define tries 0)
(define last 'none)
(define (attempt)
  (if (read bool)
      (set! tries (+ tries 1))
      (begin (set! last 'wrong) (set! tries (+ tries 2)))))
(attempt) (attempt) (attempt) (attempt) (attempt)
(if (and (> tries 10) (eq? last 'wrong)) (checkpoint blocked))
