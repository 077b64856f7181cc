(define-channel c) (spawn (receive c) (send c 1)) (receive c)
