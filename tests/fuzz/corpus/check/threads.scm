(define-channel c) (define-channel d) (spawn (let loop () (send d (+ 1 (receive c))) (loop))) (spawn-service (let loop () (receive d) (loop))) (send c 1) (send c 2) (read)
