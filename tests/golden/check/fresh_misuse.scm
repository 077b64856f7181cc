(fresh integr)
(fresh int 1 2)
(any 1)
(write (fresh))
