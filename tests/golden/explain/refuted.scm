; explain cp:odd-square --depth 2
(define-message Send (size (int 0 100)))
(define-port user in Send)
(define (serve)
  (let ((n (Send-size (read user))))
    (cond ((> n 50) (checkpoint big))
          ((= (modulo (* n n) 4) 3) (checkpoint odd-square)))
    (serve)))
(serve)
