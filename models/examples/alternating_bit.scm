; The alternating-bit protocol (Bartlett, Scantlebury and Wilkinson, 1969): reliable transfer over links that lose and
; duplicate, with one bit of sequence number.
;
; Sender and receiver are threads. The two links between them are first-in, first-out; each time something is put on one,
; the environment chooses whether it arrives once, not at all, or twice. The sender repeats a frame until its acknowledgement
; arrives; the receiver acknowledges every frame, and hands on those whose bit it expects. Left out: reordering, which
; would break the protocol, corruption, which is the same as loss once a checksum has found it, and giving up.

(define-message Send (payload int))
(define-message Close)
(define-message Ready)                  ; the sender takes the next payload
(define-message Deliver (payload int))

(define-port source (in Send Close) (out Ready))
(define-port sink out Deliver)

; What travels inside the model.
(define-type bit (int 0 1))
(define-message Frame (bit bit) (payload int))
(define-message Ack (bit bit))

(define-channel frames)
(define-channel acks)

(define (flip bit) (- 1 bit))

(define resend-after 10)

(define (put-on link message)
  (choose (send link message)
          (checkpoint "lost")
          (begin (checkpoint "duplicated")
                 (send link message)
                 (send link message))))

(define-machine (sender bit payload)
  (state idle
    (entry (write source (Ready)))
    (on (source (Send data))  -> awaiting-ack (with (payload data)))
    (on (source Close)        -> closed)
    ; The second copy of an acknowledgement, or one for a frame that was repeated too early.
    (ignores acks))

  (state awaiting-ack
    (entry (put-on frames (Frame bit payload)))
    (on (acks (Ack b)) (where (= b bit))
        (requirement "ABP-1" "The sender goes on to the next payload, with the other bit, when its frame is acknowledged.")
        -> idle (with (bit (flip bit))))
    (on (acks Ack)
        (requirement "ABP-2" "The sender ignores an acknowledgement with the other bit."))
    (after resend-after
        (requirement "ABP-3" "The sender repeats a frame that is not acknowledged in time.")
        (put-on frames (Frame bit payload))))

  (state closed (final)))

(define-machine (receiver expected)
  (state listening
    (on (frames (Frame b data)) (where (= b expected))
        (requirement "ABP-4" "The receiver delivers a frame with the expected bit, and acknowledges it.")
        (write sink (Deliver data))
        (put-on acks (Ack b))
        -> listening (with (expected (flip b))))
    (on (frames (Frame b _))
        (requirement "ABP-5" "The receiver acknowledges a repeated frame again, and does not deliver it.")
        (put-on acks (Ack b)))))

(spawn-service (receiver 0))
(sender 0 0)
