; A sliding window protocol that goes back by n: a sender, a receiver, and a link in each direction that loses messages.
;
; The sender may be `window` frames ahead of what is acknowledged; when it loses patience it starts again with the oldest of
; them. The receiver takes frames in their order only, and answers each with the number that it expects next. Numbers count
; modulo `sequence`, which must be greater than the window: otherwise the receiver takes an old frame for a new one.
;
; The tester says when the sender sends and when it loses patience, and whether the oldest message on a link arrives or is
; lost. So a stable state is the sender, the receiver and what is on the links. Links keep the order and hold at most `room`
; messages.
;
; What is sent counts modulo twice `sequence`, which tells old frames from new ones where their numbers do not. Only the
; checkpoint "taken for another" looks at it.
;
; Whoever includes this file defines `window`, `sequence` and `room`.

(define-message Send)
(define-message Timeout)
(define-message Arrive)
(define-message Lose)
(define-message Deliver (item int))
(define-port sender in Send Timeout)
(define-port (data-link ack-link) in Arrive Lose)
(define-port receiver out Deliver)

(define items (* 2 sequence))
(define (number item) (modulo item sequence))
(define (later item by) (modulo (+ item by) items))
(define (space? link) (< (length link) room))
(define (put link message) (append link (list message)))

; base: the oldest item that is not acknowledged. ahead: how many are sent from there on. expected: the receiver's next item.
; frames: the items on the way. acks: the numbers on the way back.
(define-machine (protocol base ahead expected frames acks)
  (state running
    (on (sender Send) (where (and (< ahead window) (space? frames)))
        (set! frames (put frames (later base ahead)))
        (set! ahead (+ ahead 1)))
    (on (sender Timeout) (where (> ahead 0))
        (set! ahead 0))

    (on (data-link Lose) (where (pair? frames))
        (set! frames (cdr frames)))
    (on (data-link Arrive) (where (and (pair? frames) (space? acks)))
        (let ((item (car frames)))
          (set! frames (cdr frames))
          (cond ((not (= (number item) (number expected)))
                 (checkpoint "out of order"))
                (else
                 (unless (= item expected) (checkpoint "taken for another"))
                 (write receiver (Deliver item))
                 (set! expected (later expected 1))))
          (set! acks (put acks (number expected)))))

    (on (ack-link Lose) (where (pair? acks))
        (set! acks (cdr acks)))
    (on (ack-link Arrive) (where (pair? acks))
        (let ((count (modulo (- (car acks) base) sequence)))
          (set! acks (cdr acks))
          (cond ((= count 0) (checkpoint "nothing new"))
                ((> count ahead)
                 (checkpoint "acknowledged after going back")
                 (set! base (later base count))
                 (set! ahead 0))
                (else
                 (when (= count window) (checkpoint "the whole window at once"))
                 (set! base (later base count))
                 (set! ahead (- ahead count))))
          (when (> ahead window) (checkpoint "too far ahead"))))))

(protocol 0 0 0 '() '())
