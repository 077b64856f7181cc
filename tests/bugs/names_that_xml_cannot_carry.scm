; Control characters in names made a suite that no XML parser takes.
(define-message |M\x1;| (|f\t| int))
(define-port |p\n| out |M\x1;|)
(checkpoint "a\x7;b\nc")
(write |p\n| (|M\x1;| 1))
