; explain cp:two --depth 2 --cover checkpoints
; The helper has returned to the first call, but never to the second: the bound ended paths in it.
(define-message Ok)
(define-port user in Ok)
(define (await) (read user))
(await)
(await)
(checkpoint two)
