(define-message Response (code (enum 100 200)) (ok (enum yes no)))
(define-port p in Response)
(select
  ((p (Response 300 _)) 1)
  ((p (Response _ 'maybe)) 2))
