; After `Go` the model writes for ever. The test of it once had ten million outputs, a gigabyte of them, which nothing
; could read again.
(define-message Go)
(define-message Count (n int))
(define-port p (in Go) (out Count))

(define (count n)
  (write p (Count n))
  (checkpoint "counting")
  (count (+ n 1)))
(read p)
(count 0)
