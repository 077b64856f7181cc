(define-message Go)
(define-port p in Go)
(select
  ((p Go) (were #t) 1)
  ((timout t) 2)
  ((p Go is g) 3))
