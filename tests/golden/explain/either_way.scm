; explain cp:alarm
; Two conditions, and either would do.
(define-message Report (heat (int 0 99)) (load (int 0 99)))
(define-port user in Report)
(let loop ()
  (let* ((m (read user)) (heat (Report-heat m)) (load (Report-load m)))
    (if (or (= (modulo (* heat heat) 4) 3) (= (modulo (* load load) 3) 2))
        (checkpoint alarm)
        (loop))))
