(define items '(1 2 3))
(write (lenght items))
(write (string-lenght "abc"))
