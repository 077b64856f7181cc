; A value that the system chooses, compared with what the tester sends, with what was an integer before, and with a
; constant of the model.
(define-message Open)
(define-message Opened (id int))
(define-message Close (id int))
(define-message Closed (how (enum same other none)))
(define-port server (in Open Close) (out Opened Closed))

(define last 0)
(select ((server Open) 'opened))
(define id (fresh int))
(write server (Opened id))
(select ((server (Close i))
         (if (= i id)
             (begin (write server (Closed 'same)) (set! last id))
             (write server (Closed 'other)))))
(select ((server (Close j))
         (if (= j last) (write server (Closed 'same)) (write server (Closed 'other)))))
(if (= id 0) (write server (Closed 'none)))
