; explain cp:big
(define-message Send (size (int 0 100)))
(define-port user (in Send) (out Send))
(let loop ()
  (let ((n (Send-size (read user))))
    (when (> n 50)
      (write user (Send n))
      (checkpoint big))
    (loop)))
