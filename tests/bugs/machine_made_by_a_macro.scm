; All clauses and arrows of this machine stand at one place, and are four transitions all the same.
(define-message Go (n int))
(define-message Up)
(define-port user in Go Up)
(define-syntax two-way
  (syntax-rules ()
    ((_ name a b)
     (define-machine (name)
       (state a (on (user Up) -> b) (on (user (Go n)) (if (> n 1) (-> b) (-> a))))
       (state b (on (user Up) -> a))))))
(two-way m p q)
(m)
