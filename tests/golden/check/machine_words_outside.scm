(on (p Go) 1)
(state s)
(define x (final 1))
