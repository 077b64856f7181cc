; Where the message comes after three units, the first timer is due before the second. The search lets no time pass
; before a message, so it does not come there; but it must not call it infeasible.
(define-message A)
(define-port p in A)
(define-timer first)
(define-timer second)
(start first 5)
(select
  ((p A)
   (start second 3)
   (select ((timeout first) (checkpoint first-is-due)) ((timeout second) (checkpoint second-is-due))))
  ((timeout first) 'nothing))
