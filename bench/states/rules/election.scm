; Election of a leader on a ring, in one direction (Dolev, Klawe and Rodeh, 1982).
;
; Each node has a number. An active node sends it on (One), learns that of its active neighbour, sends that on as well (Two),
; and so knows three numbers in a row. If the middle one is the greatest, the node goes on with it in the next round;
; otherwise it only passes on what comes. A node that hears its own number is alone, and says who has won (Winner).
;
; The tester says which node moves. A node that sleeps wakes up and sends its number; any other takes the oldest message from
; the link before it. A node cannot move when it is awake and that link is empty. So a stable state is the nodes, each with
; its link. Links keep the order, and lose nothing.
;
; Whoever includes this file defines `place`, the type of the places on the ring, and `numbers`, the numbers of the nodes in
; that order.

(define-message Move (node place))
(define-message Elected (number int))
(define-port scheduler in Move)
(define-port world out Elected)

(define-message One (number int))
(define-message Two (number int))
(define-message Winner (number int))

(define-record-type node
  (make-node number mode maximum neighbour link)
  node?
  (number node-number)
  (mode node-mode set-mode!)                    ; asleep, active, passive, done
  (maximum node-maximum set-maximum!)           ; what it goes into the round with
  (neighbour node-neighbour set-neighbour!)     ; what its active neighbour went into the round with
  (link node-link set-link!))                   ; what is on the way to it, the oldest first

(define nodes (list->vector (map (lambda (n) (make-node n 'asleep n 0 '())) numbers)))
(define size (vector-length nodes))
(define leaders 0)

(define (ready? node)
  (or (eq? (node-mode node) 'asleep) (pair? (node-link node))))

(define (take node message next)
  (define (pass-on m)
    (set-link! next (append (node-link next) (list m)))
    (when (> (length (node-link next)) 3) (checkpoint "four messages on a link")))
  (define active? (eq? (node-mode node) 'active))
  (cond ((and (One? message) active?)
         (let ((n (One-number message)))
           (cond ((= n (node-maximum node))
                  (checkpoint "alone")
                  (set-mode! node 'done)
                  (pass-on (Winner n)))
                 (else
                  (set-neighbour! node n)
                  (pass-on (Two n))))))
        ((and (Two? message) active?)
         (let ((middle (node-neighbour node)))
           (cond ((and (> middle (Two-number message)) (> middle (node-maximum node)))
                  (checkpoint "another round")
                  (set-maximum! node middle)
                  (pass-on (One middle)))
                 (else
                  (checkpoint "gives up")
                  (set-mode! node 'passive)))))
        ((Winner? message)
         (when (= (Winner-number message) (node-number node))
           (set! leaders (+ leaders 1))
           (checkpoint "elected")
           (when (> leaders 1) (checkpoint "two leaders"))
           (unless (= (node-number node) (apply max numbers)) (checkpoint "a leader that is not the greatest"))
           (write world (Elected (node-number node))))
         (when active? (checkpoint "a winner while still active"))
         (unless (eq? (node-mode node) 'done)
           (set-mode! node 'done)
           (pass-on message)))
        (else (pass-on message))))

(define (run)
  (select
    ((scheduler (Move at)) (where (ready? (vector-ref nodes at)))
     (let ((node (vector-ref nodes at))
           (next (vector-ref nodes (modulo (+ at 1) size))))
       (cond ((eq? (node-mode node) 'asleep)
              (set-mode! node 'active)
              (set-link! next (append (node-link next) (list (One (node-number node))))))
             (else
              (let ((message (car (node-link node))))
                (set-link! node (cdr (node-link node)))
                (take node message next)))))
     (run))))
(run)
