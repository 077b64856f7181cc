(include "parts/nowhere.scm")
(include 5)
(include)
(write 1)
