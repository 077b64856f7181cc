; An MQTT 3.1.1 broker (OASIS Standard, 29 October 2014).
;
; The tester plays the clients, on two network connections that can be opened again and again; the model is the Server of the
; standard. Each connection is a thread; sessions, subscriptions and retained messages are shared. Requirements carry the
; numbers of the standard's conformance statements, in our words, and stand where a tester can see that they are met: that a
; will is published, say, where somebody subscribes to it. Topics are few, and chosen so that every rule of section 4.7
; has a filter that keeps and one that breaks it. The first packet that the tester sends on a closed connection opens it.
; Packets are given by their fields; what only an encoder can get wrong is named in Malformed and BadConnect.
;
; What the Server may do in several ways:
; - A connection is two ports: a link for all packets but one, and an inbox for the PUBLISH packets that the Server sends.
;   Outputs on different ports may come in any order, and the standard does not order PUBLISH packets with respect to others: a
;   message may come before or after the acknowledgement of its PUBLISH, and before the SUBACK (3.8.4). Only the CONNACK comes
;   before everything (3.2.0-1), which the adapter watches.
; - The retained messages of several topics that one filter matches may come in any order: that is a `choose`.
; - What a Server decides once and for all is set below, under "Policies", and has to be set to what the Server under test does.
; - All messages to a client come in the order in which they were published, not only those with the same topic and QoS (4.6).
;
; Left out: what user names and passwords mean, and authorisation (return codes 4 and 5, SUBACK code 128), unavailability (code 3), limits
; on packets in flight and on sizes, identifiers that a Server may reject, TLS and WebSocket, restarts of the Server, the
; exchange of messages under topics that begin with $ (which a Server should prevent, 4.7.2), and what the standard leaves
; undefined: an acknowledgement of a packet that was not sent, an identifier in use for a new message. docs/models/mqtt_broker.md
; names the conformance statements that are not here. Time is in seconds.
;
; With depth 2 each input has to cover something that is new: checkpoints stand for what the next ones build on.
;
; Recommended: --depth 2 --search random.

; ---- Policies: where the standard leaves the choice to the Server ----

(define forwards-qos-2-at-once #f)                ; figure 4.3: #f is method A (store, forward on PUBREL), #t method B
(define sends-copy-for-each-subscription #f)      ; 3.3.5: where subscriptions overlap; #f: one copy
(define stores-qos-0 #f)                          ; 3.1.2.4: for a client that is away
(define accepts-empty-client-id #t)               ; 3.1.3.1: with a clean session
; It closes the connection when the protocol name is wrong (3.1.2.1), grants every subscription as asked for (3.8.4), and keeps
; retained messages with QoS 0 (3.3.1.3).

; ---- Control packets (section 3) ----

(define-type client-id (enum "" "anna" "bert"))
(define-type topic-name (enum "news" "news/uk" "News" "$news" "news/+" ""))
(define-type topic-filter (enum "news" "news/uk" "news/+" "news/#" "+" "#" "news#" "#/uk" "news+" ""))
(define-type packet-id (int 1 65535))
(define-type id-or-0 (int 0 65535))               ; 0 is not valid, except in a PUBLISH with QoS 0: it has none
(define-type qos (int 0 2))

(define-message Application (topic topic-name) (payload string) (qos qos) (retain bool))
(define-message NoWill)
(define-message Will (topic (enum "news" "news/+" "")) (payload string) (qos qos) (retain bool))

(define-message Connect
  (protocol (enum "MQTT" "MQTTX")) (level (enum 3 4 6))
  (client client-id) (clean bool) (keep-alive (enum 0 6)) (will (one-of NoWill Will))
  (where (one-flaw-at-most (not (string=? protocol "MQTT"))
                           (not (= level 4))
                           (and (string=? client "") (not clean))
                           (and (Will? will) (not (string=? (Will-topic will) "news"))))))

; Of two things that are wrong with a CONNECT, the standard does not say which is to be found first.
(define (one-flaw-at-most . flaws) (<= (length (filter values flaws)) 1))

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
              will-topic-not-utf-8 password-without-user-name user-name-missing user-name-without-flag user-name-not-utf-8
              password-missing no-client-id client-id-not-utf-8)))
(define-message Malformed
  (flaw (enum publish-qos-3 publish-dup-qos-0 pubrel-flags subscribe-flags subscribe-reserved-bits unsubscribe-flags
              pingreq-flags disconnect-flags not-utf-8 nul-character subscribe-not-utf-8 unsubscribe-not-utf-8 filter-nul-character
              reserved-type remaining-length)))

(define-message Drop)                             ; the client closes the network connection
(define-message Closed)                           ; the Server does

(define-port (link-1 link-2)
  (in Connect BadConnect Publish Puback Pubrec Pubrel Pubcomp Subscribe Unsubscribe Pingreq Disconnect Malformed Drop)
  (out Connack Puback Pubrec Pubrel Pubcomp Suback Unsuback Pingresp Closed))
(define-port (inbox-1 inbox-2) (out Publish))

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
          '("news" "news/uk" "News" "$news" "news/+" "news/#" "+" "#" "news#" "#/uk" "news+" ""))

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

; "Stored state" are checkpoints: what 3.1.2.4 counts among the state that a session keeps while its client is away.

; A message on its way to a client. Stages: queued, published (unacknowledged), released (PUBREL sent).
(define-record-type delivery
  (make-delivery message id stage)
  delivery?
  (message delivery-message)
  (id delivery-id)                                ; #f while queued
  (stage delivery-stage set-delivery-stage!))

; A message with QoS 2 that came from a client and is not yet released by its PUBREL.
(define-record-type reception
  (make-reception id message to-forward repeated)
  reception?
  (id reception-id)
  (message reception-message)
  (to-forward reception-to-forward)               ; what is left to forward: the message, or nothing
  (repeated reception-repeated set-reception-repeated!))

(define-record-type session
  (make-session client clean link inbox orders resumed subscriptions incoming outgoing)
  session?
  (client session-client)
  (clean session-clean)
  (link session-link set-session-link!)           ; #f: the client is away
  (inbox session-inbox set-session-inbox!)
  (orders session-orders set-session-orders!)     ; to the thread of the connection
  (resumed session-resumed set-session-resumed!)  ; whether the client has been away
  (subscriptions session-subscriptions)           ; filter -> QoS, or #f for one that was deleted
  (incoming session-incoming set-session-incoming!)   ; receptions: QoS 2, not yet released
  (outgoing session-outgoing set-session-outgoing!))  ; deliveries with QoS 1 and 2, oldest first

(define sessions '())

; The session of a client; an empty identifier stands for one that nobody else has (3.1.3.1).
(define (session-of client)
  (and (not (string=? client ""))
       (find (lambda (session) (string=? (session-client session) client)) sessions)))

(define retained (make-hash-table))               ; topic -> message, or #f for one that was removed
(define outlived '())                             ; the topics of those that were there when a session ended

(define (discard-session! session)
  (set! outlived (map car (filter cdr (hash-table->alist retained))))
  (when (pair? outlived)
    (checkpoint "a session ends, and there are retained messages"))
  (set! sessions (filter (lambda (other) (not (eq? other session))) sessions)))

; ---- Delivery to a client (section 4.3, the Server as sender) ----

(define (transmit session message id dup)
  (write (session-inbox session)
         (Publish dup (Application-qos message) (Application-retain message)
                  (Application-topic message) id (Application-payload message))))

(define (begin-delivery! session message)
  (unless (session-clean session)
    (checkpoint "stored state: a message that is not acknowledged"))
  (requirement "MQTT-2.3.1-4" "The Server gives a PUBLISH with QoS 1 or 2 a packet identifier that is not in use.")
  (let ((id (fresh packet-id (filter values (map delivery-id (session-outgoing session))))))
    (set-session-outgoing! session (append (session-outgoing session) (list (make-delivery message id 'published))))
    (transmit session message id #f)))

(define (store! session message)
  (if (null? (session-outgoing session))
      (checkpoint "stored state: a message that waits for its client")
      (checkpoint "stored state: several messages"))
  (set-session-outgoing! session (append (session-outgoing session) (list (make-delivery message #f 'queued)))))

(define (deliver! session message)
  (cond
    ((> (Application-qos message) 0)
     (if (session-link session)
         (begin-delivery! session message)
         (store! session message)))
    ((session-link session)
     (requirement "MQTT-4.3.1-1" "A message with QoS 0 is sent once, with DUP 0.")
     (requirement "MQTT-2.3.1-5" "A PUBLISH with QoS 0 has no packet identifier.")
     (transmit session message 0 #f))
    (stores-qos-0
     (store! session message))))

; The delivery that a client's acknowledgement is for, or #f.
(define (outstanding session id)
  (find (lambda (delivery) (equal? (delivery-id delivery) id)) (session-outgoing session)))

(define (delivery-qos delivery) (Application-qos (delivery-message delivery)))

(define (complete! session delivery)
  (set-session-outgoing! session
    (filter (lambda (other) (not (eq? other delivery))) (session-outgoing session))))

(define (release session delivery)
  (requirement "MQTT-4.3.3-1" "PUBREC is answered with PUBREL; from then on this is sent again, and the PUBLISH is not.")
  (write (session-link session) (Pubrel (delivery-id delivery))))

; The client has received the message; what is released is sent again in the order of the PUBRECs (4.6).
(define (received! session delivery)
  (unless (session-clean session)
    (checkpoint "stored state: a message that is released"))
  (complete! session delivery)
  (set-delivery-stage! delivery 'released)
  (set-session-outgoing! session (append (session-outgoing session) (list delivery)))
  (release session delivery))

; Whether there are two that differ in nothing but their payload: their order shows.
(define (in-order? messages)
  (let loop ((rest messages))
    (and (pair? rest) (pair? (cdr rest))
         (or (and (string=? (Application-topic (car rest)) (Application-topic (cadr rest)))
                  (= (Application-qos (car rest)) (Application-qos (cadr rest)))
                  (not (string=? (Application-payload (car rest)) (Application-payload (cadr rest)))))
             (loop (cdr rest))))))

; A client is back (4.4).
(define (resume-deliveries! session)
  (when (in-order? (map delivery-message (session-outgoing session)))
    (requirement "MQTT-4.6.0-6" "Messages with the same topic and QoS are sent in the order in which they were received."))
  (for-each
    (lambda (delivery)
      (case (delivery-stage delivery)
        ((queued)
         (requirement "MQTT-3.1.2-5" "Messages with QoS 1 and 2 are stored for a client that is away and has a session.")
         (complete! session delivery)
         (deliver! session (delivery-message delivery)))
        ((published)
         (requirement "MQTT-4.4.0-1" "An unacknowledged PUBLISH or PUBREL is sent again when the client is back, with its packet identifier.")
         (requirement "MQTT-3.3.1-1" "A PUBLISH that is sent again has DUP 1.")
         (transmit session (delivery-message delivery) (delivery-id delivery) #t))
        (else
         (requirement "MQTT-4.4.0-1")
         (release session delivery))))
    (session-outgoing session)))

; ---- Messages from a client (section 4.3, the Server as receiver) ----

(define (pending session id)
  (find (lambda (reception) (= (reception-id reception) id)) (session-incoming session)))

; An identifier that is in use for another message is the client's fault, and the standard does not say what becomes of it.
(define (new-or-repeated? session id dup message)
  (let ((former (pending session id)))
    (or (not former) (and dup (equal? message (reception-message former))))))

(define (await-release! session reception)
  (unless (session-clean session)
    (checkpoint "stored state: a message that was received and is not released"))
  (set-session-incoming! session (cons reception (session-incoming session))))

; ---- Messages and subscriptions (sections 3.3, 3.8 and 3.10) ----

(define (retain! message)
  (let ((topic (Application-topic message)))
    (set! outlived (delete topic outlived))
    (cond
      ((string=? (Application-payload message) "")
       (when (hash-table-contains? retained topic)
         (hash-table-set! retained topic #f)))
      ((= (Application-qos message) 0)
       (requirement "MQTT-3.3.1-7" "A retained message with QoS 0 replaces the one that is retained.")
       (hash-table-set! retained topic message))
      (else
       (hash-table-set! retained topic message)))
    (when (> (length (filter cdr (hash-table->alist retained))) 1)
      (checkpoint "there are retained messages of several topics"))))

; The session's subscriptions that match, deleted ones included, and those that are in force.
(define (matching session topic)
  (filter (lambda (subscription) (matches? (car subscription) topic))
          (hash-table->alist (session-subscriptions session))))

(define (in-force session topic) (filter cdr (matching session topic)))

(define (qos-for published granted)
  (requirement "MQTT-3.8.4-6" "A message is sent with the lower of the QoS it was published with and the one granted.")
  (min published granted))

; The QoS of each copy of a message that is sent to a client with these subscriptions (3.3.5).
(define (copies published subscriptions)
  (let* ((narrow (filter (lambda (subscription) (not (wildcards? (car subscription)))) subscriptions))
         (allowed (lambda (some) (map (lambda (subscription) (qos-for published (cdr subscription))) some)))
         (all (allowed subscriptions)))
    (cond
      ((or (null? all) (null? (cdr all))) all)
      (else
       (requirement "MQTT-3.3.5-1" "Where subscriptions overlap, the highest QoS among them counts.")
       (when (and (pair? narrow) (< (apply max (allowed narrow)) (apply max all)))
         (checkpoint "a subscription with a wildcard grants more than one without"))
       (if sends-copy-for-each-subscription all (list (apply max all)))))))

(define (forward! message)
  (let ((topic (Application-topic message)))
    (if (Application-retain message)
        (retain! message)
        (requirement "MQTT-3.3.1-12" "A message with RETAIN 0 is not stored, and leaves the retained one as it is."))
    (for-each
      (lambda (session)
        (when (and (session-link session) (pair? (matching session topic)) (null? (in-force session topic)))
          (requirement "MQTT-3.10.4-2" "Nothing is sent for a subscription that was deleted."))
        (when (and (string=? topic "News") (session-link session)
                   (pair? (in-force session "news")) (null? (in-force session topic)))
          (requirement "MQTT-4.7.3-4" "Topic names and topic filters are compared as they are: upper and lower case differ."))
        (for-each
          (lambda (qos)
            (requirement "MQTT-4.5.0-1" "A message is added to the session of every client with a matching subscription.")
            (requirement "MQTT-3.3.2-3" "The topic name of a PUBLISH that the Server sends matches a filter of the client.")
            (when (and (session-resumed session) (session-link session))
              (requirement "MQTT-4.1.0-1" "The state of a session, with its subscriptions, is stored for as long as it lasts."))
            (requirement "MQTT-3.3.1-9" "A message for an established subscription is sent with RETAIN 0, however it was published.")
            (deliver! session
              (Application topic (Application-payload message) qos #f)))
          (copies (Application-qos message) (in-force session topic))))
      sessions)))

; Whether a message with this topic would reach a client that is there, other than this one's.
(define (seen? topic self)
  (find (lambda (session)
          (and (not (eq? session self)) (session-link session) (pair? (in-force session topic))))
        sessions))

(define (subscribe! session request)
  (unless (session-clean session)
    (checkpoint "stored state: a subscription"))
  (when (hash-table-ref/default (session-subscriptions session) (Request-filter request) #f)
    (requirement "MQTT-3.8.4-3" "A subscription with the same filter is replaced, and its retained messages are sent again."))
  (hash-table-set! (session-subscriptions session) (Request-filter request) (Request-qos request))
  (when (find (lambda (topic) (> (length (in-force session topic)) 1)) '("news" "news/uk"))
    (checkpoint "a client's subscriptions overlap")))

; The retained messages for a new subscription.
(define (retained-for request)
  (fold-right
    (lambda (entry others)
      (cond
        ((not (matches? (Request-filter request) (car entry))) others)
        ((cdr entry)
         (requirement "MQTT-3.3.1-5" "A message with RETAIN 1 is stored for future subscribers, with its QoS.")
         (when (member (car entry) outlived)
           (requirement "MQTT-3.1.2-7" "Retained messages are no part of a session, and stay when one ends."))
         (requirement "MQTT-3.3.1-6" "A new subscription gets the retained message of each topic that it matches.")
         (requirement "MQTT-3.3.1-8" "A retained message is sent to a new subscription with RETAIN 1.")
         (cons (Application (car entry) (Application-payload (cdr entry))
                            (qos-for (Application-qos (cdr entry)) (Request-qos request)) #t)
               others))
        (else
         (requirement "MQTT-3.3.1-10" "A retained message without payload removes the one that is retained.")
         (requirement "MQTT-3.3.1-11" "A retained message without payload is not retained itself.")
         others)))
    '()
    (hash-table->alist retained)))

; The same, in any order.
(define (shuffled list)
  (define (inserted one list)
    (if (null? list)
        (cons one list)
        (choose (cons one list)
                (cons (car list) (inserted one (cdr list))))))
  (fold-right inserted '() list))

; Filter by filter, as if each came in a packet of its own.
(define (send-retained! session request)
  (for-each (lambda (message) (deliver! session message))
            (shuffled (retained-for request))))

(define (unsubscribe! session name)
  (cond
    ((hash-table-ref/default (session-subscriptions session) name #f)
     (requirement "MQTT-3.10.4-1" "The subscription whose filter is the same, character by character, is deleted.")
     (when (pair? (session-outgoing session))
       (requirement "MQTT-3.10.4-3" "Deliveries that have begun are completed in spite of UNSUBSCRIBE."))
     (hash-table-set! (session-subscriptions session) name #f))
    (else
     (requirement "MQTT-3.10.4-5" "UNSUBSCRIBE is acknowledged even if nothing is deleted."))))

; ---- What is wrong with a packet: these say #t, and which rule is broken ----

(define (bad-connect? packet)
  (cond
    ((not (string=? (Connect-protocol packet) "MQTT"))
     (requirement "MQTT-3.1.2-1" "A CONNECT with another protocol name is not processed.")
     #t)
    ((NoWill? (Connect-will packet)) #f)
    ((empty-name? (Will-topic (Connect-will packet))) #t)
    ((wildcards? (Will-topic (Connect-will packet)))
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
    ((and (string=? (Connect-client packet) "") (not accepts-empty-client-id))
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
    ((will-topic-not-utf-8)
     (requirement "MQTT-3.1.3-10" "The will's topic is a UTF-8 string."))
    ((user-name-missing)
     (requirement "MQTT-3.1.2-19" "With the user name flag, there is a user name in the payload."))
    ((user-name-without-flag)
     (requirement "MQTT-3.1.2-18" "Without the user name flag, there is no user name in the payload."))
    ((user-name-not-utf-8)
     (requirement "MQTT-3.1.3-11" "The user name is a UTF-8 string."))
    ((password-missing)
     (requirement "MQTT-3.1.2-21" "With the password flag, there is a password in the payload."))
    ((password-without-user-name)
     (requirement "MQTT-3.1.2-22" "There is no password without a user name."))
    ((no-client-id)
     (requirement "MQTT-3.1.3-3" "The payload of CONNECT begins with the client identifier."))
    (else                                         ; client-id-not-utf-8
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
    ((nul-character filter-nul-character)
     (requirement "MQTT-1.5.3-2" "A string with the null character closes the connection.")
     (requirement "MQTT-4.7.3-2" "Topic names and topic filters contain no null character."))
    ((subscribe-not-utf-8)
     (requirement "MQTT-3.8.3-1" "The topic filters in a SUBSCRIBE are UTF-8 strings."))
    ((unsubscribe-not-utf-8)
     (requirement "MQTT-3.10.3-1" "The topic filters in an UNSUBSCRIBE are UTF-8 strings."))
    (else                                         ; reserved-type, remaining-length
     (requirement "MQTT-4.8.0-1" "A protocol violation closes the connection that it came on."))))

(define (violated link)
  (requirement "MQTT-4.8.0-1" "A protocol violation closes the connection that it came on.")
  (write link (Closed)))

; ---- Opening and ending a connection (sections 3.1 and 3.2) ----

; Inside the Server: a connection is to make way for a new one of the same client, and has done so.
(define-message Takeover)
(define-message Parted)
(define-channel parted)

; The link that a client is connected on, or #f: it has to leave it.
(define (take-over! client)
  (let* ((former (session-of client))
         (link (and former (session-link former))))
    (when link
      (requirement "MQTT-3.1.4-2" "A client that connects again is disconnected where it was connected before.")
      (send (session-orders former) (Takeover))
      (receive parted))
    link))

; The session that an acceptable CONNECT begins or resumes.
(define (open-session! packet link inbox orders)
  (let* ((former-link (take-over! (Connect-client packet)))
         (stored (session-of (Connect-client packet))))
    (cond
      ((and stored (not (Connect-clean packet)))
       (requirement "MQTT-3.1.2-4" "Without a clean session, the stored session is resumed.")
       (requirement "MQTT-3.2.2-2" "Session Present is 1 if a stored session is resumed.")
       (when (pair? (cdr sessions))
         (requirement "MQTT-3.1.3-2" "The client identifier tells whose state is resumed."))
       (set-session-resumed! stored #t)
       (when (pair? (session-incoming stored))
         (checkpoint "a client is back that has to release a message"))
       (set-session-link! stored link)
       (set-session-inbox! stored inbox)
       (set-session-orders! stored orders)
       (write link (Connack #t 0))
       (when (and former-link (memq 'queued (map delivery-stage (session-outgoing stored))))
         (checkpoint "a client that connects again gets the will of its former connection"))
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
       (let ((session (make-session (Connect-client packet) (Connect-clean packet) link inbox orders #f (make-hash-table) '() '())))
         (set! sessions (append sessions (list session)))
         (write link (Connack #f 0))
         session)))))

(define (part! session will)
  (set-session-link! session #f)
  (let ((stages (map delivery-stage (session-outgoing session))))
    (cond
      ((session-clean session)
       (discard-session! session))
      ((memq 'released stages)
       (checkpoint "a client leaves while the Server waits for its PUBCOMP"))
      ((pair? stages)
       (checkpoint "a client leaves while the Server waits for its PUBACK or PUBREC"))
      ((pair? (session-incoming session))
       (checkpoint "a client leaves while the Server waits for its PUBREL"))
      ((pair? (filter cdr (hash-table->alist (session-subscriptions session))))
       (if (find session-link sessions)
           (checkpoint "a client leaves that has subscriptions, and another one stays")
           (checkpoint "a client leaves that has subscriptions, and nobody stays")))))
  (when will
    (when (seen? (Will-topic will) session)
      (requirement "MQTT-3.1.2-8" "The will is published when the connection ends without a DISCONNECT."))
    (if (Will-retain will)
        (requirement "MQTT-3.1.2-17" "A will with RETAIN 1 is published as a retained message.")
        (requirement "MQTT-3.1.2-16" "A will with RETAIN 0 is published as a message that is not retained."))
    (forward! (Application (Will-topic will) (Will-payload will) (Will-qos will) (Will-retain will)))))

; ---- A network connection ----

; link, inbox   its ports
; orders        what other threads tell this one
; alive         the timer that watches the client
; session       of the client that is connected
; will          its will, or #f
; keep-alive    its keep alive time, or 0 for none
(define-machine (connection link inbox orders alive session will keep-alive)

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
           (when (seen? "news" #f)
             (if (Will? (Connect-will packet))
                 (checkpoint "a will that somebody waits for")
                 (checkpoint "no will, though somebody waits for one")))
           (let ((opened (open-session! packet link inbox orders)))
             (-> serving (with (session opened)
                               (will (and (Will? (Connect-will packet)) (Connect-will packet)))
                               (keep-alive (Connect-keep-alive packet))))))))
    (on (link (BadConnect flaw))
        (note-connect-flaw flaw)
        (write link (Closed)))
    (on (link Drop))                              ; opened, and closed again
    (on (link any)
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
        (when (and will (seen? (Will-topic will) session))
          (requirement "MQTT-3.14.4-3" "DISCONNECT discards the will.")
          (requirement "MQTT-3.1.2-10" "A will is removed once it has been published, or after DISCONNECT."))
        (set! will #f)
        -> closed)
    (on (link Drop)
        (when (and (not will) (seen? "news" session))
          (requirement "MQTT-3.1.2-12" "Without a will, none is published when the connection ends."))
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
          (requirement "MQTT-3.3.4-1")
          (forward! (Application topic payload 1 retain))
          (write link (Puback id))
          -> serving)
      (on (link (Publish dup 2 retain topic id payload))
          (where (new-or-repeated? session id dup (Application topic payload 2 retain)))
          (let ((message (Application topic payload 2 retain))
                (former (pending session id)))
            (when (seen? topic #f)
              (checkpoint "a message with QoS 2 that somebody waits for"))
            (requirement "MQTT-3.3.4-1" "A PUBLISH with QoS 1 is answered with PUBACK, one with QoS 2 with PUBREC.")
            (cond
              (former
               (when (seen? topic #f)
                 (requirement "MQTT-4.3.3-2" "A PUBLISH with QoS 2 that comes again before its PUBREL is acknowledged again, and not forwarded twice."))
               (when (session-resumed session)
                 (checkpoint "a message with QoS 2 that comes again when its client is back"))
               (set-reception-repeated! former #t))
              (forwards-qos-2-at-once
               (await-release! session (make-reception id message '() #f))
               (forward! message))
              (else
               (await-release! session (make-reception id message (list message) #f))))
            (write link (Pubrec id))
            (-> serving)))
      (on (link (Pubrel id))
          (let ((released (pending session id)))
            (when released
              (when (and (reception-repeated released)
                         (seen? (Application-topic (reception-message released)) #f))
                (checkpoint "a message that was sent twice is released"))
              (set-session-incoming! session (delete released (session-incoming session)))
              (for-each forward! (reception-to-forward released)))
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
               (received! session delivery)
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
          (requirement "MQTT-2.3.1-7" "SUBACK and UNSUBACK carry the packet identifier of the request.")
          (requirement "MQTT-3.8.4-2" "A SUBACK has the packet identifier of its SUBSCRIBE.")
          (requirement "MQTT-3.9.3-2" "The return codes in a SUBACK are 0, 1, 2 and 128.")
          (requirement "MQTT-3.8.4-5" "A SUBACK has a return code for each topic filter.")
          (when (> (length requests) 1)
            (requirement "MQTT-3.9.3-1" "The return codes in a SUBACK are in the order of the topic filters.")
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

(spawn (connection link-1 inbox-1 (make-channel) alive-1 #f #f 0))
(spawn (connection link-2 inbox-2 (make-channel) alive-2 #f #f 0))
