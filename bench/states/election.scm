; Election of a leader among nine nodes.
(define-type place (int 0 8))
(define numbers '(3 9 1 6 8 2 5 7 4))
(include "rules/election.scm")
