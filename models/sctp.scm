; An SCTP endpoint (RFC 9260): its ports, and an association with a peer from set-up to shutdown.
;
; The tester plays the upper layer (the ULP of section 11) and the peer with its packets; the model is the SCTP of one host.
; The upper layer distributes ports: it initialises instances on ports of its choice or of SCTP's, opens an association from
; one of them, or waits until a peer opens one. The association has its state cookie and all the cases of a setup chunk that
; comes when it is not expected (5.2), several streams with ordered and unordered messages in fragments (6.5, 6.6, 6.9),
; acknowledgements with gaps and windows (6.2), retransmission by timer and by gap reports (6.3, 7.2.4), a peer with one or two
; addresses whose paths are verified, monitored and given up (5.4, 8.1 to 8.3), abort and shutdown (9). Packets that belong to no
; association are answered as in 8.4, and verification tags are checked as in 8.5.
;
; A packet has its common header and one chunk; where the receiver's treatment of an unrecognised chunk shows only in what comes
; after it, a HEARTBEAT is bundled behind. TSNs count from their sender's initial TSN: the first DATA chunk is 1, and 0
; acknowledges nothing. Every DATA chunk that is not empty has 1000 bytes, which is also what fits into a packet; windows are in
; bytes, times in milliseconds. The upper layer has set its limits low (SETPROTOCOLPARAMETERS), so that tests stay short.
;
; Where the RFC leaves a choice, this SCTP
; - has room for two instances and one association, and refuses others with "Out of Resource"; ports change hands only
;   while there is no association;
; - keeps the secret of its last state cookie only, until a second lifetime has passed or an association ends;
; - answers a stale cookie error by one more INIT with a Cookie Preservative, then gives up;
; - sends reports on an INIT ACK after the COOKIE ACK, for it does not bundle; sends window updates when its window was shut;
; - discards data on a restart, and aborts on fragments, stream sequence numbers or acknowledgements that cannot be right;
; - heartbeats only while no DATA is outstanding, and measures no round trip longer than RTO.Min;
; - uses the T5-shutdown-guard timer, and silently discards an INIT with a Verification Tag for an association.
;
; Left out: bundling, congestion avoidance (7.2.2), path MTU discovery, life times of messages, partial delivery, ICMP, one
; T3-rtx timer for each destination (there is one for all), Supported Address Types, IPv6 and non-unicast addresses, and
; whatever a parser would find wrong with a packet.
;
; Requirements are named after sections. Where a section has numbered or lettered items, the number or letter behind its name is
; the item's; where it has none, it only tells requirements apart.
;
; In an established association each chunk may come right, and wrong in each field that the RFC checks, so a depth of 3 is too
; much. Tests: espalier generate sctp.scm

; ---- Packets (section 3) ----

(define-type port-number (int 1 65535))
(define-type verification-tag (int 0 4294967295))          ; 0 only in a packet with an INIT (8.5.1)
(define-type initiate-tag (int 1 4294967295))              ; that an endpoint chooses for itself (5.3.1)
(define-type address (int 1 2))                   ; of the peer's two interfaces
(define-type window (enum 0 1000 1500 2000 3000 100000))   ; of the receiver, in bytes
(define-type tsn (int 0 65535))
(define-type stream-id (int 0 65535))
(define-type ssn (int 0 65535))
(define-type cookie-id (int 0 4294967295))        ; 0: none
(define-type nonce (int 0 4294967295))
(define-type cause-code (int 0 13))               ; 0: none

; The types of optional parameters: 5 is the other one of the peer's addresses, 9 the Cookie Preservative, 11 a host name; the
; others are unknown, and differ in their highest bits. Behind an unknown one the tester may put an address, to see whether it
; is read.
(define-message Parameter (type (enum 5 9 11 16 16400 32784 49168)))
(define (plain? parameters)
  (or (null? parameters)
      (null? (cdr parameters))
      (and (> (Parameter-type (car parameters)) 11) (= (Parameter-type (cadr parameters)) 5))))

(define-message Init
  (tag verification-tag) (a-rwnd window) (outbound (int 0 65535)) (inbound (int 0 65535)) (parameters (list-of Parameter 2))
  (where (plain? parameters)))
(define-message InitAck
  (tag verification-tag) (a-rwnd window) (outbound (int 0 65535)) (inbound (int 0 65535)) (parameters (list-of Parameter 2))
  (cookie cookie-id)
  (unrecognised (list-of (int 0 65535) 2))        ; types of parameters of the INIT
  (where (and (plain? parameters) (null? unrecognised))))
(define-message CookieEcho (cookie cookie-id))
(define-message CookieAck)
(define-message Data
  (tsn tsn) (stream stream-id) (ssn ssn)
  (unordered bool) (begin bool) (end bool) (immediate bool) (bytes (enum 0 1000)))
(define-message Block (start tsn) (end tsn))      ; offsets from the cumulative TSN
(define-message Sack
  (cumulative tsn) (a-rwnd window) (gaps (list-of Block 8)) (duplicates (list-of tsn 2))
  (where (and (<= (length gaps) 1)                ; the tester reports one gap at a time
              (null? duplicates)
              (for-all (lambda (block) (<= 2 (Block-start block) (Block-end block))) gaps))))
(define-message Heartbeat (info nonce))
(define-message HeartbeatAck (info nonce))
(define-message Shutdown (cumulative tsn))
(define-message ShutdownAck)
(define-message ShutdownComplete (reflected bool))
(define-message Abort (reflected bool) (cause cause-code))
(define-message Error (cause cause-code))
; A chunk of a type that is not recognised, and a HEARTBEAT behind it in the same packet.
(define-message Unrecognised (type (enum 60 120 180 250)) (heartbeat nonce))

(define-message Packet
  (address address)                               ; of the peer: where it comes from, or goes to
  (from port-number) (to port-number) (tag verification-tag)
  (chunk (one-of Init InitAck CookieEcho CookieAck Data Sack Heartbeat HeartbeatAck Shutdown ShutdownAck ShutdownComplete
                 Abort Error Unrecognised)))

; ---- The upper layer (section 11) ----

(define-message Initialize (port (int 0 65535)))  ; 0: any
(define-message Destroy (port port-number))
(define-message Associate (port port-number) (peer port-number))
(define-message Send (stream stream-id) (unordered bool) (parts (int 1 3)))   ; in DATA chunks
(define-message Receive)
(define-message Close)                            ; the SHUTDOWN primitive
(define-message AbortAssociation)
(define-message SetPrimary (address address))
(define-message ChangeHeartbeat (address address) (on bool))
(define-message RequestHeartbeat (address address))
(define-message Status)

(define-type state-name
  (enum closed cookie-wait cookie-echoed established shutdown-pending shutdown-received shutdown-sent shutdown-ack-sent))
(define-message Initialized (port port-number))
(define-message Destroyed (port port-number))
(define-message Failed
  (reason (enum port-in-use no-port-left no-instance association-exists no-association not-established shutting-down
                invalid-stream no-buffer unknown-address)))
(define-message State (name state-name) (primary (int 0 2)) (unacknowledged (int 0 65535)) (window (int 0 65535)))
(define-message CommunicationUp (outbound (int 1 65535)) (inbound (int 1 65535)))
(define-message CommunicationLost (reason (enum aborted-by-peer aborted unreachable refused stale-cookie guard protocol-violation)))
(define-message CommunicationError (cause cause-code))
(define-message Restart)
(define-message ShutdownDone)                     ; SHUTDOWN COMPLETE
(define-message SendFailure (chunks (int 1 65535)))
(define-message NetworkStatusChange (address address) (status (enum active inactive)))
(define-message DataArrive (stream stream-id))
(define-message Message (stream stream-id) (parts (int 1 65535)))
(define-message NoMessage)

(define-port network (in Packet) (out Packet))
(define-port ulp
  (in Initialize Destroy Associate Send Receive Close AbortAssociation SetPrimary ChangeHeartbeat RequestHeartbeat Status)
  (out Initialized Destroyed Failed State CommunicationUp CommunicationLost CommunicationError Restart ShutdownDone
       SendFailure NetworkStatusChange DataArrive Message NoMessage))

; ---- Parameters (section 16), causes (3.3.10) ----

(define chunk-size 1000)                          ; PMDCS
(define receive-buffer 3000)
(define send-buffer 6)                            ; chunks
(define most-streams 2)                           ; of this endpoint, each way
(define initial-cwnd 4000)                        ; 7.2.1: min(4 * PMDCS, max(2 * PMDCS, 4404))
(define rto-min 1000)                             ; and RTO.Initial
(define rto-max 2000)
(define sack-delay 200)
(define heartbeat-interval 30000)
(define cookie-life 60000)
(define max-init-retransmits 2)
(define path-max-retrans 1)
(define association-max-retrans 2)

(define invalid-stream-identifier 1)
(define missing-mandatory-parameter 2)
(define stale-cookie 3)
(define out-of-resource 4)
(define unresolvable-address 5)
(define unrecognised-chunk-type 6)
(define invalid-mandatory-parameter 7)
(define unrecognised-parameters 8)
(define no-user-data 9)
(define cookie-while-shutting-down 10)
(define restart-with-new-addresses 11)
(define user-initiated-abort 12)
(define protocol-violation 13)

(define-timer t1)                                 ; T1-init and T1-cookie
(define-timer t2)                                 ; T2-shutdown
(define-timer t3)                                 ; T3-rtx, and the wait before a zero window probe
(define-timer t5)                                 ; T5-shutdown-guard
(define-timer sack-timer)
(define-timer heartbeat-timer)
(define-timer cookie-timer)

(define (backed-off base times) (min rto-max (* base (expt 2 times))))

; ---- The association (section 14) ----

(define-record-type path
  (make-path address confirmed active monitored errors rto)
  path?
  (address path-address)
  (confirmed path-confirmed set-path-confirmed!)
  (active path-active set-path-active!)
  (monitored path-monitored set-path-monitored!)
  (errors path-errors set-path-errors!)
  (rto path-rto set-path-rto!))

; A DATA chunk on its way. Stages: flying, marked (for retransmission), gap-acked.
(define-record-type outgoing
  (make-outgoing data stage misses fast path again)
  outgoing?
  (data outgoing-data)
  (stage outgoing-stage set-outgoing-stage!)
  (misses outgoing-misses set-outgoing-misses!)   ; miss indications (7.2.4)
  (fast outgoing-fast set-outgoing-fast!)         ; was fast retransmitted
  (path outgoing-path set-outgoing-path!)         ; where it was last sent
  (again outgoing-again set-outgoing-again!))     ; was sent more than once

(define-record-type sender
  (make-sender next-tsn acked outstanding queue ssns rwnd cwnd ssthresh recovery-exit backing-off probing heard)
  sender?
  (next-tsn sender-next-tsn set-sender-next-tsn!)
  (acked sender-acked set-sender-acked!)          ; the Cumulative TSN Ack Point
  (outstanding sender-outstanding set-sender-outstanding!)      ; lowest TSN first
  (queue sender-queue set-sender-queue!)          ; DATA chunks that were never sent; their TSN is still 0
  (ssns sender-ssns)                              ; stream -> next stream sequence number
  (rwnd sender-rwnd set-sender-rwnd!)             ; the peer's window
  (cwnd sender-cwnd set-sender-cwnd!)
  (ssthresh sender-ssthresh set-sender-ssthresh!)
  (recovery-exit sender-recovery-exit set-sender-recovery-exit!)   ; a TSN, or #f outside of Fast Recovery
  (backing-off sender-backing-off set-sender-backing-off!)         ; T3-rtx expired, and nothing was acknowledged since
  (probing sender-probing set-sender-probing!)    ; a zero window probe is outstanding
  (heard sender-heard set-sender-heard!))         ; a SACK came since the last probe

(define-record-type receiver
  (make-receiver cumulative above held waiting inbox ssns duplicates unacknowledged begun from)
  receiver?
  (cumulative receiver-cumulative set-receiver-cumulative!)
  (above receiver-above set-receiver-above!)      ; TSNs beyond a gap, in order
  (held receiver-held set-receiver-held!)         ; fragments, by TSN
  (waiting receiver-waiting set-receiver-waiting!)   ; messages that wait for others of their stream
  (inbox receiver-inbox set-receiver-inbox!)      ; messages for the upper layer
  (ssns receiver-ssns)                            ; stream -> expected stream sequence number
  (duplicates receiver-duplicates set-receiver-duplicates!)
  (unacknowledged receiver-unacknowledged set-receiver-unacknowledged!)   ; packets with DATA since the last SACK
  (begun receiver-begun set-receiver-begun!)      ; DATA has come
  (from receiver-from set-receiver-from!))        ; where the last DATA came from

(define-record-type association
  (make-association local-port peer-port local-tag peer-tag outbound inbound paths primary sender receiver errors probe report)
  association?
  (local-port association-local-port)
  (peer-port association-peer-port)
  (local-tag association-local-tag)
  (peer-tag association-peer-tag set-association-peer-tag!)      ; #f: not known yet
  (outbound association-outbound set-association-outbound!)      ; streams
  (inbound association-inbound set-association-inbound!)
  (paths association-paths set-association-paths!)
  (primary association-primary set-association-primary!)
  (sender association-sender)
  (receiver association-receiver)
  (errors association-errors set-association-errors!)            ; consecutive retransmissions (8.1)
  (probe association-probe set-association-probe!)               ; (nonce . path) of the last HEARTBEAT, or #f
  (report association-report set-association-report!))           ; unrecognised parameters to report

(define (new-association local-port peer-port local-tag outbound paths)
  (make-association local-port peer-port local-tag #f outbound 1 paths (car paths)
                    (make-sender 1 0 '() '() (make-hash-table) 0 initial-cwnd 100000 #f #f #f #f)
                    (make-receiver 0 '() '() '() '() (make-hash-table) '() 0 #f (path-address (car paths)))
                    0 #f #f))

(define (path-of tcb address)
  (find (lambda (path) (= (path-address path) address)) (association-paths tcb)))

(define (usable? path) (and (path-active path) (path-confirmed path)))

; Where DATA goes (6.4): to the primary path, or past it while it is inactive.
(define (data-path tcb)
  (let ((primary (association-primary tcb)))
    (cond
      ((usable? primary) primary)
      ((find usable? (association-paths tcb))
       => (lambda (alternate)
            (requirement "RFC9260-6.4.1" "While the primary path is inactive, data goes to an alternate active address.")
            alternate))
      (else primary))))

; Where a chunk goes that timed out on a path.
(define (retransmission-path tcb path)
  (cond
    ((find (lambda (other) (and (usable? other) (not (eq? other path)))) (association-paths tcb))
     => (lambda (other)
          (requirement "RFC9260-6.4-A" "A chunk that timed out is retransmitted to another active address, if there is one.")
          other))
    (else path)))

(define (emit tcb path chunk)
  (emit-to tcb (path-address path) (association-peer-tag tcb) chunk))

(define (emit-to tcb address tag chunk)
  (write network (Packet address (association-local-port tcb) (association-peer-port tcb) tag chunk)))

; Answers where the cause came from (6.4), if that may be.
(define (respond tcb source chunk)
  (let ((path (path-of tcb source)))
    (cond
      ((or (HeartbeatAck? chunk) (and path (path-confirmed path)))
       (emit tcb path chunk))
      (else
       (requirement "RFC9260-5.4-Answer" "Nothing but HEARTBEAT and HEARTBEAT ACK is sent to an address that is not confirmed: the answer goes to another.")
       (emit tcb (data-path tcb) chunk)))))

(define (address-of packet) (if (= (Packet-address packet) 1) 1 2))

(define (reply packet tag chunk)
  (write network (Packet (address-of packet) (Packet-to packet) (Packet-from packet) tag chunk)))

; ---- Ports (11.1.1) ----

(define ports '())

(define (bind! port)
  (set! ports (append ports (list port)))
  (write ulp (Initialized port)))

(define (initialize! port)
  (cond
    ((>= (length ports) 2)
     (write ulp (Failed 'no-port-left)))
    ((= port 0)
     (requirement "RFC9260-11.1.1-A" "Where the upper layer names no port, SCTP chooses one that is not in use.")
     (bind! (fresh port-number ports)))
    ((member port ports)
     (requirement "RFC9260-11.1.1-B" "A port belongs to one instance at a time.")
     (write ulp (Failed 'port-in-use)))
    (else
     (bind! port))))

(define (destroy! port)
  (set! ports (filter (lambda (other) (not (equal? other port))) ports))
  (write ulp (Destroyed port)))

; ---- The parameters of INIT and INIT ACK (3.2.1 and 5.1.2) ----

(define-message End)                              ; of a sequence, inside the model
(define-channel parameters)

; Reads parameters in order, up to the end of the chunk.
; addresses     the peer's
; preserved     is there a Cookie Preservative?
; reported      types of parameters that must be reported
(define-machine (parameter-reader addresses preserved reported)
  (state reading
    (on (parameters (Parameter 5))
        (set! addresses '(1 2)))
    (on (parameters (Parameter 9))
        (set! preserved #t))
    (on (parameters (Parameter 11))
        -> host-name-found)
    (on (parameters (Parameter type))
        (case (quotient type 16384)
          ((0)
           (requirement "RFC9260-3.2.1-00" "An unrecognised parameter of type 00 ends the reading of parameters.")
           (-> stopped))
          ((1)
           (requirement "RFC9260-3.2.1-01" "An unrecognised parameter of type 01 ends the reading of parameters and is reported.")
           (-> stopped (with (reported (append reported (list type))))))
          ((2)
           (requirement "RFC9260-3.2.1-10" "An unrecognised parameter of type 10 is skipped."))
          (else
           (requirement "RFC9260-3.2.1-11" "An unrecognised parameter of type 11 is skipped and reported.")
           (set! reported (append reported (list type))))))
    (on (parameters End) -> read-to-the-end))
  (state stopped
    (on (parameters End) -> read-to-the-end)
    (ignores parameters))
  (state host-name-found
    (on (parameters End) -> unusable)
    (ignores parameters))
  (state read-to-the-end (final (list addresses preserved reported)))
  (state unusable (final #f)))

(define (read-parameters list-of-parameters source)
  (for-each (lambda (parameter) (send parameters parameter)) list-of-parameters)
  (send parameters (End))
  (parameter-reader (list source) #f '()))

; ---- State cookies (5.1.3 and 5.1.5) ----

; What the peer carries for us. The record stands for the cookie's content, which its MAC protects: nothing else is remembered
; of an INIT that was answered.
(define-record-type cookie
  (make-cookie id local-port peer-port local-tag peer-tag a-rwnd outbound inbound source addresses ties stale)
  cookie?
  (id cookie-id-of)
  (local-port cookie-local-port)
  (peer-port cookie-peer-port)
  (local-tag cookie-local-tag)
  (peer-tag cookie-peer-tag)
  (a-rwnd cookie-a-rwnd)
  (outbound cookie-outbound)
  (inbound cookie-inbound)
  (source cookie-source)                          ; the address that the INIT came from
  (addresses cookie-addresses)
  (ties cookie-ties)                              ; (local tag . peer's tag) of the association that there was, or #f
  (stale cookie-stale set-cookie-stale!))

(define last-cookie #f)

(define (age-cookie!)
  (cond
    ((cookie-stale last-cookie)
     (checkpoint "the secret of a cookie is forgotten")
     (set! last-cookie #f))
    (else
     (set-cookie-stale! last-cookie #t)
     (start cookie-timer cookie-life))))

(define (unacceptable? a-rwnd outbound inbound)
  (or (< a-rwnd 1500) (= outbound 0) (= inbound 0)))

; Answers an INIT: with an INIT ACK and a cookie, with an ABORT, or not at all. The local tag is the one to offer, or #f for a new
; one; ties are the tie tags for the cookie, and streams what we want to send on; known are the addresses that the INIT may list,
; or #f for any.
(define (answer-init init source local-port peer-port local-tag ties streams known)
  (define (answer chunk) (write network (Packet source local-port peer-port (Init-tag init) chunk)))
  (cond
    ((= (Init-tag init) 0)
     (requirement "RFC9260-3.3.2-A" "An INIT whose Initiate Tag is 0 is silently discarded."))
    ((unacceptable? (Init-a-rwnd init) (Init-outbound init) (Init-inbound init))
     (requirement "RFC9260-3.3.2-B" "An INIT with a window below 1500 or no streams is answered with an ABORT that has its Initiate Tag.")
     (answer (Abort #f invalid-mandatory-parameter)))
    (else
     (let ((found (read-parameters (Init-parameters init) source)))
       (cond
         ((not found)
          (requirement "RFC9260-5.1.2-B" "A Host Name Address parameter is answered with an ABORT with Unresolvable Address.")
          (answer (Abort #f unresolvable-address)))
         ((and known (not (for-all (lambda (address) (memv address known)) (car found))))
          (requirement "RFC9260-5.2.2-A" "An unexpected INIT that adds addresses is answered with an ABORT, and the association stays as it is.")
          (answer (Abort #f restart-with-new-addresses)))
         (else
          (let* ((tag (or local-tag (fresh initiate-tag)))
                 (id (fresh cookie-id))
                 (outbound (min streams (Init-inbound init))))
            (set! last-cookie
                  (make-cookie id local-port peer-port tag (Init-tag init) (Init-a-rwnd init)
                               outbound (min most-streams (Init-outbound init)) source (car found) ties #f))
            (cond
              ((cadr found)
               (requirement "RFC9260-3.3.2.1.3" "A Cookie Preservative in an INIT asks for a longer life of the State Cookie.")
               (start cookie-timer (+ cookie-life 1000)))
              (else
               (start cookie-timer cookie-life)))
            (requirement "RFC9260-5.1-B" "An INIT is answered with an INIT ACK that has its Initiate Tag as Verification Tag, a tag of its own and a State Cookie.")
            (answer (InitAck tag receive-buffer outbound most-streams '() id (caddr found))))))))))

; Is it the cookie that was sent last, and for these ports?
(define (authentic? id local-port peer-port)
  (and last-cookie
       (equal? id (cookie-id-of last-cookie))
       (equal? local-port (cookie-local-port last-cookie))
       (equal? peer-port (cookie-peer-port last-cookie))))

(define (report-stale-cookie source)
  (write network
         (Packet source (cookie-local-port last-cookie) (cookie-peer-port last-cookie) (cookie-peer-tag last-cookie)
                 (Error stale-cookie))))

; The association that a valid cookie describes. Only the address that the INIT ACK went to is confirmed (5.4).
(define (association-of-cookie)
  (stop cookie-timer)                             ; with both tags of the association it does not age (5.2.4)
  (let ((tcb (new-association (cookie-local-port last-cookie) (cookie-peer-port last-cookie) (cookie-local-tag last-cookie)
                              (cookie-outbound last-cookie)
                              (list (make-path (cookie-source last-cookie) #t #t #t 0 rto-min)))))
    (adopt-cookie! tcb)
    tcb))

(define (adopt-cookie! tcb)
  (set-association-peer-tag! tcb (cookie-peer-tag last-cookie))
  (learn-peer! tcb (cookie-a-rwnd last-cookie) (cookie-outbound last-cookie) (cookie-inbound last-cookie)
               (cookie-addresses last-cookie)))

; What INIT, INIT ACK or the cookie tell of the peer: its window, the streams each way, and more addresses.
(define (learn-peer! tcb a-rwnd outbound inbound addresses)
  (set-sender-rwnd! (association-sender tcb) a-rwnd)
  (set-association-outbound! tcb outbound)
  (set-association-inbound! tcb inbound)
  (for-each (lambda (address)
              (unless (path-of tcb address)
                (requirement "RFC9260-5.4-A" "An address that only the peer's parameters list is unconfirmed.")
                (set-association-paths! tcb
                  (append (association-paths tcb) (list (make-path address #f #t #t 0 rto-min))))))
            addresses))

; What to do with a COOKIE ECHO when there is an association (5.2.4): an action of its table, or #f.
(define (cookie-action tcb id source)
  (cond
    ((not (authentic? id (association-local-port tcb) (association-peer-port tcb))) #f)
    (else
     (let ((local? (equal? (cookie-local-tag last-cookie) (association-local-tag tcb)))
           (peer? (equal? (cookie-peer-tag last-cookie) (association-peer-tag tcb)))
           (ties (cookie-ties last-cookie)))
       (cond
         ((and local? peer?)
          (requirement "RFC9260-5.2.4-D" "A cookie with both tags of the association is valid even if it is stale, and is acknowledged.")
          'd)
         ((cookie-stale last-cookie)
          (requirement "RFC9260-5.2.4-3" "A stale cookie with other tags is answered with an ERROR with Stale Cookie.")
          (report-stale-cookie source)
          #f)
         (local?
          (requirement "RFC9260-5.2.4-B" "A cookie with our tag and another one of the peer updates the peer's tag and is acknowledged.")
          'b)
         ((and ties
               (equal? (car ties) (association-local-tag tcb))
               (equal? (cdr ties) (association-peer-tag tcb)))
          'a)
         ((and peer? (not ties))
          (requirement "RFC9260-5.2.4-C" "A cookie with the peer's tag, another one of ours and no tie tags came late and is discarded.")
          'c)
         (else
          (checkpoint "a cookie that fits no row of the table")
          #f))))))

; ---- Out of the blue (8.4) ----

(define (out-of-the-blue packet room)
  (let ((chunk (Packet-chunk packet)) (tag (Packet-tag packet)))
    (cond
      ((Abort? chunk)
       (requirement "RFC9260-8.4-2" "An ABORT out of the blue is silently discarded."))
      ((and (Init? chunk) (= tag 0))
       (cond
         ((not (member (Packet-to packet) ports))
          (requirement "RFC9260-8.4-3" "An INIT that cannot be processed is answered with an ABORT with its Initiate Tag, not reflected.")
          (reply packet (Init-tag chunk) (Abort #f 0)))
         (room
          (answer-init chunk (address-of packet) (Packet-to packet) (Packet-from packet)
                       #f #f most-streams #f))
         (else
          (requirement "RFC9260-5.1-Resources" "Without resources for a new association an INIT is answered with an ABORT.")
          (reply packet (Init-tag chunk) (Abort #f out-of-resource)))))
      ((= tag 0)
       (requirement "RFC9260-8.5.1-A" "A packet with Verification Tag 0 and anything but an INIT is silently discarded."))
      ((CookieEcho? chunk)
       (requirement "RFC9260-5.1.5-2" "A cookie that fails authentication, or that came with other ports or another tag, is silently discarded."))
      ((ShutdownAck? chunk)
       (requirement "RFC9260-8.4-5" "A SHUTDOWN ACK out of the blue is answered with a SHUTDOWN COMPLETE with the T bit and its tag.")
       (reply packet tag (ShutdownComplete #t)))
      ((ShutdownComplete? chunk)
       (requirement "RFC9260-8.4-6" "A SHUTDOWN COMPLETE out of the blue is silently discarded."))
      ((or (CookieAck? chunk) (and (Error? chunk) (= (Error-cause chunk) stale-cookie)))
       (requirement "RFC9260-8.4-7" "A COOKIE ACK or a stale cookie error out of the blue is silently discarded."))
      (else
       (requirement "RFC9260-8.4-8" "Any other packet out of the blue is answered with an ABORT with the T bit and its tag.")
       (reply packet tag (Abort #t 0))))))

; ---- Which packets belong to the association, and their tags (8.5) ----

(define (lists-addresses? init)
  (exists (lambda (parameter) (= (Parameter-type parameter) 5)) (Init-parameters init)))

(define (belongs? tcb packet)
  (let ((chunk (Packet-chunk packet)))
    (and (equal? (Packet-to packet) (association-local-port tcb))
         (= (Packet-from packet) (association-peer-port tcb))
         (or (path-of tcb (Packet-address packet))
             (and (Init? chunk) (lists-addresses? chunk))))))

(define (tag-valid? tcb packet)
  (let ((chunk (Packet-chunk packet)) (tag (Packet-tag packet)))
    (cond
      ((Init? chunk) (= tag 0))
      ((CookieEcho? chunk) #t)
      ((Abort? chunk) (tag-reflected-or-own? tcb tag (Abort-reflected chunk)))
      ((ShutdownComplete? chunk) (tag-reflected-or-own? tcb tag (ShutdownComplete-reflected chunk)))
      (else (equal? tag (association-local-tag tcb))))))

(define (tag-reflected-or-own? tcb tag reflected)
  (cond
    (reflected
     (and (association-peer-tag tcb) (equal? tag (association-peer-tag tcb))))
    (else
     (equal? tag (association-local-tag tcb)))))

; ---- Error counters (8.1 and 8.2) ----

(define (count-path-error! path)
  (set-path-rto! path (backed-off (path-rto path) 1))
  (when (<= (path-errors path) path-max-retrans)
    (set-path-errors! path (+ (path-errors path) 1))
    (when (and (> (path-errors path) path-max-retrans) (path-active path))
      (requirement "RFC9260-8.2-A" "A path whose error counter exceeds Path.Max.Retrans is inactive, and the upper layer is told.")
      (set-path-active! path #f)
      (write ulp (NetworkStatusChange (path-address path) 'inactive)))))

(define (clear-errors! tcb path)
  (set-association-errors! tcb 0)
  (set-path-errors! path 0)
  (unless (path-active path)
    (requirement "RFC9260-8.2-B" "An inactive path that is heard from again is active, and the upper layer is told.")
    (set-path-active! path #t)
    (write ulp (NetworkStatusChange (path-address path) 'active))))

; Is the association still alive after one more error?
(define (count-association-error! tcb)
  (set-association-errors! tcb (+ (association-errors tcb) 1))
  (cond
    ((<= (association-errors tcb) association-max-retrans) #t)
    (else
     (unreachable tcb)
     #f)))

(define (report-unsent tcb)
  (let* ((sender (association-sender tcb))
         (chunks (+ (length (sender-queue sender)) (length (sender-outstanding sender)))))
    (when (> chunks 0)
      (requirement "RFC9260-11.2.2" "Data that could not be delivered is reported to the upper layer.")
      (write ulp (SendFailure chunks)))))

(define (lose tcb reason)
  (report-unsent tcb)
  (write ulp (CommunicationLost reason)))

(define (abort tcb cause reason)
  (emit tcb (data-path tcb) (Abort #f cause))
  (lose tcb reason))

(define (unreachable tcb)
  (requirement "RFC9260-8.1" "A peer whose error counter exceeds Association.Max.Retrans is unreachable: the association is closed, and the upper layer is told.")
  (lose tcb 'unreachable))

; ---- Heartbeats (5.4 and 8.3) ----

(define (unconfirmed-path tcb)
  (find (lambda (path) (and (path-active path) (not (path-confirmed path)))) (association-paths tcb)))

(define (monitored-paths tcb) (filter path-monitored (association-paths tcb)))

; The next path to ask for a sign of life: another one than the last time, if there is one.
(define (next-to-monitor tcb)
  (let* ((candidates (monitored-paths tcb))
         (last (and (association-probe tcb) (cdr (association-probe tcb)))))
    (or (find (lambda (path) (not (eq? path last))) candidates)
        (car candidates))))

(define (heartbeat! tcb path)
  (let ((info (fresh nonce)))
    (set-association-probe! tcb (cons info path))
    (emit tcb path (Heartbeat info))
    (start heartbeat-timer (path-rto path))))

; Nobody answered. Is the association still alive?
(define (heartbeat-missed! tcb)
  (let ((path (cdr (association-probe tcb))))
    (set-association-probe! tcb (cons #f path))
    (count-path-error! path)
    (cond
      ((not (path-confirmed path))
       (requirement "RFC9260-5.4-B" "A probe of an unconfirmed address that is not answered does not count against the association.")
       #t)
      ((eq? path (data-path tcb))
       (requirement "RFC9260-8.1-B" "A HEARTBEAT that is not answered on the path that data uses counts against the association.")
       (count-association-error! tcb))
      (else #t))))

(define (answers-probe? tcb info)
  (and (association-probe tcb)
       (car (association-probe tcb))
       (equal? info (car (association-probe tcb)))))

(define (heartbeat-acked! tcb)
  (let ((path (cdr (association-probe tcb))))
    (set-association-probe! tcb (cons #f path))
    (unless (path-confirmed path)
      (requirement "RFC9260-5.4-C" "A HEARTBEAT ACK with the nonce of the probe confirms the address.")
      (set-path-confirmed! path #t))
    (requirement "RFC9260-8.3-Clear" "A HEARTBEAT ACK clears the error counters of the path and of the association.")
    (set-path-rto! path rto-min)
    (clear-errors! tcb path)))

(define (wait-for-heartbeat! tcb)
  (start heartbeat-timer (+ heartbeat-interval (path-rto (next-to-monitor tcb)))))

; ---- Sending (6.1, 6.3 and 7.2) ----

(define (flying? chunk) (eq? (outgoing-stage chunk) 'flying))
(define (marked? chunk) (eq? (outgoing-stage chunk) 'marked))
(define (outgoing-tsn chunk) (Data-tsn (outgoing-data chunk)))
(define (flight-size sender) (* chunk-size (length (filter flying? (sender-outstanding sender)))))

(define (buffered sender) (+ (length (sender-queue sender)) (length (sender-outstanding sender))))

; Puts a message into the queue, in fragments if it is longer than a chunk (6.9). Says what is wrong with it, or #f.
(define (enqueue! tcb stream unordered parts)
  (let ((sender (association-sender tcb)))
    (cond
      ((>= stream (association-outbound tcb))
       (requirement "RFC9260-5.1.1" "Outbound streams are numbered from 0 to the smaller of what we want and what the peer takes, less one.")
       'invalid-stream)
      ((> (+ (buffered sender) parts) send-buffer)
       'no-buffer)
      (else
       (let ((ssn (hash-table-ref/default (sender-ssns sender) stream 0)))
         (if unordered
             (requirement "RFC9260-6.6-A" "Unordered messages do not use up stream sequence numbers.")
             (hash-table-set! (sender-ssns sender) stream (+ ssn 1)))
         (when (> parts 1)
           (requirement "RFC9260-6.9-A" "A long message goes in chunks with the B bit on the first, the E bit on the last, and one stream sequence number."))
         (set-sender-queue! sender
           (append (sender-queue sender)
                   (map (lambda (part)
                          (Data 0 stream ssn unordered (= part 1) (= part parts) #f chunk-size))
                        (iota parts 1))))
         #f)))))

(define (with-tsn data tsn)
  (Data tsn (Data-stream data) (Data-ssn data) (Data-unordered data) (Data-begin data) (Data-end data)
        (Data-immediate data) (Data-bytes data)))

(define (put-on-wire! tcb chunk path)
  (let ((sender (association-sender tcb)))
    (set-outgoing-stage! chunk 'flying)
    (set-outgoing-path! chunk path)
    (set-sender-rwnd! sender (max 0 (- (sender-rwnd sender) chunk-size)))
    (emit tcb path (outgoing-data chunk))))

(define (send-first-in-queue! tcb)
  (let* ((sender (association-sender tcb))
         (tsn (sender-next-tsn sender))
         (chunk (make-outgoing (with-tsn (car (sender-queue sender)) tsn) 'flying 0 #f #f #f)))
    (set-sender-next-tsn! sender (+ tsn 1))
    (set-sender-queue! sender (cdr (sender-queue sender)))
    (when (null? (sender-outstanding sender))
      (start t3 (path-rto (data-path tcb))))
    (set-sender-outstanding! sender (append (sender-outstanding sender) (list chunk)))
    (put-on-wire! tcb chunk (data-path tcb))))

(define (retransmit! tcb chunk path)
  (set-outgoing-again! chunk #t)
  (when (eq? chunk (car (sender-outstanding (association-sender tcb))))
    (requirement "RFC9260-6.1-T3" "T3-rtx is restarted when the earliest outstanding chunk is retransmitted.")
    (start t3 (path-rto path)))
  (put-on-wire! tcb chunk path))

; Sends what the windows allow: first what is marked for retransmission (6.1 C), then what is new.
(define (transmit! tcb)
  (let ((sender (association-sender tcb)))
    (when (< (flight-size sender) (sender-cwnd sender))
      (cond
        ((find marked? (sender-outstanding sender))
         => (lambda (chunk)
              (requirement "RFC9260-6.1-C" "Chunks that are marked for retransmission go before new ones.")
              (retransmit! tcb chunk (data-path tcb))
              (transmit! tcb)))
        ((null? (sender-queue sender)) #f)
        ((< (sender-rwnd sender) chunk-size)
         (requirement "RFC9260-6.1-A" "No new data is sent while the peer's window has no room for it."))
        (else
         (send-first-in-queue! tcb)
         (transmit! tcb))))))

(define (mark! sender chunk)
  (set-outgoing-stage! chunk 'marked)
  (set-sender-rwnd! sender (+ (sender-rwnd sender) chunk-size)))

; T3-rtx has expired (6.3.3). Is the association still alive?
(define (data-timed-out! tcb)
  (let* ((sender (association-sender tcb))
         (first (car (sender-outstanding sender)))
         (path (outgoing-path first)))
    (requirement "RFC9260-6.3.3-E" "When T3-rtx expires, the window is one chunk, the timer is backed off, and the earliest chunk is retransmitted.")
    (set-sender-ssthresh! sender (max (quotient (sender-cwnd sender) 2) initial-cwnd))
    (set-sender-cwnd! sender chunk-size)
    (set-sender-recovery-exit! sender #f)
    (set-sender-backing-off! sender #t)
    (for-each (lambda (chunk) (mark! sender chunk)) (filter flying? (sender-outstanding sender)))
    (count-path-error! path)
    (cond
      ((count-association-error! tcb)
       (retransmit! tcb first (retransmission-path tcb path))
       #t)
      (else #f))))

; Zero window probes (6.1 A): the first chunk of the queue, then the same one again.
(define (probe! tcb)
  (let ((sender (association-sender tcb)))
    (requirement "RFC9260-6.1-Probe" "While the peer's window is shut and nothing is in flight, one chunk is sent after an RTO to probe it.")
    (set-sender-probing! sender #t)
    (set-sender-heard! sender #f)
    (send-first-in-queue! tcb)))

(define (probe-again! tcb)
  (let* ((sender (association-sender tcb))
         (chunk (car (sender-outstanding sender)))
         (path (outgoing-path chunk)))
    (cond
      ((sender-heard sender)
       (requirement "RFC9260-6.1-Probe-2" "Probes that are not acknowledged count as no errors as long as SACKs come.")
       (set-sender-heard! sender #f)
       (set-path-rto! path (backed-off (path-rto path) 1))
       (retransmit! tcb chunk path)
       #t)
      (else
       (count-path-error! path)
       (cond
         ((count-association-error! tcb)
          (retransmit! tcb chunk (retransmission-path tcb path))
          #t)
         (else #f))))))

; ---- Acknowledgements (6.2.1 and 7.2.4) ----

(define (in-gaps? tsn cumulative gaps)
  (exists (lambda (block)
            (<= (+ cumulative (Block-start block)) tsn (+ cumulative (Block-end block))))
          gaps))

; A chunk was acknowledged, for good or in a gap block.
(define (credit! tcb chunk)
  (let ((path (outgoing-path chunk)))
    (clear-errors! tcb path)
    (cond
      ((outgoing-again chunk)
       (requirement "RFC9260-6.3.1-C5" "A chunk that was retransmitted gives no measurement of the round trip time."))
      (else
       (set-path-rto! path rto-min)))))

; Removes what the cumulative TSN acknowledges, and says how much that is.
(define (acknowledge-up-to! tcb cumulative)
  (let* ((sender (association-sender tcb))
         (done (filter (lambda (chunk) (<= (outgoing-tsn chunk) cumulative)) (sender-outstanding sender))))
    (for-each (lambda (chunk) (credit! tcb chunk)) done)
    (set-sender-outstanding! sender
      (filter (lambda (chunk) (> (outgoing-tsn chunk) cumulative)) (sender-outstanding sender)))
    (set-sender-acked! sender cumulative)
    (when (pair? done)
      (set-sender-backing-off! sender #f)
      (set-sender-probing! sender #f)
      (cond
        ((null? (sender-outstanding sender))
         (requirement "RFC9260-6.3.2-R2" "T3-rtx stops when everything is acknowledged.")
         (stop t3))
        (else
         (requirement "RFC9260-6.3.2-R3" "T3-rtx is restarted when the earliest outstanding chunk is acknowledged and there are others.")
         (start t3 (path-rto (data-path tcb))))))
    (* chunk-size (length done))))

; Marks what the gap blocks say, and gives the highest TSN that is newly acknowledged, or the cumulative one.
(define (read-gaps! tcb cumulative gaps)
  (fold-left
    (lambda (highest chunk)
      (let ((tsn (outgoing-tsn chunk)))
        (cond
          ((in-gaps? tsn cumulative gaps)
           (cond
             ((eq? (outgoing-stage chunk) 'gap-acked) highest)
             (else
              (credit! tcb chunk)
              (set-outgoing-stage! chunk 'gap-acked)
              (max highest tsn))))
          ((eq? (outgoing-stage chunk) 'gap-acked)
           (requirement "RFC9260-6.2.1-iii" "A TSN that is no longer reported in a gap block may be missing again.")
           (set-outgoing-stage! chunk 'flying)
           (set-outgoing-misses! chunk (+ (outgoing-misses chunk) 1))
           highest)
          (else highest))))
    cumulative
    (sender-outstanding (association-sender tcb))))

; One more report that chunks are missing below a TSN (7.2.4).
(define (count-misses! sender below)
  (for-each
    (lambda (chunk)
      (when (and (flying? chunk) (< (outgoing-tsn chunk) below) (not (outgoing-fast chunk)))
        (set-outgoing-misses! chunk (+ (outgoing-misses chunk) 1))
        (case (outgoing-misses chunk)
          ((1) (checkpoint "a first report of a missing chunk"))
          ((2) (requirement "RFC9260-7.2.4-Wait" "A chunk is not retransmitted before a third SACK reports it missing."))
          (else
           (requirement "RFC9260-7.2.4-1" "A chunk that three SACKs report missing is marked for retransmission, once.")
           (set-outgoing-fast! chunk #t)
           (mark! sender chunk)))))
    (sender-outstanding sender)))

(define (highest-reported cumulative gaps)
  (fold-left (lambda (highest block) (max highest (+ cumulative (Block-end block)))) cumulative gaps))

(define (fast-retransmit! tcb)
  (let* ((sender (association-sender tcb))
         (chunk (find marked? (sender-outstanding sender))))
    (requirement "RFC9260-7.2.4-3" "Fast Retransmit sends one packet whatever the congestion window, and enters Fast Recovery up to the highest outstanding TSN.")
    (set-sender-ssthresh! sender (max (quotient (sender-cwnd sender) 2) initial-cwnd))
    (set-sender-cwnd! sender (sender-ssthresh sender))
    (set-sender-recovery-exit! sender (- (sender-next-tsn sender) 1))
    (retransmit! tcb chunk (outgoing-path chunk))))

(define (grow-window! sender bytes utilised)
  (when (and utilised (> bytes 0) (not (sender-recovery-exit sender))
             (<= (sender-cwnd sender) (sender-ssthresh sender)))
    (requirement "RFC9260-7.2.1" "In slow start, a window that was used up grows by what was acknowledged, by a chunk at most.")
    (set-sender-cwnd! sender (+ (sender-cwnd sender) (min bytes chunk-size)))))

; Something of the peer that cannot be right ends the association.
(define (violation tcb)
  (abort tcb protocol-violation 'protocol-violation)
  #f)

; A SACK. Does the association go on?
(define (process-sack! tcb sack)
  (let* ((sender (association-sender tcb))
         (cumulative (Sack-cumulative sack))
         (gaps (Sack-gaps sack))
         (before (sender-acked sender)))
    (cond
      ((< cumulative before)
       (requirement "RFC9260-6.2.1-i" "A SACK whose cumulative TSN is behind is dropped.")
       #t)
      ((>= (highest-reported cumulative gaps) (sender-next-tsn sender))
       (violation tcb))
      (else
       (let* ((utilised (>= (flight-size sender) (sender-cwnd sender)))
              (bytes (acknowledge-up-to! tcb cumulative))
              (highest (read-gaps! tcb cumulative gaps)))
         (set-sender-heard! sender #t)
         (cond
           ((and (sender-recovery-exit sender) (>= cumulative (sender-recovery-exit sender)))
            (requirement "RFC9260-6.2.1-iv" "Fast Recovery ends when the cumulative TSN reaches its exit point.")
            (set-sender-recovery-exit! sender #f))
           ((and (sender-recovery-exit sender) (> cumulative before))
            (requirement "RFC9260-7.2.4-HTNA" "In Fast Recovery, a SACK that advances the cumulative TSN counts for all TSNs that it reports missing.")
            (count-misses! sender (highest-reported cumulative gaps)))
           (else
            (count-misses! sender highest)))
         (grow-window! sender bytes utilised)
         (set-sender-rwnd! sender (max 0 (- (Sack-a-rwnd sack) (flight-size sender))))
         (when (>= (Sack-a-rwnd sack) chunk-size)
           (set-sender-probing! sender #f))
         (when (and (not (sender-recovery-exit sender))
                    (not (sender-backing-off sender))
                    (find marked? (sender-outstanding sender))
                    (outgoing-fast (find marked? (sender-outstanding sender))))
           (fast-retransmit! tcb))
         (transmit! tcb)
         #t)))))

; The cumulative TSN of a SHUTDOWN. Does the association go on?
(define (process-shutdown! tcb cumulative)
  (let ((sender (association-sender tcb)))
    (cond
      ((>= cumulative (sender-next-tsn sender)) (violation tcb))
      (else
       (when (> cumulative (sender-acked sender))
         (acknowledge-up-to! tcb cumulative)
         (transmit! tcb))
       #t))))

; How the sender goes on.
(define (sender-mode tcb)
  (let ((sender (association-sender tcb)))
    (cond
      ((and (null? (sender-outstanding sender)) (null? (sender-queue sender))) 'drained)
      ((null? (sender-outstanding sender)) 'zero-window)
      ((sender-recovery-exit sender) 'fast-recovery)
      ((sender-probing sender) 'probing)
      ((sender-backing-off sender) 'retransmitting)
      ((find marked? (sender-outstanding sender)) 'congestion-limited)
      ((null? (sender-queue sender)) 'in-flight)
      ((>= (flight-size sender) (sender-cwnd sender)) 'congestion-limited)
      (else 'window-limited))))

; An arrow to the state for it, of those of a phase; where nothing is left to send, the actions.
(define-syntax follow
  (syntax-rules (drained)
    ((_ tcb (drained action ...) mode ...)
     (case (sender-mode tcb)
       ((drained) action ...)
       (else (follow tcb mode ...))))
    ((_ tcb flying congested windowed backing-off recovering shut probing)
     (case (sender-mode tcb)
       ((in-flight) (-> flying))
       ((congestion-limited) (-> congested))
       ((window-limited) (-> windowed))
       ((retransmitting) (-> backing-off))
       ((fast-recovery) (-> recovering))
       ((zero-window) (-> shut))
       (else (-> probing))))))

; ---- Receiving (6.2, 6.5 to 6.7 and 6.9) ----

(define-record-type message
  (make-message stream ssn unordered parts)
  message?
  (stream message-stream)
  (ssn message-ssn)
  (unordered message-unordered)
  (parts message-parts))

(define (parts-of messages) (fold-left (lambda (sum message) (+ sum (message-parts message))) 0 messages))

; The window that we advertise: what is not in use for fragments, for messages that wait and for those not yet read.
(define (own-window receiver)
  (max 0 (- receive-buffer
            (* chunk-size (+ (length (receiver-held receiver))
                             (parts-of (receiver-waiting receiver))
                             (parts-of (receiver-inbox receiver)))))))

(define (received? receiver tsn)
  (or (<= tsn (receiver-cumulative receiver))
      (memv tsn (receiver-above receiver))))

(define (insert-tsn tsn tsns)
  (cond
    ((null? tsns) (list tsn))
    ((< tsn (car tsns)) (cons tsn tsns))
    (else (cons (car tsns) (insert-tsn tsn (cdr tsns))))))

(define (insert-data data chunks)
  (cond
    ((null? chunks) (list data))
    ((< (Data-tsn data) (Data-tsn (car chunks))) (cons data chunks))
    (else (cons (car chunks) (insert-data data (cdr chunks))))))

(define (advance-cumulative! receiver)
  (let ((above (receiver-above receiver)))
    (when (and (pair? above) (= (car above) (+ (receiver-cumulative receiver) 1)))
      (set-receiver-cumulative! receiver (car above))
      (set-receiver-above! receiver (cdr above))
      (advance-cumulative! receiver))))

(define (note-tsn! receiver tsn)
  (set-receiver-above! receiver (insert-tsn tsn (receiver-above receiver)))
  (advance-cumulative! receiver))

(define-channel fragments)

; Reads the fragments that are held, in the order of their TSNs, and puts messages together.
; so-far    fragments of the message at hand, last first
; complete  messages, last first
; left      fragments of messages that are not complete, last first
(define-machine (reassembler receiver so-far complete left)
  (state between-messages
    (on (fragments Data as data)
        (begin-with receiver data so-far complete left between-messages inside-message beginning-missing contradiction))
    (on (fragments End) -> reassembled))

  (state inside-message
    (on (fragments Data as data)
        (cond
          ((not (follows? data (car so-far)))
           (set! left (append so-far left))
           (begin-with receiver data so-far complete left between-messages inside-message beginning-missing contradiction))
          ((not (continues? data (car so-far)))
           (-> contradiction))
          ((Data-end data)
           (requirement "RFC9260-6.9-B" "Fragments with consecutive TSNs, from the B bit to the E bit, are put together.")
           (-> between-messages (with (complete (cons (message-of (cons data so-far)) complete)))))
          (else
           (set! so-far (cons data so-far)))))
    (on (fragments End) -> reassembled (with (left (append so-far left)))))

  ; Fragments whose message began with one that has not come.
  (state beginning-missing
    (on (fragments Data as data)
        (cond
          ((not (follows? data (car left)))
           (begin-with receiver data so-far complete left between-messages inside-message beginning-missing contradiction))
          ((not (continues? data (car left)))
           (-> contradiction))
          ((Data-end data)
           (-> between-messages (with (left (cons data left)))))
          (else
           (set! left (cons data left)))))
    (on (fragments End) -> reassembled))

  (state contradiction
    (on (fragments End) -> impossible)
    (ignores fragments))
  (state reassembled (final (cons (reverse complete) (reverse left))))
  (state impossible (final #f)))

; What a fragment begins that does not go on from the one before.
(define-syntax begin-with
  (syntax-rules ()
    ((_ receiver data so-far complete left between inside missing contradiction)
     (cond
       ((and (Data-begin data) (Data-end data))
        (-> between (with (complete (cons (message-of (list data)) complete)))))
       ((Data-begin data)
        (-> inside (with (so-far (list data)))))
       ((received? receiver (- (Data-tsn data) 1))
        (-> contradiction))
       (else
        (-> missing (with (left (cons data left)))))))))

(define (follows? data before) (= (Data-tsn data) (+ (Data-tsn before) 1)))

(define (continues? data before)
  (and (not (Data-begin data))
       (= (Data-stream data) (Data-stream before))
       (eq? (Data-unordered data) (Data-unordered before))))

(define (message-of chunks)
  (let ((last (car chunks)))
    (make-message (Data-stream last) (Data-ssn last) (Data-unordered last) (length chunks))))

(define (hand-over! receiver message)
  (set-receiver-inbox! receiver (append (receiver-inbox receiver) (list message)))
  (write ulp (DataArrive (message-stream message))))

(define (expected-ssn receiver stream) (hash-table-ref/default (receiver-ssns receiver) stream 0))

; Hands over the messages of a stream whose turn it is.
(define (hand-over-in-order! receiver stream)
  (let* ((expected (expected-ssn receiver stream))
         (next (find (lambda (message)
                       (and (= (message-stream message) stream) (= (message-ssn message) expected)))
                     (receiver-waiting receiver))))
    (when next
      (set-receiver-waiting! receiver (filter (lambda (other) (not (eq? other next))) (receiver-waiting receiver)))
      (hash-table-set! (receiver-ssns receiver) stream (+ expected 1))
      (hand-over! receiver next)
      (hand-over-in-order! receiver stream))))

; A message is complete. Can it be right?
(define (deliver! receiver message)
  (cond
    ((message-unordered message)
     (requirement "RFC9260-6.6-B" "An unordered message is delivered at once, whatever its stream sequence number.")
     (hand-over! receiver message)
     #t)
    ((< (message-ssn message) (expected-ssn receiver (message-stream message)))
     #f)
    (else
     (when (> (message-ssn message) (expected-ssn receiver (message-stream message)))
       (requirement "RFC9260-6.6-C" "A message that comes before others of its stream is held until they are there."))
     (set-receiver-waiting! receiver (append (receiver-waiting receiver) (list message)))
     (hand-over-in-order! receiver (message-stream message))
     #t)))

; Takes a DATA chunk into the buffer. Can it be right?
(define (take-in! receiver data)
  (for-each (lambda (fragment) (send fragments fragment))
            (insert-data data (receiver-held receiver)))
  (send fragments (End))
  (let ((result (reassembler receiver '() '() '())))
    (cond
      ((not result) #f)
      (else
       (set-receiver-held! receiver (cdr result))
       (for-all (lambda (message) (deliver! receiver message)) (car result))))))

; Makes room for a TSN by dropping one that is held and greater. Is there room now?
(define (make-room! receiver tsn)
  (let ((held (receiver-held receiver)))
    (cond
      ((or (null? held) (< (Data-tsn (car (reverse held))) tsn)) #f)
      (else
       (requirement "RFC9260-6.2-Drop" "While the window is shut, a chunk that fills a gap displaces the one with the greatest TSN that is held.")
       (let ((victim (car (reverse held))))
         (set-receiver-held! receiver (filter (lambda (other) (not (eq? other victim))) held))
         (set-receiver-above! receiver (delete (Data-tsn victim) (receiver-above receiver)))
         #t)))))

; Looks at a DATA chunk: is it to be acknowledged now or later, or is something wrong with it?
(define (accept-data! tcb data)
  (let* ((receiver (association-receiver tcb)) (tsn (Data-tsn data)))
    (cond
      ((= (Data-bytes data) 0)
       (requirement "RFC9260-6.2-Empty" "A DATA chunk without user data is answered with an ABORT with No User Data.")
       'no-user-data)
      ((received? receiver tsn)
       (requirement "RFC9260-6.2-Duplicate" "A duplicate is acknowledged at once, and reported as such.")
       (set-receiver-duplicates! receiver (list tsn))
       'now)
      ((and (= (own-window receiver) 0) (not (make-room! receiver tsn)))
       (requirement "RFC9260-6.2-Window" "A new chunk that comes while the window is shut is dropped, and a SACK sent that does not include it.")
       'now)
      (else
       (note-tsn! receiver tsn)
       (cond
         ((>= (Data-stream data) (association-inbound tcb))
          (requirement "RFC9260-6.5" "DATA on an invalid stream is acknowledged, reported with an ERROR, and discarded.")
          'invalid-stream)
         ((not (take-in! receiver data))
          'violation)
         ((not (receiver-begun receiver))
          (requirement "RFC9260-5.1-First" "The first DATA chunk of an association is acknowledged at once.")
          'now)
         ((pair? (receiver-above receiver))
          (requirement "RFC9260-6.7" "DATA that leaves a gap is acknowledged at once, with gap blocks.")
          'now)
         ((Data-immediate data)
          (requirement "RFC9260-6.2-I" "DATA with the I bit is acknowledged at once.")
          'now)
         ((>= (receiver-unacknowledged receiver) 1)
          (requirement "RFC9260-6.2-Second" "At least every second packet with DATA is acknowledged.")
          'now)
         (else 'later))))))

(define (gap-blocks receiver)
  (let ((cumulative (receiver-cumulative receiver)))
    (let loop ((rest (receiver-above receiver)) (blocks '()))
      (cond
        ((null? rest) (reverse blocks))
        ((and (pair? blocks) (= (- (car rest) cumulative) (+ (Block-end (car blocks)) 1)))
         (loop (cdr rest)
               (cons (Block (Block-start (car blocks)) (- (car rest) cumulative)) (cdr blocks))))
        (else
         (loop (cdr rest)
               (cons (Block (- (car rest) cumulative) (- (car rest) cumulative)) blocks)))))))

(define (acknowledge! tcb)
  (let ((receiver (association-receiver tcb)))
    (stop sack-timer)
    (respond tcb (receiver-from receiver)
             (Sack (receiver-cumulative receiver) (own-window receiver) (gap-blocks receiver)
                   (receiver-duplicates receiver)))
    (set-receiver-begun! receiver #t)
    (set-receiver-duplicates! receiver '())
    (set-receiver-unacknowledged! receiver 0)))

(define (acknowledge-later! tcb)
  (set-receiver-unacknowledged! (association-receiver tcb) 1)
  (start sack-timer sack-delay))

; DATA comes. Does the association go on?
(define (receive-data! tcb data source)
  (set-receiver-from! (association-receiver tcb) source)
  (case (accept-data! tcb data)
    ((no-user-data) (abort tcb no-user-data 'protocol-violation) #f)
    ((violation) (violation tcb))
    ((invalid-stream)
     (acknowledge! tcb)
     (respond tcb source (Error invalid-stream-identifier))
     #t)
    ((now) (acknowledge! tcb) #t)
    (else (acknowledge-later! tcb) #t)))

; The same after our SHUTDOWN, which is repeated (9.2).
(define (receive-last-data! tcb data source)
  (let ((receiver (association-receiver tcb)))
    (set-receiver-from! receiver source)
    (case (accept-data! tcb data)
      ((no-user-data) (abort tcb no-user-data 'protocol-violation) #f)
      ((violation) (violation tcb))
      (else
       (requirement "RFC9260-9.2-D" "After a SHUTDOWN, every packet with DATA is answered with a SHUTDOWN, and with a SACK where there are gaps or duplicates.")
       (send-shutdown! tcb)
       (when (or (pair? (receiver-above receiver)) (pair? (receiver-duplicates receiver)))
         (acknowledge! tcb))
       #t))))

; The RECEIVE primitive.
(define (read-message! tcb)
  (let* ((receiver (association-receiver tcb)) (inbox (receiver-inbox receiver)) (window (own-window receiver)))
    (cond
      ((null? inbox) (write ulp (NoMessage)))
      (else
       (write ulp (Message (message-stream (car inbox)) (message-parts (car inbox))))
       (set-receiver-inbox! receiver (cdr inbox))
       (when (= window 0)
         (requirement "RFC9260-6.2-Update" "When the window opens again, a SACK says so.")
         (acknowledge! tcb))))))

; ---- Shutdown (9.2) ----

(define (send-shutdown! tcb)
  (emit tcb (data-path tcb) (Shutdown (receiver-cumulative (association-receiver tcb)))))

(define (begin-shutdown! tcb)
  (requirement "RFC9260-9.2-B" "When all data is acknowledged, SHUTDOWN is sent with the last sequential TSN, and T2-shutdown and T5-shutdown-guard are started.")
  (stop sack-timer)
  (send-shutdown! tcb)
  (start t2 rto-min)
  (start t5 (* 5 rto-max)))

(define (acknowledge-shutdown! tcb)
  (requirement "RFC9260-9.2-F" "A SHUTDOWN is answered with SHUTDOWN ACK when no data is outstanding, and T2-shutdown is started.")
  (emit tcb (data-path tcb) (ShutdownAck))
  (start t2 rto-min))

(define (complete-shutdown! tcb)
  (emit tcb (data-path tcb) (ShutdownComplete #f))
  (write ulp (ShutdownDone)))

(define (gap? tcb) (pair? (receiver-above (association-receiver tcb))))

; ---- Chunks that are not recognised (3.2) ----

; Is the rest of the packet to be read?
(define (skip-unrecognised! tcb source type)
  (case (quotient type 64)
    ((0)
     (requirement "RFC9260-3.2-00" "A packet with an unrecognised chunk of type 00 is discarded from there on.")
     #f)
    ((1)
     (requirement "RFC9260-3.2-01" "A packet with an unrecognised chunk of type 01 is discarded from there on, and the chunk is reported.")
     (respond tcb source (Error unrecognised-chunk-type))
     #f)
    ((2)
     (requirement "RFC9260-3.2-10" "An unrecognised chunk of type 10 is skipped.")
     #t)
    (else
     (requirement "RFC9260-3.2-11" "An unrecognised chunk of type 11 is skipped and reported.")
     (respond tcb source (Error unrecognised-chunk-type))
     #t)))

; ---- The endpoint (figure 3, and what it leaves to the text) ----

(define-channel chunks)                           ; of the packet that came last, if it belongs to the association

(define (report-state name tcb)
  (write ulp (State name (path-address (association-primary tcb))
                    (length (sender-outstanding (association-sender tcb)))
                    (own-window (association-receiver tcb)))))

(define (stop-timers!)
  (stop t1)
  (stop t2)
  (stop t3)
  (stop t5)
  (stop sack-timer)
  (stop heartbeat-timer)
  (stop cookie-timer))

(define (send-init! tcb preservative)
  (emit-to tcb (path-address (association-primary tcb)) 0
           (Init (association-local-tag tcb) receive-buffer (association-outbound tcb) most-streams
                 (if preservative (list (Parameter 9)) '()))))

; An association is there: the upper layer is told, and what waited is sent.
(define (begin-transfer! tcb)
  (stop t1)
  (write ulp (CommunicationUp (association-outbound tcb) (association-inbound tcb)))
  (transmit! tcb))

; An INIT for the association that there is.
(define (answer-init-here tcb init source local-tag ties known)
  (answer-init init source (association-local-port tcb) (association-peer-port tcb) local-tag ties
               (association-outbound tcb) known))

(define (tie-tags tcb) (cons (association-local-tag tcb) (association-peer-tag tcb)))

; Refuses an INIT ACK, and gives the attempt up.
(define (refuse! tcb source tag abort-chunk)
  (emit-to tcb source tag abort-chunk)
  (lose tcb 'refused)
  'refused)

; An INIT ACK that was waited for: is it accepted, is the attempt at its end, or is it discarded?
(define (judge-init-ack! tcb ack source)
  (let ((found (read-parameters (InitAck-parameters ack) source)))
    (cond
      ((= (InitAck-tag ack) 0)
       (requirement "RFC9260-3.3.3-A" "An INIT ACK whose Initiate Tag is 0 ends the attempt, with an ABORT with the T bit.")
       (refuse! tcb source (association-local-tag tcb) (Abort #t 0)))
      ((< (InitAck-a-rwnd ack) 1500)
       (requirement "RFC9260-3.3.3-B" "An INIT ACK with a window below 1500 is discarded and answered with an ABORT, and changes nothing.")
       (emit-to tcb source (InitAck-tag ack) (Abort #f invalid-mandatory-parameter))
       'discarded)
      ((or (= (InitAck-outbound ack) 0) (= (InitAck-inbound ack) 0))
       (requirement "RFC9260-3.3.3-C" "An INIT ACK with no streams ends the attempt, with an ABORT.")
       (refuse! tcb source (InitAck-tag ack) (Abort #f invalid-mandatory-parameter)))
      ((= (InitAck-cookie ack) 0)
       (requirement "RFC9260-5.1-Missing" "An INIT ACK without State Cookie ends the attempt, with an ABORT with Missing Mandatory Parameter.")
       (refuse! tcb source (InitAck-tag ack) (Abort #f missing-mandatory-parameter)))
      ((not found)
       (refuse! tcb source (InitAck-tag ack) (Abort #f unresolvable-address)))
      (else
       (requirement "RFC9260-5.1-C" "INIT ACK stops T1-init; its cookie is echoed, T1-cookie started, and COOKIE-ECHOED entered.")
       (set-association-peer-tag! tcb (InitAck-tag ack))
       (learn-peer! tcb (InitAck-a-rwnd ack) (min (association-outbound tcb) (InitAck-inbound ack))
                    (min most-streams (InitAck-outbound ack)) (car found))
       (set-association-report! tcb (pair? (caddr found)))
       (emit tcb (association-primary tcb) (CookieEcho (InitAck-cookie ack)))
       (start t1 rto-min)
       'accepted))))

; tcb       the association, #f while there is none
; source    where the last packet came from
; cookie    the State Cookie of the peer, while it is echoed
; tries     retransmissions by T1 or T2
(define-machine (endpoint tcb source cookie tries)

  (state uninitialised
    (on (ulp (Initialize port))
        (initialize! port)
        -> closed)
    (on (ulp Associate)
        (requirement "RFC9260-11.1.2" "ASSOCIATE without an instance is an error.")
        (write ulp (Failed 'no-instance)))
    (on (ulp (Destroy _))
        (write ulp (Failed 'no-instance)))
    (on (network Packet as p)
        (out-of-the-blue p #f)))

  (state initialised
    (initial closed)
    (on (timeout cookie-timer)
        (age-cookie!))

    (state closed
      (on (ulp (Initialize port))
          (initialize! port))
      (on (ulp (Destroy port)) (where (member port ports))
          (destroy! port)
          (when (null? ports) (-> uninitialised)))
      (on (ulp (Destroy _))
          (write ulp (Failed 'no-instance)))
      (on (ulp (Associate port peer))
          (cond
            ((member port ports)
             (requirement "RFC9260-5.1-A" "ASSOCIATE sends an INIT with a tag of our own, starts T1-init and enters COOKIE-WAIT.")
             (let ((new (new-association port peer (fresh initiate-tag) most-streams
                                         (list (make-path 1 #t #t #t 0 rto-min)))))
               (send-init! new #f)
               (start t1 rto-min)
               (-> cookie-wait (with (tcb new) (tries 0)))))
            (else
             (write ulp (Failed 'no-instance)))))
      (on (ulp Status)
          (write ulp (State 'closed 0 0 0)))
      (on (ulp any)
          (write ulp (Failed 'no-association)))
      (on (network Packet as p)
          (where (and (CookieEcho? (Packet-chunk p))
                      (authentic? (CookieEcho-cookie (Packet-chunk p)) (Packet-to p) (Packet-from p))
                      (equal? (Packet-tag p) (cookie-local-tag last-cookie))))
          (cond
            ((cookie-stale last-cookie)
             (requirement "RFC9260-5.1.5-4" "A stale cookie is answered with an ERROR with Stale Cookie.")
             (report-stale-cookie (address-of p)))
            (else
             (requirement "RFC9260-5.1-D" "A valid cookie makes the association: COOKIE ACK is sent, and the state is ESTABLISHED.")
             (let ((new (association-of-cookie)))
               (respond new (address-of p) (CookieAck))
               (begin-transfer! new)
               (if (unconfirmed-path new)
                   (-> verifying (with (tcb new)))
                   (-> quiet (with (tcb new))))))))
      (on (network Packet as p)
          (out-of-the-blue p #t)))

    (state associated
      (initial opening)
      (exit (stop-timers!)
            (set! last-cookie #f)
            (set! tcb #f))
      (on (ulp Initialize)
          (write ulp (Failed 'association-exists)))
      (on (ulp (Destroy _))
          (write ulp (Failed 'association-exists)))
      (on (ulp Associate)
          (write ulp (Failed 'association-exists)))
      (on (ulp Receive)
          (read-message! tcb))
      (on (network Packet as p) (where (not (belongs? tcb p)))
          (out-of-the-blue p #f))
      (on (network Packet as p) (where (not (tag-valid? tcb p)))
          (requirement "RFC9260-8.5" "A packet with a wrong Verification Tag is silently discarded."))
      (on (network Packet as p)
          (set! source (address-of p))
          (send chunks (Packet-chunk p)))
      (on (chunks Abort)
          (requirement "RFC9260-9.1-B" "An ABORT with an acceptable tag ends the association without an answer, and the upper layer is told.")
          (lose tcb 'aborted-by-peer)
          -> closed)
      (ignores chunks)

      ; -- association set-up (5.1, and 5.2 for what crosses it) --
      (state opening
        (initial awaiting-init-ack)
        (exit (set! tries 0))
        (on (ulp (Send stream unordered parts))
            (let ((flaw (enqueue! tcb stream unordered parts)))
              (when flaw (write ulp (Failed flaw)))))
        (on (ulp Close)
            (write ulp (Failed 'not-established)))
        (on (ulp SetPrimary)
            (write ulp (Failed 'not-established)))
        (on (ulp ChangeHeartbeat)
            (write ulp (Failed 'not-established)))
        (on (ulp RequestHeartbeat)
            (write ulp (Failed 'not-established)))
        (on (network Packet as p) (where (and (ShutdownAck? (Packet-chunk p)) (belongs? tcb p)))
            (requirement "RFC9260-8.5.1-E" "A SHUTDOWN ACK during set-up is answered as if out of the blue, and set-up goes on.")
            (out-of-the-blue p #f))
        (on (chunks (CookieEcho id))
            (case (cookie-action tcb id source)
              ((b d)
               (adopt-cookie! tcb)
               (respond tcb source (CookieAck))
               (begin-transfer! tcb)
               (follow-opening tcb))
              (else (checkpoint "a COOKIE ECHO during set-up is discarded"))))

        (state awaiting-init-ack
          (initial cookie-wait)
          (on (ulp AbortAssociation)
              (lose tcb 'aborted)
              -> closed)
          (on (ulp Status)
              (report-state 'cookie-wait tcb))
          (on (timeout t1)
              (requirement "RFC9260-4-2-End" "After Max.Init.Retransmits set-up is given up, and the upper layer is told.")
              (lose tcb 'unreachable)
              -> closed)
          (on (chunks Init as init)
              (requirement "RFC9260-5.2.1-A" "An INIT in COOKIE-WAIT is answered with an INIT ACK with the tag of our own INIT, and T1-init runs on.")
              (answer-init-here tcb init source (association-local-tag tcb) #f #f))

          (state cookie-wait
            (on (timeout t1) (where (< tries max-init-retransmits))
                (requirement "RFC9260-4-2" "When T1-init expires, INIT is sent again, with the timer backed off.")
                (set! tries (+ tries 1))
                (send-init! tcb #f)
                (start t1 (backed-off rto-min tries)))
            (on (chunks InitAck as ack)
                (case (judge-init-ack! tcb ack source)
                  ((accepted) (-> cookie-echoed (with (cookie (InitAck-cookie ack)) (tries 0))))
                  ((refused) (-> closed)))))

          ; After a stale cookie error: the INIT asks for a longer life.
          (state cookie-wait-again
            (on (timeout t1) (where (< tries max-init-retransmits))
                (set! tries (+ tries 1))
                (send-init! tcb #t)
                (start t1 (backed-off rto-min tries)))
            (on (chunks InitAck as ack)
                (case (judge-init-ack! tcb ack source)
                  ((accepted) (-> cookie-echoed-again (with (cookie (InitAck-cookie ack)) (tries 0))))
                  ((refused) (-> closed))))))

        (state echoing
          (initial cookie-echoed)
          (exit (set! cookie 0))
          (on (ulp AbortAssociation)
              (abort tcb user-initiated-abort 'aborted)
              -> closed)
          (on (ulp Status)
              (report-state 'cookie-echoed tcb))
          (on (timeout t1) (where (< tries max-init-retransmits))
              (requirement "RFC9260-5.1.4" "When T1-cookie expires, COOKIE ECHO is sent again, up to Max.Init.Retransmits times.")
              (set! tries (+ tries 1))
              (emit tcb (association-primary tcb) (CookieEcho cookie))
              (start t1 (backed-off rto-min tries)))
          (on (timeout t1)
              (lose tcb 'unreachable)
              -> closed)
          (on (chunks Init as init)
              (requirement "RFC9260-5.2.1-B" "An INIT in COOKIE-ECHOED is answered with an INIT ACK with the tag of our own INIT and tie tags in the cookie, unless it adds addresses.")
              (answer-init-here tcb init source (association-local-tag tcb) (tie-tags tcb)
                                (map path-address (association-paths tcb))))
          (on (chunks Heartbeat as heartbeat)
              (requirement "RFC9260-8.3-Answer" "From COOKIE-ECHOED on, a HEARTBEAT is answered with a HEARTBEAT ACK with the same information.")
              (respond tcb source (HeartbeatAck (Heartbeat-info heartbeat))))
          (on (chunks CookieAck)
              (requirement "RFC9260-5.1-E" "COOKIE ACK stops T1-cookie and leads to ESTABLISHED.")
              (when (association-report tcb)
                (requirement "RFC9260-3.2.2" "Unrecognised parameters of an INIT ACK that ask for it are reported with an ERROR, not before the COOKIE ACK.")
                (emit tcb (association-primary tcb) (Error unrecognised-parameters))
                (set-association-report! tcb #f))
              (begin-transfer! tcb)
              (follow-opening tcb))

          (state cookie-echoed
            (on (chunks (Error 3))
                (requirement "RFC9260-5.2.6" "A stale cookie error in COOKIE-ECHOED leads to a new INIT that asks for a longer life of the cookie.")
                (set-association-peer-tag! tcb #f)
                (send-init! tcb #t)
                (start t1 rto-min)
                -> cookie-wait-again (with (tries 0))))
          (state cookie-echoed-again
            (on (chunks (Error 3))
                (checkpoint "stale again")
                (lose tcb 'stale-cookie)
                -> closed))))

      ; -- an association that both sides have (ESTABLISHED, and the states of its end) --
      (state formed
        (initial up)
        (on (ulp AbortAssociation)
            (requirement "RFC9260-9.1-A" "On request of the upper layer an ABORT with User-Initiated Abort is sent, and the association is gone.")
            (abort tcb user-initiated-abort 'aborted)
            -> closed)
        (on (ulp Send)
            (requirement "RFC9260-9.2-Send" "Once shutdown has begun, new data is rejected.")
            (write ulp (Failed 'shutting-down)))
        (on (ulp Close)
            (requirement "RFC9260-9.2-Ignore" "Once shutdown has begun, a SHUTDOWN request is ignored."))
        (on (ulp (SetPrimary address))
            (let ((path (path-of tcb address)))
              (cond
                (path
                 (requirement "RFC9260-11.1.6" "SETPRIMARY chooses where data goes; an address that is not the peer's is an error.")
                 (set-association-primary! tcb path))
                (else (write ulp (Failed 'unknown-address))))))
        (on (ulp ChangeHeartbeat)
            (write ulp (Failed 'shutting-down)))
        (on (ulp RequestHeartbeat)
            (write ulp (Failed 'shutting-down)))
        (on (chunks Init as init)
            (requirement "RFC9260-5.2.2-B" "An unexpected INIT is answered with an INIT ACK with a new tag, and a cookie with tie tags; the association does not change.")
            (answer-init-here tcb init source #f (tie-tags tcb)
                              (map path-address (association-paths tcb))))
        (on (chunks (CookieEcho id))
            (case (cookie-action tcb id source)
              ((a)
               (requirement "RFC9260-5.2.4-A" "A cookie whose tie tags match is a restart of the peer: the association begins anew, and the upper layer is told.")
               (report-unsent tcb)
               (stop-timers!)
               (let ((new (association-of-cookie)))
                 (write ulp (Restart))
                 (respond new source (CookieAck))
                 (if (unconfirmed-path new)
                     (-> verifying (with (tcb new)))
                     (-> quiet (with (tcb new))))))
              ((b)
               (set-association-peer-tag! tcb (cookie-peer-tag last-cookie))
               (respond tcb source (CookieAck)))
              ((d)
               (respond tcb source (CookieAck)))
              (else (checkpoint "a COOKIE ECHO is discarded"))))
        (on (chunks (Error cause)) (where (not (= cause stale-cookie)))
            (requirement "RFC9260-11.2.6" "An ERROR of the peer is passed to the upper layer.")
            (write ulp (CommunicationError cause)))
        (on (chunks (Unrecognised type info))
            (when (skip-unrecognised! tcb source type)
              (send chunks (Heartbeat info))))

        (state up
          (initial receiving)
          (on (chunks (Heartbeat info))
              (respond tcb source (HeartbeatAck info)))
          (on (chunks (HeartbeatAck info)) (where (answers-probe? tcb info))
              (heartbeat-acked! tcb))
          (on (chunks HeartbeatAck)
              (requirement "RFC9260-5.4-D" "A HEARTBEAT ACK with another nonce than that of the probe is discarded."))
          (on (chunks (Shutdown cumulative))
              (requirement "RFC9260-9.2-E" "A SHUTDOWN, and each further one, leads to SHUTDOWN-RECEIVED, and its cumulative TSN acknowledges data.")
              (if (process-shutdown! tcb cumulative)
                  (follow-received tcb tries)
                  (-> closed)))

          (state receiving
            (initial established)
            (on (chunks Data as data)
                (unless (receive-data! tcb data source) (-> closed)))
            (on (timeout sack-timer)
                (requirement "RFC9260-6.2-Delay" "DATA is acknowledged after SACK.Delay at the latest.")
                (acknowledge! tcb))

            (state established
              (initial idle)
              (on (ulp Status)
                  (report-state 'established tcb))
              (on (chunks Sack as sack)
                  (if (process-sack! tcb sack)
                      (follow tcb (drained (follow-idle tcb))
                              in-flight congestion-limited window-limited retransmitting fast-recovery zero-window probing)
                      (-> closed)))

              ; No data is outstanding: the peer's addresses are verified and monitored.
              (state idle
                (initial quiet)
                (exit (stop heartbeat-timer))
                (on (ulp (Send stream unordered parts))
                    (let ((flaw (enqueue! tcb stream unordered parts)))
                      (cond
                        (flaw (write ulp (Failed flaw)))
                        (else
                         (transmit! tcb)
                         (case (sender-mode tcb)
                           ((in-flight) (-> in-flight))
                           ((congestion-limited) (-> congestion-limited))
                           ((window-limited) (-> window-limited))
                           (else (-> zero-window)))))))
                (on (ulp Close)
                    (begin-shutdown! tcb)
                    (if (gap? tcb)
                        (-> sent-with-gap (with (tries 0)))
                        (-> sent-in-step (with (tries 0)))))
                (on (ulp (RequestHeartbeat address))
                    (let ((path (path-of tcb address)))
                      (cond
                        (path
                         (requirement "RFC9260-8.3-D" "The upper layer may ask for a HEARTBEAT.")
                         (heartbeat! tcb path)
                         (-> awaiting-heartbeat-ack))
                        (else (write ulp (Failed 'unknown-address))))))
                (on (ulp (ChangeHeartbeat address on))
                    (let ((path (path-of tcb address)))
                      (cond
                        (path
                         (requirement "RFC9260-8.3-A" "The upper layer may turn the heartbeat of a path off and on.")
                         (set-path-monitored! path on)
                         (follow-idle tcb))
                        (else (write ulp (Failed 'unknown-address))))))

                (state verifying
                  (entry (heartbeat! tcb (unconfirmed-path tcb)))
                  (on (chunks (HeartbeatAck info)) (where (answers-probe? tcb info))
                      (heartbeat-acked! tcb)
                      (follow-verified tcb))
                  (on (timeout heartbeat-timer)
                      (heartbeat-missed! tcb)
                      (follow-idle tcb)))
                (state quiet
                  (entry (wait-for-heartbeat! tcb))
                  (on (timeout heartbeat-timer)
                      (requirement "RFC9260-8.3-Idle" "An idle path gets a HEARTBEAT once in HB.interval and its RTO.")
                      (heartbeat! tcb (next-to-monitor tcb))
                      -> awaiting-heartbeat-ack))
                (state awaiting-heartbeat-ack
                  (on (chunks (HeartbeatAck info)) (where (answers-probe? tcb info))
                      (heartbeat-acked! tcb)
                      (follow-idle tcb))
                  (on (timeout heartbeat-timer)
                      (if (heartbeat-missed! tcb)
                          (follow-idle tcb)
                          (-> closed))))
                (state unmonitored
                  (on (timeout heartbeat-timer))))

              ; DATA is outstanding, or waits.
              (state sending
                (initial in-flight)
                (on (ulp Close)
                    (requirement "RFC9260-9.2-A" "A SHUTDOWN request leads to SHUTDOWN-PENDING until all data is acknowledged.")
                    (follow-pending tcb))
                (on (ulp RequestHeartbeat)
                    (checkpoint "no heartbeat while data is outstanding"))
                (on (ulp (ChangeHeartbeat address on))
                    (let ((path (path-of tcb address)))
                      (if path
                          (set-path-monitored! path on)
                          (write ulp (Failed 'unknown-address)))))
                (on (timeout t3)
                    (if (data-timed-out! tcb) (-> retransmitting) (-> closed)))

                (state in-flight
                  (on (ulp (Send stream unordered parts))
                      (let ((flaw (enqueue! tcb stream unordered parts)))
                        (cond
                          (flaw (write ulp (Failed flaw)))
                          (else
                           (transmit! tcb)
                           (case (sender-mode tcb)
                             ((in-flight) (-> in-flight))
                             ((congestion-limited) (-> congestion-limited))
                             (else (-> window-limited))))))))
                (state fast-recovery
                  (on (ulp (Send stream unordered parts))
                      (let ((flaw (enqueue! tcb stream unordered parts)))
                        (if flaw
                            (write ulp (Failed flaw))
                            (transmit! tcb)))))
                (state limited
                  (initial congestion-limited)
                  (on (ulp (Send stream unordered parts))
                      (let ((flaw (enqueue! tcb stream unordered parts)))
                        (if flaw
                            (write ulp (Failed flaw))
                            (requirement "RFC9260-6.1-Full" "While a window is full, new data is accepted and waits."))))
                  (state congestion-limited)
                  (state window-limited)
                  (state retransmitting)
                  (state zero-window
                    (entry (start t3 (path-rto (data-path tcb))))
                    (on (timeout t3)
                        (probe! tcb)
                        -> probing))
                  (state probing
                    (on (timeout t3)
                        (unless (probe-again! tcb) (-> closed)))))))

            (state shutdown-pending
              (initial pending-in-flight)
              (on (ulp Status)
                  (report-state 'shutdown-pending tcb))
              (on (timeout t3)
                  (if (data-timed-out! tcb) (-> pending-retransmitting) (-> closed)))
              (on (chunks Sack as sack)
                  (if (process-sack! tcb sack)
                      (follow-pending tcb (drained (begin-shutdown! tcb)
                                                   (if (gap? tcb)
                                                       (-> sent-with-gap (with (tries 0)))
                                                       (-> sent-in-step (with (tries 0))))))
                      (-> closed)))
              (state pending-in-flight)
              (state pending-congestion-limited)
              (state pending-window-limited)
              (state pending-retransmitting)
              (state pending-fast-recovery)
              (state pending-zero-window
                (entry (start t3 (path-rto (data-path tcb))))
                (on (timeout t3)
                    (probe! tcb)
                    -> pending-probing))
              (state pending-probing
                (on (timeout t3)
                    (unless (probe-again! tcb) (-> closed))))))

          (state shutdown-received
            (initial received-in-flight)
            (on (ulp Status)
                (report-state 'shutdown-received tcb))
            (on (timeout t3)
                (if (data-timed-out! tcb) (-> received-retransmitting) (-> closed)))
            (on (chunks Sack as sack)
                (if (process-sack! tcb sack)
                    (follow-received tcb tries)
                    (-> closed)))
            (on (chunks Data)
                (requirement "RFC9260-6-Received" "DATA in SHUTDOWN-RECEIVED is discarded."))
            (state received-in-flight)
            (state received-congestion-limited)
            (state received-window-limited)
            (state received-retransmitting)
            (state received-fast-recovery)
            (state received-zero-window
              (entry (start t3 (path-rto (data-path tcb))))
              (on (timeout t3)
                  (probe! tcb)
                  -> received-probing))
            (state received-probing
              (on (timeout t3)
                  (unless (probe-again! tcb) (-> closed))))))

        ; -- SHUTDOWN or SHUTDOWN ACK was sent --
        (state closing
          (initial shutdown-sent)
          (on (timeout t5)
              (requirement "RFC9260-9.2-T5" "When T5-shutdown-guard expires, the association is aborted.")
              (abort tcb 0 'guard)
              -> closed)

          (state shutdown-sent
            (initial sent-in-step)
            (on (ulp Status)
                (report-state 'shutdown-sent tcb))
            (on (network Packet as p) (where (and (belongs? tcb p) (tag-valid? tcb p)))
                (requirement "RFC9260-9.2-C" "In SHUTDOWN-SENT any packet of the peer clears the count of retransmissions and restarts T2-shutdown.")
                (set! source (address-of p))
                (set! tries 0)
                (start t2 rto-min)
                (send chunks (Packet-chunk p)))
            (on (timeout t2) (where (< tries association-max-retrans))
                (requirement "RFC9260-9.2-T2" "When T2-shutdown expires, SHUTDOWN is sent again with the last sequential TSN.")
                (set! tries (+ tries 1))
                (send-shutdown! tcb)
                (start t2 (backed-off rto-min tries)))
            (on (timeout t2)
                (unreachable tcb)
                -> closed)
            (on (chunks Data as data)
                (cond
                  ((not (receive-last-data! tcb data source)) (-> closed))
                  ((gap? tcb) (-> sent-with-gap))
                  (else (-> sent-in-step))))
            (on (chunks Shutdown)
                (requirement "RFC9260-9.2-Cross" "A SHUTDOWN in SHUTDOWN-SENT is answered with SHUTDOWN ACK at once.")
                (stop t5)
                (acknowledge-shutdown! tcb)
                -> shutdown-ack-sent (with (tries 0)))
            (on (chunks ShutdownAck)
                (requirement "RFC9260-9.2-H" "SHUTDOWN ACK is answered with SHUTDOWN COMPLETE, and the association is gone.")
                (complete-shutdown! tcb)
                -> closed)
            (state sent-in-step)
            (state sent-with-gap))

          (state shutdown-ack-sent
            (on (ulp Status)
                (report-state 'shutdown-ack-sent tcb))
            (on (timeout t2) (where (< tries association-max-retrans))
                (requirement "RFC9260-9.2-T2A" "When T2-shutdown expires, SHUTDOWN ACK is sent again.")
                (set! tries (+ tries 1))
                (emit tcb (data-path tcb) (ShutdownAck))
                (start t2 (backed-off rto-min tries)))
            (on (timeout t2)
                (unreachable tcb)
                -> closed)
            (on (chunks ShutdownComplete)
                (requirement "RFC9260-9.2-I" "SHUTDOWN COMPLETE ends the association in SHUTDOWN-ACK-SENT only.")
                (write ulp (ShutdownDone))
                -> closed)
            (on (chunks ShutdownAck)
                (requirement "RFC9260-9.2-J" "SHUTDOWN ACK in SHUTDOWN-ACK-SENT is answered with SHUTDOWN COMPLETE, too.")
                (complete-shutdown! tcb)
                -> closed)
            (on (chunks Init)
                (requirement "RFC9260-9.2-K" "An INIT in SHUTDOWN-ACK-SENT is discarded, and SHUTDOWN ACK sent again.")
                (emit tcb (data-path tcb) (ShutdownAck)))
            (on (chunks (CookieEcho id))
                (case (cookie-action tcb id source)
                  ((a)
                   (requirement "RFC9260-5.2.4-Shut" "A restart of the peer in SHUTDOWN-ACK-SENT makes no association: SHUTDOWN ACK is sent again, with an ERROR.")
                   (emit tcb (data-path tcb) (ShutdownAck))
                   (emit tcb (data-path tcb) (Error cookie-while-shutting-down)))
                  ((b)
                   (set-association-peer-tag! tcb (cookie-peer-tag last-cookie))
                   (emit tcb (data-path tcb) (CookieAck)))
                  ((d)
                   (emit tcb (data-path tcb) (CookieAck)))
                  (else (checkpoint "a COOKIE ECHO is discarded while shutting down"))))))))))

; Arrows that several states share: where the association goes when it is established, when nothing is outstanding, and with
; what it still has to send when it is shut down from this side, or from the other.
(define-syntax follow-opening
  (syntax-rules ()
    ((_ tcb)
     (case (sender-mode tcb)
       ((drained) (if (unconfirmed-path tcb) (-> verifying) (-> quiet)))
       ((in-flight) (-> in-flight))
       ((congestion-limited) (-> congestion-limited))
       (else (-> window-limited))))))

(define-syntax follow-idle
  (syntax-rules ()
    ((_ tcb)
     (cond
       ((unconfirmed-path tcb) (-> verifying))
       (else (follow-verified tcb))))))

(define-syntax follow-verified
  (syntax-rules ()
    ((_ tcb)
     (if (pair? (monitored-paths tcb)) (-> quiet) (-> unmonitored)))))

(define-syntax follow-pending
  (syntax-rules ()
    ((_ tcb drained ...)
     (follow tcb drained ... pending-in-flight pending-congestion-limited pending-window-limited pending-retransmitting
             pending-fast-recovery pending-zero-window pending-probing))))

(define-syntax follow-received
  (syntax-rules ()
    ((_ tcb tries)
     (follow tcb (drained (acknowledge-shutdown! tcb) (-> shutdown-ack-sent (with (tries 0))))
             received-in-flight received-congestion-limited received-window-limited received-retransmitting
             received-fast-recovery received-zero-window received-probing))))

(endpoint #f 1 0 0)
