(define-message Invite (c int) (s int) (t string)) (define-message Bye) (define-port user in Invite Bye) (define-channel peer) (define-timer t1) (start t1 30) (send peer (Bye))
(define (go) (select ((user (Invite c s _)) (where (> s 0)) (write c) (go)) ((user (Invite 7 0 "x")) (go)) ((user Bye) (stop t1) (go)) ((peer any as m) (write m) (go)) ((timeout t1) (start t1 5) (go)) ((after 30) 'end) (else (go))))
(go)
