(define-message M (n int) (s string) (b bool) (k (int 0 9)))
(define-port p in M)
(select
  ((p (M "x" _ _ _)) 1)
  ((p (M _ 5 _ _)) 2)
  ((p (M _ _ 'yes _)) 3)
  ((p (M _ _ _ 12)) 4))
