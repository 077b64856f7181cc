(define-message Tree (left Node) (right Node))
(define-message Node (tree Tree))
(define-port p in Tree)
(read p)
