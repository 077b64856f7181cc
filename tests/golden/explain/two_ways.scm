; explain cp:both
; Ways of the same length lead to `(= (modulo …) 3)`. On the one over `(= (* kind kind) 7)` no path came so far: that
; condition lies beside the way, and must not be blamed.
(define-message Req (kind (int 0 9)) (size (int 0 99)))
(define-port user in Req)
(let loop ()
  (let* ((m (read user)) (kind (Req-kind m)) (size (Req-size m)))
    (cond ((= (* kind kind) 7) (checkpoint seven))
          ((< kind 5) (checkpoint low))
          (else (checkpoint middle)))
    (when (= (modulo (* size size) 4) 3)
      (checkpoint both))
    (loop)))
