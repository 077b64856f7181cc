; explain cp:odd --depth 2
; Paths end by the bound, but only behind the target.
(define-message Send (size (int 0 100)))
(define-port user in Send)
(define n (Send-size (read user)))
(when (= (modulo (* n n) 4) 3)
  (checkpoint odd))
(let loop ((total n))
  (loop (+ total (Send-size (read user)))))
