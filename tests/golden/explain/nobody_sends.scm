; explain cp:got
(define-message Go (n (int 0 99)))
(define-port user in Go)
(define-channel c)
(spawn-service (receive c) (checkpoint got))
(let loop ()
  (let ((n (Go-n (read user))))
    (when (= (modulo (* n n) 4) 3) (send c n))
    (loop)))
