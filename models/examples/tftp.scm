; A TFTP server (RFC 1350): reading and writing files in lock step over a datagram service that may lose packets.
;
; The tester plays the clients, the model is the server, for one transfer at a time. A transfer is known by the client's
; transfer identifier, its UDP port, which every packet carries; packets from another one must not disturb it. Data packets
; say how many bytes they hold, not which. Lost packets need no `choose` here: a tester that lets time pass instead of
; answering has lost one.
; Left out: the server's own transfer identifier, which is the adapter's business, concurrent transfers, mail mode (obsolete),
; the conversion of netascii, the texts in error packets, block numbers that wrap, and the options of RFC 2347.

(define-type tid (int 1 65535))
(define-type block (int 0 65535))

(define-message Rrq (from tid) (file string) (mode (enum netascii octet mail)))
(define-message Wrq (from tid) (file string) (mode (enum netascii octet mail)))
(define-message Data (peer tid) (number block) (bytes (int 0 512)))
(define-message Ack (peer tid) (number block))
(define-message Error (peer tid) (code (int 0 7)))

(define-port net (in Rrq Wrq Data Ack Error) (out Data Ack Error))

; Error codes (appendix)
(define file-not-found 1)
(define access-violation 2)
(define disk-full 3)
(define illegal-operation 4)
(define unknown-tid 5)
(define file-exists 6)

(define block-size 512)                 ; section 2; a shorter block is the last
(define retransmit-after 5)             ; seconds: RFC 1350 leaves the time to the implementation
(define attempts 4)

; The disk: a file's name and its size in bytes.
(define capacity 2600)
(define files (make-hash-table))
(hash-table-set! files "motd" 100)
(hash-table-set! files "exact" 1024)
(hash-table-set! files "secret" 300)

(define (readable? name) (not (equal? name "secret")))
(define (writable? name) (> (string-length name) 0))
(define (used) (fold-left + 0 (hash-table-values files)))

; Block n of a file of the given size: how many bytes it holds. The last one may be empty, when the size is a multiple of
; 512 (section 6).
(define (bytes-in size n)
  (min block-size (- size (* block-size (- n 1)))))

(define-timer retransmission)

; client   the transfer identifier of the other side
; name     the file
; size     its bytes: those to send in all, or those received up to now
; number   the block that is being sent, or the last one that was acknowledged
; left     how many more times to retransmit
(define-machine (server client name size number left)

  (state idle
    (on (net (Rrq from _ 'mail))
        (write net (Error from illegal-operation)))
    (on (net (Rrq from file _))
        (cond
          ((not (readable? file))
           (write net (Error from access-violation)))
          ((hash-table-contains? files file)
           (requirement "RFC1350-2-RRQ" "A read request is answered with the first block of the file.")
           (-> sending (with (client from) (name file) (size (hash-table-ref/default files file 0)) (number 1))))
          (else
           (requirement "RFC1350-4" "A request that cannot be granted is answered with an error packet.")
           (write net (Error from file-not-found)))))
    (on (net (Wrq from _ 'mail))
        (write net (Error from illegal-operation)))
    (on (net (Wrq from file _))
        (cond
          ((hash-table-contains? files file)
           (write net (Error from file-exists)))
          ((not (writable? file))
           (write net (Error from access-violation)))
          (else
           (requirement "RFC1350-4-WRQ" "A write request is answered with an acknowledgement of block zero.")
           (-> receiving (with (client from) (name file) (size 0) (number 0))))))
    ; Only a request may open a transfer.
    (on (net (Data peer _ _))
        (write net (Error peer unknown-tid)))
    (on (net (Ack peer _))
        (write net (Error peer unknown-tid)))
    (on (net Error)
        (requirement "RFC1350-7" "An error packet is neither acknowledged nor retransmitted.")))

  (state transfer
    (initial sending)

    (on (net (Data peer _ _)) (where (not (= peer client)))
        (requirement "RFC1350-4-TID" "A packet from another transfer identifier gets an error packet and does not disturb the transfer.")
        (write net (Error peer unknown-tid)))
    (on (net (Ack peer _)) (where (not (= peer client)))
        (write net (Error peer unknown-tid)))
    (on (net (Error peer _)) (where (= peer client))
        (requirement "RFC1350-2-ERROR" "An error packet from the other side ends the transfer.")
        -> idle)
    (on (net Error))
    (on (timeout retransmission) (where (= left 0))
        (requirement "RFC1350-7-TIMEOUT" "A side that hears nothing in spite of retransmissions ends the transfer.")
        -> idle)
    (exit (stop retransmission))

    ; ---- read: the server sends blocks (section 6) ----
    (state sending
      (entry (set! left attempts)
             (write net (Data client number (bytes-in size number)))
             (start retransmission retransmit-after))
      (on (net (Ack peer n)) (where (and (= peer client) (= n number)))
          (if (< (bytes-in size number) block-size)
              (begin
                (requirement "RFC1350-6-LAST" "The acknowledgement of a block of less than 512 bytes ends the transfer.")
                (-> idle))
              (begin
                (requirement "RFC1350-2-LOCKSTEP" "The next block is sent when the one before is acknowledged.")
                (-> sending (with (number (+ number 1)))))))
      (on (net (Ack peer n)) (where (and (= peer client) (< n number)))
          (requirement "RFC1123-4.2.3.1" "A second acknowledgement of an earlier block is not answered with data (the sorcerer's apprentice)."))
      (on (net (Ack peer _)) (where (= peer client))
          (write net (Error client illegal-operation)) -> idle)
      (on (net (Data peer _ _)) (where (= peer client))
          (write net (Error client illegal-operation)) -> idle)
      (on (timeout retransmission) (where (> left 0))
          (requirement "RFC1350-2-DATA" "A block that is not acknowledged in time is sent again.")
          (set! left (- left 1))
          (write net (Data client number (bytes-in size number)))
          (start retransmission retransmit-after)))

    ; ---- write: the server receives blocks ----
    (state receiving
      (entry (set! left attempts)
             (write net (Ack client number))
             (start retransmission retransmit-after))
      (on (net (Data peer n bytes)) (where (and (= peer client) (= n (+ number 1))))
          (cond
            ((> (+ (used) size bytes) capacity)
             (write net (Error client disk-full))
             (-> idle))
            ((< bytes block-size)
             (hash-table-set! files name (+ size bytes))
             (-> dallying (with (size (+ size bytes)) (number n))))
            (else
             (-> receiving (with (size (+ size bytes)) (number n))))))
      (on (net (Data peer n _)) (where (and (= peer client) (= n number)))
          (requirement "RFC1350-2-ACK" "A block that arrives again is acknowledged again.")
          (write net (Ack client number))
          (start retransmission retransmit-after))
      (on (net (Data peer n _)) (where (and (= peer client) (< n number)))
          (checkpoint "an old duplicate"))
      (on (net (Data peer _ _)) (where (= peer client))
          (write net (Error client illegal-operation)) -> idle)
      (on (net (Ack peer _)) (where (= peer client))
          (write net (Error client illegal-operation)) -> idle)
      (on (timeout retransmission) (where (> left 0))
          (set! left (- left 1))
          (write net (Ack client number))
          (start retransmission retransmit-after)))

    ; The last block is acknowledged; the acknowledgement may be lost, so the server stays to repeat it (section 6).
    (state dallying
      (entry (write net (Ack client number)))
      (on (net (Data peer n _)) (where (and (= peer client) (= n number)))
          (requirement "RFC1350-6-DALLY" "The final acknowledgement is repeated when the last block arrives again.")
          (write net (Ack client number)))
      (after (* 2 retransmit-after) -> idle)
      (on (net (Data peer _ _)) (where (= peer client)))
      (on (net (Ack peer _)) (where (= peer client))))))

(server 1 "" 0 0 0)
