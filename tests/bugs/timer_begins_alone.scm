; No other timer runs when one begins: when the tester acts does not matter.
(define-message A (n (int 0 9)))
(define-port p in A)
(define-timer t)
(define (wait times)
  (start t 5)
  (select
    ((p (A n)) (if (> n 9) (checkpoint "never")))
    ((timeout t) (checkpoint "due"))
    ((after 7) (checkpoint "later")))
  (if (> times 0) (wait (- times 1))))
(wait 1)
