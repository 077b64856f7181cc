; As assumption_after_targets.scm, with a loop that never waits.
(define a (read))
(define b (read))
(checkpoint c1)
(if (= b 0) (checkpoint c2))
(let loop () (loop))
