(define-message Go) (define-message Up) (define-port u in Go Up) (define-channel c)
(define-machine (m) (state a (initial b) (entry (checkpoint ea)) (exit (checkpoint xa)) (on (u Up) -> a) (done -> z) (ignores c)
 (state b (entry (checkpoint eb)) (exit (checkpoint xb)) (on (u Go) -> d)) (state d (initial e) (state e (after 5 -> f) (on (u Go) (where #f) -> b)) (state g (final)) (done (-> f))) (state f (final))) (state z (final)))
(m)
