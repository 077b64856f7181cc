; After the second Go the first thread waits for ever. The only target is covered after the first Go, and the search drops
; the path there.
(define-message Go)
(define-port user in Go)
(define-channel inner)
(spawn (let work () (select ((inner any) (checkpoint woken))) (work)))
(spawn (select ((user (Go)) (send inner 1))) (select ((user (Go)) (if (= 1 2) (checkpoint never)))))
