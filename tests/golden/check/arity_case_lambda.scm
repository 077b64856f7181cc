(define size
  (case-lambda
    ((side) (* side side))
    ((width height) (* width height))))
(write (size))
(write (size 1 2 3))
