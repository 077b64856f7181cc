;; Gambit's own equal?-hash tables under the names of the language.
(define make-hash-table make-table)
(define hash-table-set! table-set!)
(define hash-table-ref/default table-ref)
