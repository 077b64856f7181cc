(a "b)
(c d)
