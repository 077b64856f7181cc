(include "ring_a.scm")
