; explain cp:late --step-limit 20
(define-message Go (n (int 0 9)))
(define-port user in Go)
(let loop ((i 0))
  (when (= i 5)
    (checkpoint late))
  (if (> (Go-n (read user)) 4) (loop (+ i 1)) (loop i)))
