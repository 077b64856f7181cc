; A model that has no type at all but the unknown one.
(define-message Ok (id dint))
(define-port o out Ok)
