; A BGP-4 router (RFC 4271) between two neighbours: the session of each, and the routing table that they share.
;
; The tester plays the neighbours, their TCP connections and the operator. Each session is a thread that runs the finite
; state machine of section 8 with its ConnectRetry, Hold and Keepalive timers and answers errors with the NOTIFICATION of
; section 6. A third thread is the routing table of section 9: it keeps what each neighbour announced (Adj-RIB-In), selects
; the best route to each prefix (Loc-RIB), and tells each neighbour what changed for it (Adj-RIB-Out). Both neighbours are
; external peers; how much their routes are preferred comes from configuration.
;
; Requirements are named after sections; behind the name of a state stands the number of the event (8.1), and behind other
; sections the subcode, or the letter of the rule. An error in a header is answered as 6.1 demands in every state, though the text
; on Established counts it among the events that are errors of the state machine.
;
; Left out: the optional session attributes (DelayOpen, DampPeerOscillations, automatic start and its IdleHoldTimer), connection
; collision (6.8: there is one connection for each neighbour, and one OPEN on it), internal peers and route reflection,
; MULTI_EXIT_DISC, ATOMIC_AGGREGATE and AGGREGATOR, overlapping prefixes and aggregation, the MinRouteAdvertisementInterval,
; jitter, and the encoding of messages: what a parser would find wrong with one is given as an error subcode in a field.
; Time is in seconds.
;
; Routes are compared when both sessions are established and have announced something: the second session takes five steps that
; the first has shown already. So tests need a depth of 6: espalier generate bgp.scm --depth 6 --search distance

; ---- Messages (section 4) ----

(define-type as-number (int 1 65535))
(define-type address (int 0 4294967295))
(define-type prefix (enum "10.0.0.0/8" "172.16.0.0/12" "192.168.0.0/16"))
(define-type neighbour (int 1 2))

(define-message Open
  (version (int 0 255)) (as as-number) (hold-time (int 0 65535)) (id address)
  (unknown-option bool))                          ; an optional parameter that no speaker knows

(define-message Keepalive)

; Routes that are no longer there, and prefixes that the path attributes describe. Paths grow by one on their way through
; this router, so a neighbour's may not be of the greatest length.
(define-message Update
  (withdrawn (list-of prefix 2))
  (origin (int 0 255)) (path (list-of as-number 4)) (next-hop address)
  (reachable (list-of prefix 2))
  (flaw (enum 0 1 2 3 4 5 9 10))                  ; 0, or the subcode of the first flaw in the attributes' encoding (6.3)
  (where (< (length path) 4)))

(define-message Notification (code (int 0 255)) (subcode (int 0 255)))

; A message whose header is wrong (6.1): not synchronised, bad length, bad type.
(define-message BadHeader (subcode (enum 1 2 3)))

; ---- The transport below, and the operator above ----

(define-message Connect)                          ; open a TCP connection
(define-message Disconnect)                       ; close it, or give up opening it
(define-message Connected)                        ; events 16 and 17
(define-message ConnectionFailed)                 ; event 18

(define-message Start (who neighbour) (passive bool))   ; events 1 and 4
(define-message Stop (who neighbour))                   ; event 2
(define-message Up (who neighbour))
(define-message Down (who neighbour))
(define-message Show (who neighbour))
(define-message Status (who neighbour) (retries int))   ; the ConnectRetryCounter

(define-port neighbour-1
  (in Connected ConnectionFailed Open Keepalive Update Notification BadHeader)
  (out Connect Disconnect Open Keepalive Update Notification))
(define-port neighbour-2
  (in Connected ConnectionFailed Open Keepalive Update Notification BadHeader)
  (out Connect Disconnect Open Keepalive Update Notification))
(define-port operator (in Start Stop Show) (out Up Down Status))

; ---- Configuration ----

(define local-as 65000)
(define local-id 167772161)                       ; 10.0.0.1
(define local-address 167772161)
(define configured-hold-time 90)
(define connect-retry-time 120)
(define large-hold-time 240)                      ; 8.2.2: 4 minutes, until the OPEN has told

(define-record-type peer
  (make-peer who as preferred id outbox)
  peer?
  (who peer-who)
  (as peer-as)
  (preferred peer-preferred)                      ; prefixes to which its routes are preferred
  (id peer-id set-peer-id!)                       ; its BGP Identifier, once its OPEN has come
  (outbox peer-outbox set-peer-outbox!))          ; a channel, while the session is established

(define peer-1 (make-peer 1 65001 '() 0 #f))
(define peer-2 (make-peer 2 65002 '("192.168.0.0/16") 0 #f))
(define peers (list peer-1 peer-2))

; Can it be the address of a host? From 224.0.0.0 on there are no unicast addresses.
(define (unicast? address) (< 0 address 3758096384))

; ---- Errors (sections 4.5 and 6) ----

(define message-header-error 1)
(define open-message-error 2)
(define update-message-error 3)
(define hold-timer-expired 4)
(define fsm-error 5)
(define cease 6)

(define unsupported-version-number 1)

; What is wrong with an OPEN: a subcode of the OPEN Message Error, or #f (6.2).
(define (open-flaw message peer)
  (cond
    ((not (= (Open-version message) 4))
     (requirement "RFC4271-6.2-1" "An OPEN with another version is answered with Unsupported Version Number.")
     unsupported-version-number)
    ((not (= (Open-as message) (peer-as peer)))
     (requirement "RFC4271-6.2-2" "An OPEN with an unacceptable autonomous system is answered with Bad Peer AS.")
     2)
    ((not (unicast? (Open-id message)))
     (requirement "RFC4271-6.2-3" "An OPEN whose BGP Identifier is no valid unicast host address is answered with Bad BGP Identifier.")
     3)
    ((Open-unknown-option message)
     (requirement "RFC4271-6.2-4" "An optional parameter that is not recognised is answered with Unsupported Optional Parameter.")
     4)
    ((memv (Open-hold-time message) '(1 2))
     (requirement "RFC4271-6.2-6" "A Hold Time of one or two seconds MUST be rejected with Unacceptable Hold Time.")
     6)
    (else #f)))

; What is wrong with an UPDATE: a subcode of the UPDATE Message Error, or #f (6.3). One that only withdraws has no attributes
; to check.
(define (update-flaw message peer)
  (cond
    ((> (Update-flaw message) 0) (Update-flaw message))
    ((null? (Update-reachable message)) #f)
    ((> (Update-origin message) 2)
     (requirement "RFC4271-6.3-6" "An undefined ORIGIN is answered with Invalid ORIGIN Attribute.")
     6)
    ((not (unicast? (Update-next-hop message)))
     (requirement "RFC4271-6.3-8" "A NEXT_HOP that is no valid host address is answered with Invalid NEXT_HOP Attribute.")
     8)
    ((or (null? (Update-path message))
         (not (= (car (Update-path message)) (peer-as peer))))
     (requirement "RFC4271-6.3-11" "An AS_PATH that does not begin with the peer's own AS may be answered with Malformed AS_PATH.")
     11)
    (else #f)))

; ---- The session of a neighbour (section 8.2.2) ----

; What the sessions tell the routing table.
(define-message PeerUp (who neighbour))
(define-message PeerDown (who neighbour))
(define-message Received (who neighbour) (update Update))

(define-channel table)

; retries   the ConnectRetryCounter
; hold      the negotiated Hold Time; zero: no Hold and no Keepalive timer (4.2)
; retry, hold-timer, keepalive-timer: the session's three mandatory timers (8)
(define-machine (session peer who port retry hold-timer keepalive-timer retries hold)

  (state idle
    (on (operator (Start n passive)) (where (= n who))
        (start retry connect-retry-time)
        (cond
          (passive
           (requirement "RFC4271-8.2.2-Idle-4" "A passive start listens for the neighbour's connection, in Active.")
           (-> active (with (retries 0))))
          (else
           (requirement "RFC4271-8.2.2-Idle-1" "A manual start initiates a TCP connection and changes to Connect.")
           (write port (Connect))
           (-> connect (with (retries 0))))))
    (on (operator (Stop n)) (where (= n who))
        (requirement "RFC4271-8.2.2-Idle-2" "A manual stop is ignored in Idle."))
    (on (operator (Show n)) (where (= n who))
        (write operator (Status who retries)))
    (on (timeout retry)
        (requirement "RFC4271-8.2.2-Idle-9" "Timer events are ignored in Idle.")))

  ; No connection yet.
  (state connecting
    (initial connect)
    (on (operator (Stop n)) (where (= n who))
        (requirement "RFC4271-8.2.2-Connect-2" "A manual stop drops the connection, clears the ConnectRetryCounter and returns to Idle.")
        (stop retry)
        (write port (Disconnect))
        -> idle (with (retries 0)))
    (on (port Connected)
        (requirement "RFC4271-8.2.2-Connect-16" "A connection that succeeds gets an OPEN; the Hold Timer has a large value until the neighbour's OPEN.")
        (stop retry)
        (write port (Open 4 local-as configured-hold-time local-id #f))
        (start hold-timer large-hold-time)
        -> open-sent)

    (state connect
      (on (timeout retry)
          (requirement "RFC4271-8.2.2-Connect-9" "When the ConnectRetryTimer expires, the connection is dropped and tried again.")
          (write port (Disconnect))
          (start retry connect-retry-time)
          (write port (Connect)))
      (on (port ConnectionFailed)
          (requirement "RFC4271-8.2.2-Connect-18" "A connection that fails in Connect, with no DelayOpenTimer, returns to Idle.")
          (stop retry)
          (write port (Disconnect))
          -> idle))

    (state active
      (on (timeout retry)
          (requirement "RFC4271-8.2.2-Active-9" "When the ConnectRetryTimer expires in Active, a connection is initiated.")
          (start retry connect-retry-time)
          (write port (Connect))
          -> connect)
      (on (port ConnectionFailed)
          (requirement "RFC4271-8.2.2-Active-18" "A connection that fails in Active returns to Idle and is counted.")
          (start retry connect-retry-time)
          -> idle (with (retries (+ retries 1))))))

  ; A connection is there. Whatever ends it says so to the neighbour, unless the neighbour ended it; then it is closed.
  (state connected
    (initial open-sent)
    (exit (stop hold-timer)
          (stop keepalive-timer)
          (write port (Disconnect)))
    (on (operator (Stop n)) (where (= n who))
        (requirement "RFC4271-8.2.2-Stop" "A manual stop sends a NOTIFICATION with Cease and clears the ConnectRetryCounter.")
        (write port (Notification cease 0))
        -> idle (with (retries 0)))
    (on (timeout hold-timer)
        (requirement "RFC4271-6.5" "When the Hold Timer expires, a NOTIFICATION with Hold Timer Expired is sent and the connection closed.")
        (write port (Notification hold-timer-expired 0))
        -> idle (with (retries (+ retries 1))))
    (on (port (BadHeader subcode))
        (requirement "RFC4271-6.1" "An error in a message header is answered with a NOTIFICATION with Message Header Error.")
        (write port (Notification message-header-error subcode))
        -> idle (with (retries (+ retries 1))))
    ; Messages that the state inside does not expect (6.6).
    (on (port Keepalive)
        (unexpected port) -> idle (with (retries (+ retries 1))))
    (on (port Update)
        (unexpected port) -> idle (with (retries (+ retries 1))))
    (on (port Notification)
        (unexpected port) -> idle (with (retries (+ retries 1))))

    (state open-sent
      (on (port ConnectionFailed)
          (requirement "RFC4271-8.2.2-OpenSent-18" "A connection that fails in OpenSent restarts the ConnectRetryTimer and changes to Active.")
          (start retry connect-retry-time)
          -> active)
      (on (port Open as message)
          (let ((subcode (open-flaw message peer)))
            (cond
              (subcode
               (write port (Notification open-message-error subcode))
               (-> idle (with (retries (+ retries 1)))))
              (else
               (requirement "RFC4271-4.2-Hold" "The Hold Time is the smaller of the configured one and that in the OPEN.")
               (set-peer-id! peer (Open-id message))
               (write port (Keepalive))
               (-> open-confirm (with (hold (min configured-hold-time (Open-hold-time message)))))))))
      (on (port (Notification 2 1))
          (requirement "RFC4271-8.2.2-24" "A NOTIFICATION with a version error closes the connection and is not counted.")
          -> idle))

    (state open-confirm
      (entry (restart-hold-timer hold-timer hold)
             (restart-keepalive-timer keepalive-timer hold))
      (on (port Keepalive)
          (requirement "RFC4271-8.2.2-OpenConfirm-26" "The neighbour's KEEPALIVE restarts the Hold Timer and changes to Established.")
          (restart-hold-timer hold-timer hold)
          -> established)
      (on (timeout keepalive-timer)
          (write port (Keepalive))
          (restart-keepalive-timer keepalive-timer hold))
      (on (port (Notification 2 1))
          -> idle)
      (on (port Notification)
          (requirement "RFC4271-8.2.2-OpenConfirm-25" "A NOTIFICATION closes the connection and is counted.")
          -> idle (with (retries (+ retries 1))))
      (on (port ConnectionFailed)
          -> idle (with (retries (+ retries 1)))))

    (state established
      (locals (outbox (make-channel)))
      (entry (write operator (Up who))
             (set-peer-outbox! peer outbox)
             (send table (PeerUp who)))
      (exit (requirement "RFC4271-8.2.2-Established-Routes" "Leaving Established deletes all routes of the connection.")
            (set-peer-outbox! peer #f)
            (send table (PeerDown who))
            (write operator (Down who)))
      (on (outbox Update as message)
          (requirement "RFC4271-8.2.2-Established-Send" "Each UPDATE that is sent restarts the KeepaliveTimer.")
          (write port message)
          (restart-keepalive-timer keepalive-timer hold))
      (on (timeout keepalive-timer)
          (requirement "RFC4271-8.2.2-Established-11" "When the KeepaliveTimer expires, a KEEPALIVE is sent and the timer restarted.")
          (write port (Keepalive))
          (restart-keepalive-timer keepalive-timer hold))
      (on (port Keepalive)
          (requirement "RFC4271-8.2.2-Established-26" "A KEEPALIVE restarts the Hold Timer, if the Hold Time is not zero.")
          (restart-hold-timer hold-timer hold))
      (on (port Update as message)
          (let ((subcode (update-flaw message peer)))
            (cond
              (subcode
               (requirement "RFC4271-8.2.2-Established-28" "An UPDATE with an error is answered with a NOTIFICATION with UPDATE Message Error.")
               (write port (Notification update-message-error subcode))
               (-> idle (with (retries (+ retries 1)))))
              (else
               (requirement "RFC4271-8.2.2-Established-27" "An UPDATE restarts the Hold Timer and is processed.")
               (restart-hold-timer hold-timer hold)
               (send table (Received who message))))))
      (on (port Notification)
          (requirement "RFC4271-8.2.2-Established-25" "A NOTIFICATION, or the loss of the connection, ends the session; it is not answered.")
          -> idle (with (retries (+ retries 1))))
      (on (port ConnectionFailed)
          -> idle (with (retries (+ retries 1)))))))

(define (unexpected port)
  (requirement "RFC4271-6.6" "An unexpected event is answered with a NOTIFICATION with Finite State Machine Error.")
  (write port (Notification fsm-error 0)))

(define (restart-hold-timer timer hold)
  (if (= hold 0)
      (begin
        (requirement "RFC4271-8.2.2-OpenSent-Zero" "With a negotiated Hold Time of zero the Hold and Keepalive timers are not started.")
        (stop timer))
      (start timer hold)))

(define (restart-keepalive-timer timer hold)
  (if (= hold 0)
      (stop timer)
      (start timer (quotient hold 3))))   ; 10: a third of the Hold Time

; ---- The routing table (section 9) ----

(define-record-type route
  (make-route peer preference origin path next-hop)
  route?
  (peer route-peer)
  (preference route-preference)                   ; the degree of preference
  (origin route-origin)
  (path route-path)
  (next-hop route-next-hop))

(define prefixes '("10.0.0.0/8" "172.16.0.0/12" "192.168.0.0/16"))

; (who . prefix) -> route: what the neighbour announced, and the route that it was last told.
(define adj-rib-in (make-hash-table))
(define adj-rib-out (make-hash-table))
(define loc-rib (make-hash-table))                ; prefix -> route

(define (key peer prefix) (cons (peer-who peer) prefix))

(define (peer-of who) (if (= who 1) peer-1 peer-2))

; Phase 1 (9.1.1): the degree of preference of a route, by configuration alone.
(define (degree-of-preference peer prefix)
  (if (member prefix (peer-preferred peer)) 200 100))

; Phase 2 leaves out routes that lead through this AS (9.1.2) or whose next hop is this router itself (5.1.3, 6.3).
(define (usable? route)
  (cond
    ((memv local-as (route-path route))
     (requirement "RFC4271-9.1.2-Loop" "A route whose AS_PATH contains the local AS is not considered.")
     #f)
    ((= (route-next-hop route) local-address)
     (requirement "RFC4271-6.3-NextHop" "A route whose NEXT_HOP is the receiver's own address is ignored; the session goes on.")
     #f)
    (else #t)))

; Is route a to be preferred to route b? Degree of preference (9.1.2), then the tie breakers of 9.1.2.2 in their order.
(define (better? a b)
  (let ((length-a (length (route-path a)))
        (length-b (length (route-path b))))
    (cond
      ((not (= (route-preference a) (route-preference b)))
       (requirement "RFC4271-9.1.2-a" "The route with the highest degree of preference is selected.")
       (> (route-preference a) (route-preference b)))
      ((not (= length-a length-b))
       (requirement "RFC4271-9.1.2.2-a" "The route with the shortest AS_PATH is preferred.")
       (< length-a length-b))
      ((not (= (route-origin a) (route-origin b)))
       (requirement "RFC4271-9.1.2.2-b" "The route with the lowest ORIGIN is preferred.")
       (< (route-origin a) (route-origin b)))
      ((not (= (peer-id (route-peer a)) (peer-id (route-peer b))))
       (requirement "RFC4271-9.1.2.2-f" "The route from the speaker with the lowest BGP Identifier is preferred.")
       (< (peer-id (route-peer a)) (peer-id (route-peer b))))
      (else
       (requirement "RFC4271-9.1.2.2-g" "The route from the lowest peer address is preferred.")
       (< (peer-who (route-peer a)) (peer-who (route-peer b)))))))

(define (best-route prefix)
  (fold-left (lambda (best peer)
               (let ((route (hash-table-ref/default adj-rib-in (key peer prefix) #f)))
                 (cond
                   ((not route) best)
                   ((not (usable? route)) best)
                   ((not best) route)
                   ((better? route best) route)
                   (else best))))
             #f
             peers))

; Phase 3 (9.1.3): tells a neighbour what its Adj-RIB-Out lacks. A route is not told to the neighbour it came from.
(define (advertise! peer prefix)
  (let* ((best (hash-table-ref/default loc-rib prefix #f))
         (route (and best (not (eq? (route-peer best) peer)) best))
         (told (hash-table-ref/default adj-rib-out (key peer prefix) #f)))
    (cond
      ((eq? route told) #f)
      (route
       (requirement "RFC4271-5.1.2" "A route told to an external peer has the local AS first in its AS_PATH, and this router as its NEXT_HOP.")
       (hash-table-set! adj-rib-out (key peer prefix) route)
       (send (peer-outbox peer)
             (Update '() (route-origin route) (cons local-as (route-path route)) local-address (list prefix) 0)))
      (else
       (requirement "RFC4271-9.1.3" "A route that was told and is no longer there is withdrawn.")
       (hash-table-delete! adj-rib-out (key peer prefix))
       (send (peer-outbox peer)
             (Update (list prefix) 0 '() 0 '() 0))))))

(define (established-peers) (filter peer-outbox peers))

; Phases 2 and 3 for one prefix.
(define (decide! prefix)
  (let ((best (best-route prefix)))
    (cond
      (best (hash-table-set! loc-rib prefix best))
      (else (hash-table-delete! loc-rib prefix)))
    (for-each (lambda (peer) (advertise! peer prefix)) (established-peers))))

; What an UPDATE withdraws. A prefix that is both withdrawn and announced counts as announced (4.3).
(define (withdrawn-by update)
  (filter (lambda (prefix) (not (member prefix (Update-reachable update))))
          (Update-withdrawn update)))

; The Adj-RIB-In after an UPDATE (9).
(define (learn! peer update)
  (for-each (lambda (prefix)
              (requirement "RFC4271-9-Withdraw" "A withdrawn route leaves the Adj-RIB-In, and the decision is taken again.")
              (hash-table-delete! adj-rib-in (key peer prefix))
              (decide! prefix))
            (withdrawn-by update))
  (for-each (lambda (prefix)
              (when (hash-table-contains? adj-rib-in (key peer prefix))
                (requirement "RFC4271-9-Replace" "A new route to a known prefix implicitly replaces the one before."))
              (hash-table-set! adj-rib-in (key peer prefix)
                               (make-route peer (degree-of-preference peer prefix)
                                           (Update-origin update) (Update-path update) (Update-next-hop update)))
              (decide! prefix))
            (Update-reachable update)))

(define (forget! peer)
  (for-each (lambda (prefix)
              (hash-table-delete! adj-rib-out (key peer prefix))
              (when (hash-table-contains? adj-rib-in (key peer prefix))
                (hash-table-delete! adj-rib-in (key peer prefix))
                (decide! prefix)))
            prefixes))

(define-machine (routing-table)
  (state deciding
    (on (table (Received who update))
        (learn! (peer-of who) update))
    (on (table (PeerUp who))
        (requirement "RFC4271-9.1.3-c" "A new session is told the whole table.")
        (for-each (lambda (prefix) (advertise! (peer-of who) prefix)) prefixes))
    (on (table (PeerDown who))
        (forget! (peer-of who)))))

(spawn-service (routing-table))
(spawn (session peer-1 1 neighbour-1 (make-timer) (make-timer) (make-timer) 0 0))
(spawn (session peer-2 2 neighbour-2 (make-timer) (make-timer) (make-timer) 0 0))
