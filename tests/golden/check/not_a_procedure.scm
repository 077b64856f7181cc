(write (5 3))
(write ("text"))
((1 2 3))
