(include "parts/ring_a.scm")
(write ring)
