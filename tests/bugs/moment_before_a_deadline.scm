; Which timer is due first depends on when A is sent: after three units of time `first` is, at once or at the deadline
; `second` is.
(define-message A)
(define-port p in A)
(define-timer first)
(define-timer second)
(start first 5)
(select
  ((p A)
   (start second 3)
   (select
     ((timeout first) (checkpoint "first"))
     ((timeout second) (checkpoint "second"))))
  ((timeout first) (checkpoint "no A")))
