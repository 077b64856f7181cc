(define (f)
  (include "parts/broken.scm")
  1)
(f)
