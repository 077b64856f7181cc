(include "ring_b.scm")
(define ring 1)
