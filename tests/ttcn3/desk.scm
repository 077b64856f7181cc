; A desk that gives out tickets and keeps a log: two ports, a value that the system chooses, one that must differ from
; it, a deadline and strings that need care. The test ports beside this file play the desk.
(define-message Login (name string))
(define-message Use (ticket int))
(define-message Ticket (id int))
(define-message Answer (verdict (enum yes no)))
(define-message Opened (name string))
(define-message Closed)
(define-port client (in Login Use) (out Ticket Answer))
(define-port log (out Opened Closed))

(define-machine (desk ticket)
  (state closed
    (on (client (Login name)) (where (equal? name "a\"\\\n\x7;é"))
        (write log (Opened name))
        -> open (with (ticket (fresh int)))))
  (state open
    (entry (write client (Ticket ticket)))
    (on (client (Use t))
        (cond ((equal? t ticket)
               (requirement "DESK-1" "A ticket is good for one use.")
               (write client (Answer 'yes))
               (-> again))
              (else
               (requirement "DESK-2" "No other number is good.")
               (write client (Answer 'no)))))
    (after 20
        (requirement "DESK-3" "A ticket is good for a while.")
        (write log (Closed))
        -> closed))
  (state again
    (on (client (Login _))
        (requirement "DESK-4" "No two tickets are the same.")
        (write client (Ticket (fresh int))))))

(desk 0)
