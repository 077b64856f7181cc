(define-message Invite (to string))
(define-message Bye)
(define-port user in Invit Bye)
(select
  ((user (Invte to)) (write to))
  ((user Byee) 1))
