(include "parts/broken.scm")
(write (broken 1 2))
