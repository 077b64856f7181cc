; The alternating-bit protocol (Bartlett, Scantlebury and Wilkinson, 1969): reliable transfer over links that lose, duplicate
; and delay, with one bit of sequence number.
;
; Sender and receiver are threads, and so is each of the two links between them. A link keeps the order of what it carries; for
; each message the environment chooses whether it arrives at once, not at all, twice, or so late that the sender has lost
; patience. The sender repeats a frame until its acknowledgement arrives; the receiver acknowledges every frame, and hands on
; those whose bit it expects. Two assertions say what the protocol is for: nothing is lost, and nothing is delivered twice. Left
; out: reordering, which would break the protocol, corruption, which is the same as loss once a checksum has found it, and
; giving up.

(define-message Send (payload int))
(define-message Close)
(define-message Ready)                  ; the sender takes the next payload
(define-message Deliver (payload int))

(define-port source (in Send Close) (out Ready))
(define-port sink out Deliver)

; What travels inside the model: from the sender over a link to the receiver, and back over another.
(define-type bit (int 0 1))
(define-message Frame (bit bit) (payload int))
(define-message Ack (bit bit))

(define-channel frames-sent)
(define-channel frames)
(define-channel acks-sent)
(define-channel acks)

(define resend-after 10)
(define late 15)

(define (flip bit) (- 1 bit))

(define outstanding '())                ; the payload that was taken and not delivered yet

(define (link from to)
  (let ((message (receive from)))
    (choose (send to message)
            (checkpoint "lost")
            (begin (checkpoint "duplicated")
                   (send to message)
                   (send to message))
            (select
              ((after late)
               (checkpoint "late")
               (send to message)))))
  (link from to))

(define-machine (sender bit payload)
  (state idle
    (entry (write source (Ready)))
    (on (source (Send data))
        (set! outstanding (list data))
        -> awaiting-ack (with (payload data)))
    (on (source Close) -> closed)
    ; The second copy of an acknowledgement, or one for a frame that was repeated too early.
    (ignores acks))

  (state awaiting-ack
    (entry (send frames-sent (Frame bit payload)))
    (on (acks (Ack b)) (where (= b bit))
        (requirement "ABP-1" "The sender goes on to the next payload, with the other bit, when its frame is acknowledged.")
        (assert (null? outstanding))
        -> idle (with (bit (flip bit))))
    (on (acks Ack)
        (requirement "ABP-2" "The sender ignores an acknowledgement with the other bit."))
    (after resend-after
        (requirement "ABP-3" "The sender repeats a frame that is not acknowledged in time.")
        (send frames-sent (Frame bit payload))))

  (state closed (final)))

(define-machine (receiver expected)
  (state listening
    (on (frames (Frame b data)) (where (= b expected))
        (requirement "ABP-4" "The receiver delivers a frame with the expected bit, and acknowledges it.")
        (assert (equal? outstanding (list data)))
        (set! outstanding '())
        (write sink (Deliver data))
        (send acks-sent (Ack b))
        -> listening (with (expected (flip b))))
    (on (frames (Frame b _))
        (requirement "ABP-5" "The receiver acknowledges a repeated frame again, and does not deliver it.")
        (send acks-sent (Ack b)))))

(spawn-service (receiver 0))
(spawn-service (link frames-sent frames))
(spawn-service (link acks-sent acks))
(sender 0 0)
