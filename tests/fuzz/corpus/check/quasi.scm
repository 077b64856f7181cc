(define x '(1 2)) (list `(a ,@x ,(car x) #(b ,@x) `(c ,(d ,(car x)))) '#u8(1 2) '|a b| #\x41 "a\x3bb;" `(1 . ,x))
