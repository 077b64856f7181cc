; An MQTT 3.1.1 broker (OASIS Standard, 29 October 2014).
;
; The tester plays the clients, on two network connections that can be opened again and again; the model is the Server of the
; standard. Each connection is a thread; sessions, subscriptions and retained messages are shared. Requirements carry the
; numbers of the standard's conformance statements, in our words. Topics are few, and chosen so that every rule of section 4.7
; has a filter that keeps and one that breaks it. The first packet that the tester sends on a closed connection opens it.
; Packets are given by their fields; what only an encoder can get wrong is named in Malformed and BadConnect.
;
; Where the standard leaves the choice to the Server, this one
; - accepts an empty client identifier (3.1.3.1), and grants every subscription as asked for (3.8.4);
; - closes the connection when the protocol name is wrong (3.1.2.1), and on any packet that it cannot accept (4.8);
; - stores a QoS 2 message and forwards it on PUBREL (figure 4.3, method A), and forwards before it acknowledges;
; - sends one copy where subscriptions overlap (3.3.5), and retained messages after the SUBACK (3.8.4);
; - keeps no QoS 0 messages for a client that is away (3.1.2.4), and retains those with QoS 0 (3.3.1.3).
;
; Left out: user names, passwords and authorisation (return codes 4 and 5, SUBACK code 128), unavailability (code 3), limits
; on packets in flight and on sizes, identifiers that a Server may reject, TLS and WebSocket, restarts of the Server, and
; what the standard leaves undefined (an acknowledgement of a packet that was not sent). Time is in seconds.

; ---- Control packets (section 3) ----

(define-type client-id (enum "" "anna" "bert"))
(define-type topic-name (enum "news" "news/uk" "$news" "news/+" ""))
(define-type topic-filter (enum "news" "news/uk" "news/+" "news/#" "+" "#" "$news" "news#" "#/uk" "news+" ""))
(define-type packet-id (int 1 65535))
(define-type id-or-0 (int 0 65535))               ; 0 is not valid, except in a PUBLISH with QoS 0: it has none
(define-type qos (int 0 2))

(define-message Application (topic topic-name) (payload string) (qos qos) (retain bool))
(define-message NoWill)

(define-message Connect
  (protocol (enum "MQTT" "MQTTX")) (level (enum 3 4 6))
  (client client-id) (clean bool) (keep-alive (enum 0 10)) (will (one-of NoWill Application)))
(define-message Connack (session-present bool) (code (enum 0 1 2)))

(define-message Publish
  (dup bool) (qos qos) (retain bool) (topic topic-name) (id id-or-0) (payload string)
  (where (or (> qos 0) (and (not dup) (= id 0)))))
(define-message Puback (id packet-id))
(define-message Pubrec (id packet-id))
(define-message Pubrel (id packet-id))
(define-message Pubcomp (id packet-id))

(define-message Request (filter topic-filter) (qos (int 0 3)))
(define-message Subscribe (id id-or-0) (requests (list-of Request 2)))
(define-message Suback (id packet-id) (codes (list-of (int 0 2) 2)))
(define-message Unsubscribe (id id-or-0) (filters (list-of topic-filter 2)))
(define-message Unsuback (id packet-id))

(define-message Pingreq)
(define-message Pingresp)
(define-message Disconnect)

; Packets that cannot be decoded, or whose fixed bits are wrong.
(define-message BadConnect
  (flaw (enum reserved-flag will-qos-3 will-qos-without-will will-retain-without-will will-without-topic
              password-without-user-name no-client-id client-id-not-utf-8)))
(define-message Malformed
  (flaw (enum publish-qos-3 publish-dup-qos-0 pubrel-flags subscribe-flags subscribe-reserved-bits unsubscribe-flags
              pingreq-flags disconnect-flags not-utf-8 nul-character reserved-type remaining-length)))

(define-message Drop)                             ; the client closes the network connection
(define-message Closed)                           ; the Server does

(define-port link-1
  (in Connect BadConnect Publish Puback Pubrec Pubrel Pubcomp Subscribe Unsubscribe Pingreq Disconnect Malformed Drop)
  (out Connack Publish Puback Pubrec Pubrel Pubcomp Suback Unsuback Pingresp Closed))
(define-port link-2
  (in Connect BadConnect Publish Puback Pubrec Pubrel Pubcomp Subscribe Unsubscribe Pingreq Disconnect Malformed Drop)
  (out Connack Publish Puback Pubrec Pubrel Pubcomp Suback Unsuback Pingresp Closed))

; ---- Topic names and topic filters (section 4.7) ----

(define (split name)
  (let loop ((rest (string->list name)) (level '()) (levels '()))
    (cond
      ((null? rest) (reverse (cons (list->string (reverse level)) levels)))
      ((char=? (car rest) #\/) (loop (cdr rest) '() (cons (list->string (reverse level)) levels)))
      (else (loop (cdr rest) (cons (car rest) level) levels)))))

; Every name and filter, taken apart once.
(define levels (make-hash-table))
(for-each (lambda (name) (hash-table-set! levels name (split name)))
          '("news" "news/uk" "news/+" "news/#" "+" "#" "$news" "news#" "#/uk" "news+" ""))

(define (levels-of name) (hash-table-ref/default levels name #f))

(define (contains? level char) (memv char (string->list level)))
(define (wildcard? level) (or (contains? level #\#) (contains? level #\+)))

(define (empty-name? name)
  (cond
    ((string=? name "")
     (requirement "MQTT-4.7.3-1" "Topic names and topic filters have at least one character.")
     #t)
    (else #f)))

(define (begins-with-dollar? level) (and (> (string-length level) 0) (char=? (string-ref level 0) #\$)))

(define (wildcards? name) (pair? (filter wildcard? (levels-of name))))

(define (bad-filter? name)
  (or (empty-name? name)
      (let loop ((rest (levels-of name)))
        (cond
          ((null? rest) #f)
          ((and (contains? (car rest) #\#)
                (not (and (string=? (car rest) "#") (null? (cdr rest)))))
           (requirement "MQTT-4.7.1-2" "The multi-level wildcard fills the last level of a filter.")
           #t)
          ((and (contains? (car rest) #\+) (not (string=? (car rest) "+")))
           (requirement "MQTT-4.7.1-3" "The single-level wildcard fills a whole level of a filter.")
           #t)
          (else (loop (cdr rest)))))))

(define (matches? filter topic)
  (let ((filter-levels (levels-of filter)) (topic-levels (levels-of topic)))
    (cond
      ((and (wildcard? (car filter-levels)) (begins-with-dollar? (car topic-levels)))
       (requirement "MQTT-4.7.2-1" "A filter that begins with a wildcard matches no topic that begins with $.")
       #f)
      (else
       (let loop ((f filter-levels) (t topic-levels))
         (cond
           ((null? f) (null? t))
           ((string=? (car f) "#") #t)            ; the level above included (4.7.1.2)
           ((null? t) #f)
           ((or (string=? (car f) "+") (string=? (car f) (car t))) (loop (cdr f) (cdr t)))
           (else #f)))))))

; ---- Sessions (section 4.1) ----

; A message on its way to a client. Stages: queued, published (unacknowledged), released (PUBREL sent).
(define-record-type delivery
  (make-delivery message id stage)
  delivery?
  (message delivery-message)
  (id delivery-id set-delivery-id!)               ; #f while queued
  (stage delivery-stage set-delivery-stage!))

(define-record-type session
  (make-session client clean link orders subscriptions incoming outgoing)
  session?
  (client session-client)
  (clean session-clean)
  (link session-link set-session-link!)           ; #f: the client is away
  (orders session-orders set-session-orders!)     ; to the thread of the connection
  (subscriptions session-subscriptions)           ; filter -> QoS
  (incoming session-incoming set-session-incoming!)   ; ((id . message) ...): QoS 2, not yet released
  (outgoing session-outgoing set-session-outgoing!))  ; deliveries with QoS 1 and 2, oldest first

(define sessions '())

; The session of a client; an empty identifier stands for one that nobody else has (3.1.3.1).
(define (session-of client)
  (let loop ((rest (if (string=? client "") '() sessions)))
    (cond
      ((null? rest) #f)
      ((string=? (session-client (car rest)) client) (car rest))
      (else (loop (cdr rest))))))

(define (discard-session! session)
  (set! sessions (filter (lambda (other) (not (eq? other session))) sessions)))

; ---- Delivery to a client (section 4.3, the Server as sender) ----

(define (transmit session delivery dup)
  (let ((message (delivery-message delivery)))
    (write (session-link session)
           (Publish dup (Application-qos message) (Application-retain message)
                    (Application-topic message) (delivery-id delivery) (Application-payload message)))))

(define (begin-delivery! session delivery)
  (requirement "MQTT-2.3.1-4" "The Server gives a PUBLISH with QoS 1 or 2 a packet identifier that is not in use.")
  (set-delivery-id! delivery (fresh packet-id (filter values (map delivery-id (session-outgoing session)))))
  (set-delivery-stage! delivery 'published)
  (transmit session delivery #f))

(define (deliver! session message)
  (cond
    ((> (Application-qos message) 0)
     (let ((delivery (make-delivery message #f 'queued)))
       (set-session-outgoing! session (append (session-outgoing session) (list delivery)))
       (cond
         ((session-link session)
          (begin-delivery! session delivery))
         (else
          (requirement "MQTT-3.1.2-5" "Messages with QoS 1 and 2 are stored for a client that is away and has a session.")))))
    ((session-link session)
     (requirement "MQTT-4.3.1-1" "A message with QoS 0 is sent once, with DUP 0 and no packet identifier.")
     (write (session-link session)
            (Publish #f 0 (Application-retain message) (Application-topic message) 0 (Application-payload message))))))

; The delivery that a client's acknowledgement is for, or #f.
(define (outstanding session id)
  (let loop ((rest (session-outgoing session)))
    (cond
      ((null? rest) #f)
      ((equal? (delivery-id (car rest)) id) (car rest))
      (else (loop (cdr rest))))))

(define (delivery-qos delivery) (Application-qos (delivery-message delivery)))

(define (complete! session delivery)
  (set-session-outgoing! session
    (filter (lambda (other) (not (eq? other delivery))) (session-outgoing session))))

(define (release session delivery)
  (requirement "MQTT-4.3.3-1" "PUBREC is answered with PUBREL; from then on this is sent again, and the PUBLISH is not.")
  (write (session-link session) (Pubrel (delivery-id delivery))))

; A client is back (4.4).
(define (resume-deliveries! session)
  (for-each
    (lambda (delivery)
      (case (delivery-stage delivery)
        ((queued)
         (begin-delivery! session delivery))
        ((published)
         (requirement "MQTT-4.4.0-1" "An unacknowledged PUBLISH is sent again when the client is back, with its packet identifier.")
         (requirement "MQTT-3.3.1-1" "A PUBLISH that is sent again has DUP 1.")
         (transmit session delivery #t))
        ((released)
         (release session delivery))))
    (session-outgoing session)))

; ---- Messages and subscriptions (sections 3.3, 3.8 and 3.10) ----

(define retained (make-hash-table))               ; topic -> message

(define (retain! message)
  (let ((topic (Application-topic message)))
    (cond
      ((string=? (Application-payload message) "")
       (requirement "MQTT-3.3.1-10" "A retained message without payload removes the one that is retained.")
       (requirement "MQTT-3.3.1-11" "A retained message without payload is not retained itself.")
       (hash-table-delete! retained topic))
      (else
       (requirement "MQTT-3.3.1-5" "A message with RETAIN 1 is stored for future subscribers, with its QoS.")
       (when (= (Application-qos message) 0)
         (requirement "MQTT-3.3.1-7" "A retained message with QoS 0 replaces the one that is retained, too."))
       (hash-table-set! retained topic message)))))

; The highest QoS among the session's subscriptions that match, or #f (3.3.5).
(define (granted-qos session topic)
  (fold-left (lambda (highest subscription)
               (cond
                 ((not (matches? (car subscription) topic)) highest)
                 ((not highest) (cdr subscription))
                 (else
                  (requirement "MQTT-3.3.5-1" "Where subscriptions overlap, the highest QoS among them counts.")
                  (max highest (cdr subscription)))))
             #f
             (hash-table->alist (session-subscriptions session))))

(define (qos-for published granted)
  (requirement "MQTT-3.8.4-6" "A message is sent with the lower of the QoS it was published with and the one granted.")
  (min published granted))

(define (forward! message)
  (let ((topic (Application-topic message)))
    (if (Application-retain message)
        (retain! message)
        (requirement "MQTT-3.3.1-12" "A message with RETAIN 0 is not stored, and leaves the retained one as it is."))
    (for-each
      (lambda (session)
        (let ((granted (granted-qos session topic)))
          (when granted
            (requirement "MQTT-4.5.0-1" "A message is added to the session of every client with a matching subscription.")
            (requirement "MQTT-3.3.1-9" "A message for an established subscription is sent with RETAIN 0, however it was published.")
            (deliver! session
              (Application topic (Application-payload message) (qos-for (Application-qos message) granted) #f)))))
      sessions)))

(define (subscribe! session request)
  (when (hash-table-contains? (session-subscriptions session) (Request-filter request))
    (requirement "MQTT-3.8.4-3" "A subscription with the same filter is replaced, and its retained messages are sent again."))
  (hash-table-set! (session-subscriptions session) (Request-filter request) (Request-qos request)))

(define (send-retained! session request)
  (for-each
    (lambda (message)
      (when (matches? (Request-filter request) (Application-topic message))
        (requirement "MQTT-3.3.1-6" "A new subscription gets the retained message of each topic that it matches.")
        (requirement "MQTT-3.3.1-8" "A retained message is sent to a new subscription with RETAIN 1.")
        (deliver! session
          (Application (Application-topic message) (Application-payload message)
                       (qos-for (Application-qos message) (Request-qos request)) #t))))
    (hash-table-values retained)))

(define (unsubscribe! session name)
  (cond
    ((hash-table-contains? (session-subscriptions session) name)
     (requirement "MQTT-3.10.4-1" "The subscription whose filter is the same, character by character, is deleted.")
     (when (pair? (session-outgoing session))
       (requirement "MQTT-3.10.4-3" "Deliveries that have begun are completed in spite of UNSUBSCRIBE."))
     (hash-table-delete! (session-subscriptions session) name))
    (else
     (requirement "MQTT-3.10.4-5" "UNSUBSCRIBE is acknowledged even if nothing is deleted."))))

; ---- What is wrong with a packet: these say #t, and which rule is broken ----

(define (bad-connect? packet)
  (cond
    ((not (string=? (Connect-protocol packet) "MQTT"))
     (requirement "MQTT-3.1.2-1" "A CONNECT with another protocol name is not processed.")
     #t)
    ((not (Application? (Connect-will packet))) #f)
    ((empty-name? (Application-topic (Connect-will packet))) #t)
    ((wildcards? (Application-topic (Connect-will packet)))
     (requirement "MQTT-4.7.1-1" "A topic name contains no wildcard; neither does that of a will.")
     #t)
    (else #f)))

; The return code that refuses a CONNECT, or #f.
(define (refusal packet)
  (cond
    ((not (= (Connect-level packet) 4))
     (requirement "MQTT-3.1.2-2" "A protocol level that is not supported is refused with return code 1.")
     1)
    ((and (string=? (Connect-client packet) "") (not (Connect-clean packet)))
     (requirement "MQTT-3.1.3-8" "An empty client identifier without a clean session is refused with return code 2.")
     2)
    (else #f)))

(define (no-id)
  (requirement "MQTT-2.3.1-1" "PUBLISH with QoS 1 or 2, SUBSCRIBE and UNSUBSCRIBE carry a packet identifier that is not zero."))

(define (bad-publish? qos topic id)
  (cond
    ((empty-name? topic) #t)
    ((wildcards? topic)
     (requirement "MQTT-3.3.2-2" "The topic name in a PUBLISH contains no wildcard.")
     #t)
    ((and (> qos 0) (zero? id)) (no-id) #t)
    (else #f)))

(define (bad-subscribe? id requests)
  (cond
    ((zero? id) (no-id) #t)
    ((null? requests)
     (requirement "MQTT-3.8.3-3" "A SUBSCRIBE without topic filters is a protocol violation.")
     #t)
    ((pair? (filter (lambda (request) (> (Request-qos request) 2)) requests))
     (requirement "MQTT-3.8.3-4" "A SUBSCRIBE with a QoS other than 0, 1 or 2, or with reserved bits set, is malformed.")
     #t)
    (else (pair? (filter bad-filter? (map Request-filter requests))))))

(define (bad-unsubscribe? id filters)
  (cond
    ((zero? id) (no-id) #t)
    ((null? filters)
     (requirement "MQTT-3.10.3-2" "An UNSUBSCRIBE without topic filters is a protocol violation.")
     #t)
    (else (pair? (filter bad-filter? filters)))))

(define (note-connect-flaw flaw)
  (requirement "MQTT-3.1.4-1" "A CONNECT that breaks the rules of section 3.1 closes the connection, without a CONNACK.")
  (case flaw
    ((reserved-flag)
     (requirement "MQTT-3.1.2-3" "The reserved flag in CONNECT must be zero."))
    ((will-qos-3)
     (requirement "MQTT-3.1.2-14" "The will's QoS is 0, 1 or 2."))
    ((will-qos-without-will)
     (requirement "MQTT-3.1.2-13" "Without a will, the will's QoS is 0."))
    ((will-retain-without-will)
     (requirement "MQTT-3.1.2-15" "Without a will, the will's RETAIN is 0."))
    ((will-without-topic)
     (requirement "MQTT-3.1.2-9" "With a will, its topic and message are in the payload."))
    ((password-without-user-name)
     (requirement "MQTT-3.1.2-22" "There is no password without a user name."))
    ((no-client-id)
     (requirement "MQTT-3.1.3-3" "The payload of CONNECT begins with the client identifier."))
    ((client-id-not-utf-8)
     (requirement "MQTT-3.1.3-4" "The client identifier is a UTF-8 string."))))

(define (note-flaw flaw)
  (case flaw
    ((publish-qos-3)
     (requirement "MQTT-3.3.1-4" "A PUBLISH with both QoS bits set closes the connection."))
    ((publish-dup-qos-0)
     (requirement "MQTT-3.3.1-2" "A PUBLISH with QoS 0 has DUP 0."))
    ((pubrel-flags)
     (requirement "MQTT-3.6.1-1" "A PUBREL whose fixed flags are not 0010 is malformed."))
    ((subscribe-flags)
     (requirement "MQTT-3.8.1-1" "A SUBSCRIBE whose fixed flags are not 0010 is malformed."))
    ((subscribe-reserved-bits)
     (requirement "MQTT-3.8.3-4" "A SUBSCRIBE with a QoS other than 0, 1 or 2, or with reserved bits set, is malformed."))
    ((unsubscribe-flags)
     (requirement "MQTT-3.10.1-1" "An UNSUBSCRIBE whose fixed flags are not 0010 is malformed."))
    ((disconnect-flags)
     (requirement "MQTT-3.14.1-1" "A DISCONNECT whose reserved bits are not zero is malformed."))
    ((pingreq-flags)
     (requirement "MQTT-2.2.2-2" "Invalid flags in a fixed header close the connection."))
    ((not-utf-8)
     (requirement "MQTT-1.5.3-1" "Ill-formed UTF-8 closes the connection."))
    ((nul-character)
     (requirement "MQTT-1.5.3-2" "A string with the null character closes the connection."))
    ((reserved-type remaining-length)
     (requirement "MQTT-4.8.0-1" "A protocol violation closes the connection that it came on."))))

(define (violated link)
  (requirement "MQTT-4.8.0-1" "A protocol violation closes the connection that it came on.")
  (write link (Closed)))

; ---- Opening and ending a connection (sections 3.1 and 3.2) ----

; Inside the Server: a connection is to make way for a new one of the same client, and has done so.
(define-message Takeover)
(define-message Parted)
(define-channel parted)

(define (take-over! client)
  (let ((former (session-of client)))
    (when (and former (session-link former))
      (requirement "MQTT-3.1.4-2" "A client that connects again is disconnected where it was connected before.")
      (send (session-orders former) (Takeover))
      (receive parted))))

; The session that an acceptable CONNECT begins or resumes.
(define (open-session! packet link orders)
  (take-over! (Connect-client packet))
  (let ((stored (session-of (Connect-client packet))))
    (cond
      ((and stored (not (Connect-clean packet)))
       (requirement "MQTT-3.1.2-4" "Without a clean session, the stored session is resumed.")
       (requirement "MQTT-3.2.2-2" "Session Present is 1 if a stored session is resumed.")
       (set-session-link! stored link)
       (set-session-orders! stored orders)
       (write link (Connack #t 0))
       (resume-deliveries! stored)
       stored)
      (else
       (when stored
         (requirement "MQTT-3.1.2-6" "A clean session discards the one before, and ends with its connection.")
         (discard-session! stored))
       (when (string=? (Connect-client packet) "")
         (requirement "MQTT-3.1.3-6" "An empty client identifier stands for one that the Server assigns and nobody else has."))
       (if (Connect-clean packet)
           (requirement "MQTT-3.2.2-1" "Session Present is 0 for a clean session.")
           (requirement "MQTT-3.2.2-3" "Session Present is 0 if no session was stored."))
       (let ((session (make-session (Connect-client packet) (Connect-clean packet) link orders (make-hash-table) '() '())))
         (set! sessions (append sessions (list session)))
         (write link (Connack #f 0))
         session)))))

(define (part! session will)
  (set-session-link! session #f)
  (when (session-clean session)
    (discard-session! session))
  (when will
    (requirement "MQTT-3.1.2-8" "The will is published when the connection ends without a DISCONNECT.")
    (if (Application-retain will)
        (requirement "MQTT-3.1.2-17" "A will with RETAIN 1 is published as a retained message.")
        (requirement "MQTT-3.1.2-16" "A will with RETAIN 0 is published as a message that is not retained."))
    (forward! will)))

; ---- A network connection ----

; link          the port
; orders        what other threads tell this one
; alive         the timer that watches the client
; session       of the client that is connected
; will          its will, or #f
; keep-alive    its keep alive time, or 0 for none
(define-machine (connection link orders alive session will keep-alive)

  (state closed
    (on (link Connect as packet)
        (cond
          ((bad-connect? packet)
           (write link (Closed)))
          ((refusal packet)
           => (lambda (code)
                (requirement "MQTT-3.2.2-4" "A CONNACK that refuses has Session Present 0.")
                (requirement "MQTT-3.2.2-5" "After a CONNACK that refuses, the connection is closed.")
                (write link (Connack #f code))
                (write link (Closed))))
          (else
           (requirement "MQTT-3.1.4-4" "A valid CONNECT is acknowledged with return code 0.")
           (let ((opened (open-session! packet link orders)))
             (-> serving (with (session opened)
                               (will (and (Application? (Connect-will packet)) (Connect-will packet)))
                               (keep-alive (Connect-keep-alive packet))))))))
    (on (link (BadConnect flaw))
        (note-connect-flaw flaw)
        (write link (Closed)))
    (on (link any as packet) (where (not (Drop? packet)))
        (requirement "MQTT-3.1.0-1" "The first packet on a connection is a CONNECT.")
        (write link (Closed))))

  (state open
    (initial serving)
    (locals (taken-over? #f))
    (exit (stop alive)
          (part! session will)
          (when taken-over? (send parted (Parted))))

    (on (orders Takeover)
        (set! taken-over? #t)
        (write link (Closed))
        -> closed)
    (on (link Disconnect)
        (requirement "MQTT-3.14.4-3" "DISCONNECT discards the will.")
        (set! will #f)
        -> closed)
    (on (link Drop)
        -> closed)
    (on (timeout alive)
        (requirement "MQTT-3.1.2-24" "A client that is silent for one and a half times its keep alive time is disconnected.")
        (write link (Closed))
        -> closed)
    (on (link Connect)
        (requirement "MQTT-3.1.0-2" "A second CONNECT is a protocol violation.")
        (write link (Closed))
        -> closed)
    (on (link (Malformed flaw))
        (note-flaw flaw)
        (write link (Closed))
        -> closed)

    ; Every packet that is served enters this state again, which restarts the timer.
    (state serving
      (entry (when (> keep-alive 0)
               (start alive (quotient (* 3 keep-alive) 2))))

      (on (link Pingreq)
          (requirement "MQTT-3.12.4-1" "PINGREQ is answered with PINGRESP.")
          (write link (Pingresp))
          -> serving)

      ; -- from the client --
      (on (link (Publish _ qos _ topic id _)) (where (bad-publish? qos topic id))
          (write link (Closed))
          -> closed)
      (on (link (Publish _ 0 retain topic _ payload))
          (forward! (Application topic payload 0 retain))
          -> serving)
      (on (link (Publish dup 1 retain topic id payload))
          (when dup
            (requirement "MQTT-3.3.1-3" "The DUP of a PUBLISH is not passed on to those who subscribe."))
          (requirement "MQTT-4.3.2-2" "A PUBLISH with QoS 1 is acknowledged with PUBACK; every one is a new message, whatever its DUP.")
          (forward! (Application topic payload 1 retain))
          (write link (Puback id))
          -> serving)
      (on (link (Publish _ 2 retain topic id payload))
          (cond
            ((assv id (session-incoming session))
             (requirement "MQTT-4.3.3-2" "A PUBLISH with QoS 2 that comes again before its PUBREL is acknowledged again, and not forwarded twice."))
            (else
             (set-session-incoming! session
               (cons (cons id (Application topic payload 2 retain)) (session-incoming session)))))
          (write link (Pubrec id))
          -> serving)
      (on (link (Pubrel id))
          (let ((pending (assv id (session-incoming session))))
            (when pending
              (set-session-incoming! session
                (filter (lambda (other) (not (eq? other pending))) (session-incoming session)))
              (forward! (cdr pending)))
            (requirement "MQTT-2.3.1-6" "Acknowledgements carry the packet identifier of the PUBLISH.")
            (write link (Pubcomp id))
            (-> serving)))

      ; -- to the client --
      (on (link (Puback id)) (where (outstanding session id))
          (let ((delivery (outstanding session id)))
            (cond
              ((= (delivery-qos delivery) 1)
               (requirement "MQTT-4.3.2-1" "A message with QoS 1 is unacknowledged until its PUBACK.")
               (complete! session delivery)
               (-> serving))
              (else
               (violated link)
               (-> closed)))))
      (on (link (Pubrec id)) (where (outstanding session id))
          (let ((delivery (outstanding session id)))
            (cond
              ((= (delivery-qos delivery) 2)
               (set-delivery-stage! delivery 'released)
               (release session delivery)
               (-> serving))
              (else
               (violated link)
               (-> closed)))))
      (on (link (Pubcomp id)) (where (outstanding session id))
          (let ((delivery (outstanding session id)))
            (cond
              ((eq? (delivery-stage delivery) 'released)
               (complete! session delivery)
               (-> serving))
              (else
               (violated link)
               (-> closed)))))

      ; -- subscriptions --
      (on (link (Subscribe id requests)) (where (bad-subscribe? id requests))
          (write link (Closed))
          -> closed)
      (on (link (Subscribe id requests))
          (requirement "MQTT-3.8.4-1" "SUBSCRIBE is answered with SUBACK.")
          (requirement "MQTT-3.8.4-5" "A SUBACK has a return code for each topic filter.")
          (when (> (length requests) 1)
            (requirement "MQTT-3.8.4-4" "Several topic filters in one SUBSCRIBE count as several SUBSCRIBEs, with one SUBACK."))
          (for-each (lambda (request) (subscribe! session request)) requests)
          (write link (Suback id (map Request-qos requests)))
          (for-each (lambda (request) (send-retained! session request)) requests)
          -> serving)
      (on (link (Unsubscribe id filters)) (where (bad-unsubscribe? id filters))
          (write link (Closed))
          -> closed)
      (on (link (Unsubscribe id filters))
          (requirement "MQTT-3.10.4-4" "UNSUBSCRIBE is answered with an UNSUBACK with its packet identifier.")
          (when (> (length filters) 1)
            (requirement "MQTT-3.10.4-6" "Several topic filters in one UNSUBSCRIBE count as several UNSUBSCRIBEs, with one UNSUBACK."))
          (for-each (lambda (name) (unsubscribe! session name)) filters)
          (write link (Unsuback id))
          -> serving))))

(define-timer alive-1 early)
(define-timer alive-2 early)

(spawn (connection link-1 (make-channel) alive-1 #f #f 0))
(spawn (connection link-2 (make-channel) alive-2 #f #f 0))
