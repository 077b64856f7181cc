(a |b)
(c d)
