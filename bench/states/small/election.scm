; Election of a leader among five nodes.
(define-type place (int 0 4))
(define numbers '(3 5 1 4 2))
(include "../rules/election.scm")
