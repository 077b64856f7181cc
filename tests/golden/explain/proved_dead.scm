; explain cp:huge
; The analysis knows the type of the field.
(define-message Send (size (int 0 100)))
(define-port user in Send)
(let loop ()
  (when (> (Send-size (read user)) 200)
    (checkpoint huge))
  (loop))
