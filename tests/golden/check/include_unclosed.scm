(include "parts/unclosed.scm")
(write 1)
