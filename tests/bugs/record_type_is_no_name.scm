; What stands for the type's name is no name: it was read as one.
(define-record-type ((1 2) 2) make-it it?)
(define-record-type thing (5 x) thing? (x thing-x))
