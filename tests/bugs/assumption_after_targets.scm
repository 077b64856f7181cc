; Both tests end openly: how a run goes on after its target depends on values that are chosen later.
(define a (read))
(define b (read))
(checkpoint c1)
(if (= b 0) (checkpoint c2))
(assume #f)
