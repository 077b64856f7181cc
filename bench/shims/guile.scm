;; Guile's own equal?-hash tables under the names of the language.
(define hash-table-set! hash-set!)
(define hash-table-ref/default hash-ref)
