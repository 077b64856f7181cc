; Two subsystems on a Network on Terminal Architecture (NoTA), seen through the High Interconnect (H_IN).
;
; NoTA builds a device out of subsystems. Application nodes use services, service nodes offer them, and all of them talk through
; the device interconnect (DIP): the Low Interconnect (L_IN) connects the subsystems, H_IN registers services, finds them,
; decides who may use them and carries the data. One H_IN of the network is the HManager, with the list of services and the
; authority over access. The interface of H_IN is that of BSD sockets with an H before each name; arguments, results and
; semantics are the same, so that POSIX says what a call returns.
;
; Here subsystem 1 has the HManager and an application node with two stream sockets (1, 2) and one for datagrams (3). Subsystem 2
; has a service node with a listening socket (10), the sockets that it accepts (11, 12) and one for datagrams (20). The tester
; plays the nodes, each above its own subsystem; the network below subsystem 2, which may be lost; and the resource manager, a
; node that the HManager asks about access. Every socket is a thread, and so are the HManager and L_IN.
;
; Sources: the public descriptions of NoTA's DIP (notaworld.org), POSIX.1-2008 for each call, named in the comments. Identifiers
; of requirements are ours. Where neither source decides: a service identifier below 10 belongs to the network and cannot be
; bound, one from 50 on is restricted and the resource manager decides; a request for a connection that the queue or the table
; of descriptors cannot take is refused; a window of 4096 octets is granted for each direction of a connection; when the link is
; lost connections are reset, and when it is back the services that are still bound are registered again. Accept and connect
; block, all other calls return at once.
;
; Left out: connections within a subsystem and services of streams on subsystem 1, streaming accesses, several transports below
; L_IN, other options of sockets, the encoding of messages, the content of data (octets are counted; borders of messages are not
; kept, so a count is all there is). Time is in seconds.
;
; What the loss of the link does shows several steps later. Tests: espalier generate nota.scm

; ---- The interface of H_IN, the same in both subsystems ----

(define-type socket (enum 1 2 3 10 11 12 20))
(define-type service-id (int 1 99))
(define-type octets (int 1 65535))
(define-type errno
  (enum EACCES EADDRINUSE EADDRNOTAVAIL ECONNREFUSED ECONNRESET EDESTADDRREQ EHOSTUNREACH EINVAL EISCONN EMSGSIZE ENETDOWN
        ENOTCONN EPIPE EPROTOTYPE ETIMEDOUT EWOULDBLOCK))

(define-message Hsocket   (socket socket))
(define-message Hbind     (socket socket) (service service-id))
(define-message Hlisten   (socket socket) (backlog (int -1 5)))
(define-message Haccept   (socket socket))
(define-message Hconnect  (socket socket) (service service-id))
(define-message Hsend     (socket socket) (size octets))
(define-message Hrecv     (socket socket) (size octets))
(define-message Hshutdown (socket socket))                        ; of the sending direction
(define-message Hsendto   (socket socket) (service service-id) (size octets))
(define-message Hrecvfrom (socket socket) (size octets))
(define-message Hlookup   (socket socket) (service service-id))   ; of the extension: the subsystem that has the service
(define-message Hclose    (socket socket))

(define-message Return (socket socket) (value int))
(define-message Failed (socket socket) (error errno))

(define-port (application service)
  (in Hsocket Hbind Hlisten Haccept Hconnect Hsend Hrecv Hshutdown Hsendto Hrecvfrom Hlookup Hclose)
  (out Return Failed))

; ---- The network below subsystem 2, and the resource manager above the HManager ----

(define-type interconnect-address (int 0 255))

(define-message Carrier (on bool))
(define-message Resolve)
(define-message Address (own interconnect-address) (manager interconnect-address))
(define-message Probe)
(define-message ProbeAck)
(define-port network (in Carrier Address ProbeAck) (out Resolve Probe))

(define-message Authorise (node socket) (service service-id))
(define-message Verdict (granted bool))
(define-port resource-manager (in Verdict) (out Authorise))

; ---- Messages between the H_INs ----

(define-type kind (enum stream datagram))

(define-message Register (from socket) (service service-id) (kind kind))
(define-message Registered (service service-id) (result (enum ok in-use reserved)))
(define-message Deregister (from socket) (service service-id))
(define-message Access (from socket) (service service-id))
(define-message Granted (to socket))
(define-message Refused (error errno))
(define-message Lookup (from socket) (service service-id))
(define-message Located (service service-id) (to socket) (kind kind))
(define-message NotLocated (service service-id))

(define-message ConnectRequest (from socket))
(define-message ConnectAccept (from socket))
(define-message ConnectRefuse)
(define-message Data (size octets))
(define-message Credit (size octets))             ; so much was received, and so much more may be sent
(define-message Fin)
(define-message Reset)
(define-message Datagram (size octets))

(define-message Lost)                             ; from L_IN: there is no link any more

; Within subsystem 2, between the listening socket and those it accepts.
(define-message Enqueue (client socket))
(define-message Take (client socket))             ; accepted without having waited
(define-message Accepted)
(define-message Discard)

; ---- Frames ----

(define manager-inbox (make-channel))

(define inboxes
  (alist->hash-table (map (lambda (socket) (cons socket (make-channel))) (type-values socket))))

(define (inbox-of socket) (hash-table-ref inboxes socket))

(define linked #f)                                ; has L_IN a link between the subsystems?

(define (subsystem-of socket) (if (< socket 10) 1 2))

(define (reachable? from to-subsystem)
  (or linked (= (subsystem-of from) to-subsystem)))

(define (transmit from to message)
  (cond
    ((reachable? from (subsystem-of to))
     (send (inbox-of to) message))
    (else
     (checkpoint "a frame is lost with the link"))))

; The HManager is in subsystem 1.
(define (manager-reachable? from) (reachable? from 1))

(define (to-manager from message)
  (assert (manager-reachable? from))
  (send manager-inbox message))

(define (manager-answers to message)
  (cond
    ((manager-reachable? to)
     (send (inbox-of to) message))
    (else
     (checkpoint "an answer of the HManager is lost with the link"))))

; ---- The services of subsystem 2, as its own H_IN knows them: service -> (socket . kind) ----

(define local-services (make-hash-table))

(define (remember-service! socket service kind)
  (when (= (subsystem-of socket) 2)
    (hash-table-set! local-services service (cons socket kind))))

(define (forget-service! socket service)
  (when (= (subsystem-of socket) 2)
    (hash-table-delete! local-services service)))

(define (register-again!)
  (hash-table-walk local-services
    (lambda (service entry)
      (requirement "NOTA-LINK-4" "When the link is back, the services that are still bound are registered again.")
      (to-manager (car entry) (Register (car entry) service (cdr entry))))))

; Registered again, and another node has the service by now.
(define (displaced! socket service)
  (requirement "NOTA-LINK-5" "A service that another node has bound while the link was lost is not taken back from it.")
  (forget-service! socket service))

(define (deregister! socket service)
  (forget-service! socket service)
  (when (manager-reachable? socket)
    (requirement "NOTA-SERVICE-4" "A service whose socket is closed is no longer known to the HManager.")
    (to-manager socket (Deregister socket service))))

; ---- L_IN of subsystem 2 ----

(define probe-interval 30)
(define probe-patience 5)
(define resolve-interval 2)
(define resolve-attempts 3)

(define (link-up!)
  (set! linked #t)
  (register-again!))

(define (link-lost!)
  (set! linked #f)
  (requirement "NOTA-LINK-3" "The loss of the link is told to the HManager, and to every socket that may use it.")
  (send manager-inbox (Lost))
  (for-each (lambda (socket) (send (inbox-of socket) (Lost))) '(1 2 10 11 12 20)))

(define-machine (low-interconnect)

  (state detached
    (on (network (Carrier #t)) -> resolving)
    (ignores network))

  (state resolving
    (locals (attempts 1))
    (entry (requirement "NOTA-LINK-1" "L_IN resolves its own interconnect address and that of the manager before anything else.")
           (write network (Resolve)))
    (on (network (Address own manager))
        (cond
          ((or (= own 0) (= manager 0))
           (checkpoint "an address is zero"))
          ((= own manager)
           (checkpoint "the address of the manager for two subsystems"))
          (else
           (-> attached))))
    (after resolve-interval (where (< attempts resolve-attempts))
        (set! attempts (+ attempts 1))
        (write network (Resolve)))
    (after resolve-interval -> detached)
    (on (network (Carrier #f)) -> detached))

  (state attached
    (initial quiet)
    (entry (link-up!))
    (exit (link-lost!))
    (on (network (Carrier #f)) -> detached)
    (state quiet
      (after probe-interval -> probing))
    (state probing
      (entry (write network (Probe)))
      (on (network ProbeAck) -> quiet)
      (after probe-patience
          (requirement "NOTA-LINK-2" "L_IN detects by itself that the network is gone.")
          -> detached))))

; ---- The HManager: the list of services, and the authority over access ----

(define-record-type entry
  (make-entry socket kind)
  entry?
  (socket entry-socket)
  (kind entry-kind))

(define registry (make-hash-table))               ; service -> entry

(define (reserved? service) (< service 10))
(define (restricted? service) (>= service 50))

(define (service-entry service) (hash-table-ref/default registry service #f))

(define (register! socket service kind)
  (cond
    ((reserved? service)
     (requirement "NOTA-SERVICE-2" "A service identifier of the network itself cannot be bound.")
     (Registered service 'reserved))
    ((service-entry service)
     (requirement "NOTA-SERVICE-3" "A service identifier is unique in the network.")
     (Registered service 'in-use))
    (else
     (requirement "NOTA-SERVICE-1" "A service is known to the network once its node has bound it.")
     (hash-table-set! registry service (make-entry socket kind))
     (Registered service 'ok))))

(define (located service)
  (let ((entry (service-entry service)))
    (if entry
        (Located service (entry-socket entry) (entry-kind entry))
        (NotLocated service))))

(define (forget-subsystem-2!)
  (for-each (lambda (registered)
              (when (= (subsystem-of (entry-socket (cdr registered))) 2)
                (requirement "NOTA-SERVICE-5" "The services of a subsystem that is out of reach are not found.")
                (hash-table-delete! registry (car registered))))
            (hash-table->alist registry)))

(define verdict-patience 10)

; node, wanted: who asks for access, and to which service, while the resource manager decides
(define-machine (h-manager node wanted)

  (state serving
    (on (manager-inbox (Register from service kind))
        (manager-answers from (register! from service kind)))
    (on (manager-inbox (Deregister from service))
        (let ((entry (service-entry service)))
          (when (and entry (= (entry-socket entry) from))
            (hash-table-delete! registry service))))
    (on (manager-inbox (Lookup from service))
        (manager-answers from (located service)))
    (on (manager-inbox (Access from service))
        (let ((entry (service-entry service)))
          (cond
            ((not entry)
             (requirement "NOTA-ACCESS-1" "A service that nobody offers cannot be accessed.")
             (manager-answers from (Refused 'EHOSTUNREACH)))
            ((eq? (entry-kind entry) 'datagram)
             (requirement "NOTA-ACCESS-2" "A service is accessed with the kind of socket that it has.")
             (manager-answers from (Refused 'EPROTOTYPE)))
            ((restricted? service)
             (-> authorising (with (node from) (wanted service))))
            (else
             (requirement "NOTA-ACCESS-3" "A service without restriction is accessed without asking.")
             (manager-answers from (Granted (entry-socket entry)))))))
    (on (manager-inbox Lost)
        (forget-subsystem-2!)))

  ; All other requests wait.
  (state authorising
    (entry (write resource-manager (Authorise node wanted)))
    (on (resource-manager (Verdict granted))
        (cond
          (granted
           (requirement "NOTA-ACCESS-4" "The resource manager decides who has access to a restricted service.")
           (manager-answers node (Granted (entry-socket (service-entry wanted)))))
          (else
           (requirement "NOTA-ACCESS-5" "A node without authorisation has no access.")
           (manager-answers node (Refused 'EACCES))))
        -> serving)
    (after verdict-patience
        (requirement "NOTA-ACCESS-6" "Without a verdict there is no access.")
        (manager-answers node (Refused 'EACCES))
        -> serving)))

; ---- A connection that is established, the same at both ends (send(), recv(), shutdown(), close()) ----

(define window 4096)

(define peers (make-hash-table))                  ; socket -> the one at the other end of its connection

(define (connect! client slot)
  (hash-table-set! peers client slot)
  (hash-table-set! peers slot client))

(define (disconnect! me) (hash-table-delete! peers me))

; From one end of a connection to the other, if that is still there.
(define (to-peer me peer message)
  (assert linked)
  (cond
    ((equal? (hash-table-ref/default peers peer #f) me)
     (send (inbox-of peer) message))
    ((Data? message)
     (requirement "NOTA-SEND-4" "Data for a connection that is closed at the other end is answered with a reset.")
     (send (inbox-of me) (Reset)))
    (else
     (checkpoint "the other end is closed already"))))

(define (send-octets me peer size credit)
  (let ((sent (min size credit)))
    (when (< sent size)
      (requirement "NOTA-SEND-2" "Where less room is left, that much is sent, and the call says how much that is."))
    (to-peer me peer (Data sent))
    sent))

(define (receive-octets me peer size buffered)
  (let ((taken (min size buffered)))
    (if (< taken buffered)
        (checkpoint "a part of the data is received")
        (checkpoint "all data is received"))
    (to-peer me peer (Credit taken))
    taken))

; A reset tells the peer that what it sent was not received.
(define (end-connection me peer buffered)
  (cond
    ((> buffered 0)
     (requirement "NOTA-CLOSE-2" "A connection that is closed with data unread is reset.")
     (to-peer me peer (Reset)))
    (else
     (requirement "NOTA-CLOSE-1" "Closing a connection ends its data in order: the peer receives all that was sent.")
     (to-peer me peer (Fin)))))

; credit     octets that may still be sent
; buffered   octets that came and were not yet received
(define-machine (connection port me inbox peer credit buffered)

  (state alive
    (initial writable)
    (on (inbox (Data size))
        (set! buffered (+ buffered size))
        (assert (<= buffered window)))
    (on (inbox (Credit size))
        (set! credit (+ credit size)))
    (on (inbox Reset)
        (requirement "NOTA-RESET-1" "A reset ends the connection at once, and what was not received is gone.")
        -> broken)
    (on (inbox Lost)
        (requirement "NOTA-RESET-2" "When the link is lost, connections over it are reset.")
        -> broken)
    (on (port (Hrecv s size)) (where (= s me))
        (requirement "NOTA-RECV-1" "What has come is received, whatever the borders of the messages were; it makes room for as much.")
        (let ((taken (receive-octets me peer size buffered)))
          (set! buffered (- buffered taken))
          (write port (Return me taken))))
    (on (port (Hconnect s _)) (where (= s me))
        (requirement "NOTA-CONNECT-3" "A socket that is connected cannot be connected again.")
        (write port (Failed me 'EISCONN)))
    (on (port (Hclose s)) (where (= s me))
        (end-connection me peer buffered)
        (write port (Return me 0))
        -> gone)

    (state writable
      (initial open)
      (on (port (Hsend s size)) (where (= s me))
          (cond
            ((= credit 0)
             (requirement "NOTA-SEND-3" "Where there is no room for data, nothing is sent.")
             (write port (Failed me 'EWOULDBLOCK)))
            (else
             (requirement "NOTA-SEND-1" "Data is sent to the peer as far as there is room for it.")
             (let ((sent (send-octets me peer size credit)))
               (set! credit (- credit sent))
               (write port (Return me sent))))))
      (state open
        (on (inbox Fin) -> peer-finished)
        (on (port (Hrecv s _)) (where (and (= s me) (= buffered 0)))
            (requirement "NOTA-RECV-2" "Where no data has come, none is received.")
            (write port (Failed me 'EWOULDBLOCK)))
        (on (port (Hshutdown s)) (where (= s me))
            (to-peer me peer (Fin))
            (write port (Return me 0))
            -> shut))
      (state peer-finished
        (on (port (Hrecv s _)) (where (and (= s me) (= buffered 0)))
            (requirement "NOTA-RECV-3" "After the last octet of a peer that has finished, 0 says that there are no more.")
            (write port (Return me 0)))
        (on (port (Hshutdown s)) (where (= s me))
            (to-peer me peer (Fin))
            (write port (Return me 0))
            -> both-finished)))

    (state finished
      (initial shut)
      (on (port (Hsend s _)) (where (= s me))
          (requirement "NOTA-SHUTDOWN-1" "Nothing can be sent after the sending direction was shut down.")
          (write port (Failed me 'EPIPE)))
      (on (port (Hclose s)) (where (and (= s me) (= buffered 0)))
          (write port (Return me 0))              ; the peer knows already that nothing more comes
          -> gone)
      (state shut
        (on (inbox Fin) -> both-finished)
        (on (port (Hrecv s _)) (where (and (= s me) (= buffered 0)))
            (write port (Failed me 'EWOULDBLOCK))))
      (state both-finished
        (on (port (Hrecv s _)) (where (and (= s me) (= buffered 0)))
            (write port (Return me 0))))))

  ; The first call says why, the next ones that there is no connection.
  (state broken
    (locals (told #f))
    (entry (disconnect! me))
    (on (port (Hsend s _)) (where (= s me))
        (cond
          (told
           (requirement "NOTA-RESET-4" "Nothing can be sent on a connection that was reset.")
           (write port (Failed me 'EPIPE)))
          (else
           (requirement "NOTA-RESET-3" "The first call after a reset says so.")
           (set! told #t)
           (write port (Failed me 'ECONNRESET)))))
    (on (port (Hrecv s _)) (where (= s me))
        (cond
          (told
           (write port (Return me 0)))
          (else
           (requirement "NOTA-RESET-3")
           (set! told #t)
           (write port (Failed me 'ECONNRESET)))))
    (on (port (Hclose s)) (where (= s me))
        (write port (Return me 0))
        -> gone)
    (ignores inbox))

  (state gone
    (entry (disconnect! me))
    (final)))

; ---- A stream socket of the application node (socket(), connect()) ----

(define connect-patience 20)

; wanted   the service to connect to
; to       the socket that listens there
(define-machine (client-socket me inbox wanted to)

  (state no-socket
    (on (application (Hsocket s)) (where (= s me))
        (write application (Return me 0))
        -> unconnected)
    (ignores inbox))

  (state unconnected
    (on (application (Hconnect s n)) (where (= s me))
        -> requesting-access (with (wanted n)))
    (on (application (Hsend s _)) (where (= s me))
        (requirement "NOTA-CONNECT-4" "Nothing is sent or received without a connection.")
        (write application (Failed me 'ENOTCONN)))
    (on (application (Hrecv s _)) (where (= s me))
        (requirement "NOTA-CONNECT-4")
        (write application (Failed me 'ENOTCONN)))
    (on (application (Hsendto s _ _)) (where (= s me))
        (requirement "NOTA-CONNECT-4")
        (write application (Failed me 'ENOTCONN)))
    (on (application (Hrecvfrom s _)) (where (= s me))
        (requirement "NOTA-CONNECT-4")
        (write application (Failed me 'ENOTCONN)))
    (on (application (Hlookup s n)) (where (= s me))
        -> looking-up (with (wanted n)))
    (on (application (Hclose s)) (where (= s me))
        (write application (Return me 0))
        -> no-socket)
    (ignores inbox))

  (state looking-up
    (entry (to-manager me (Lookup me wanted)))
    (on (inbox (Located _ socket _))
        (requirement "NOTA-LOOKUP-1")
        (write application (Return me (subsystem-of socket)))
        -> unconnected)
    (on (inbox NotLocated)
        (requirement "NOTA-LOOKUP-2")
        (write application (Failed me 'EHOSTUNREACH))
        -> unconnected)
    (ignores inbox))

  (state connecting
    (initial requesting-access)
    (ignores inbox)

    (state requesting-access
      (entry (to-manager me (Access me wanted)))
      (on (inbox (Granted listening))
          -> requesting-connection (with (to listening)))
      (on (inbox (Refused error))
          (write application (Failed me error))
          -> unconnected))

    (state requesting-connection
      (entry (transmit me to (ConnectRequest me)))
      (on (inbox (ConnectAccept slot))
          (requirement "NOTA-CONNECT-1" "A connection is established when the service's H_IN has taken the request, accepted or not.")
          (write application (Return me 0))
          (connection application me inbox slot window 0)
          -> no-socket)
      (on (inbox ConnectRefuse)
          (write application (Failed me 'ECONNREFUSED))
          -> unconnected)
      (after connect-patience
          (requirement "NOTA-CONNECT-2" "A request for a connection that is not answered is given up.")
          (write application (Failed me 'ETIMEDOUT))
          -> unconnected))))

; ---- The listening socket of the service node (bind(), listen(), accept()) ----

(define max-backlog 2)

(define free-slots '(11 12))                      ; descriptors for accepted connections, lowest first

(define (take-slot!)
  (let ((slot (car free-slots)))
    (set! free-slots (cdr free-slots))
    slot))

(define (give-slot-back! slot)
  (set! free-slots
    (if (= slot 11) (cons slot free-slots) (append free-slots (list slot)))))

; How many may wait for accept().
(define (effective-backlog backlog)
  (cond
    ((<= backlog 0)
     (requirement "NOTA-LISTEN-2" "A backlog of 0 or less still lets one connection wait.")
     1)
    ((> backlog max-backlog)
     (requirement "NOTA-LISTEN-3" "A backlog beyond the greatest one is cut to it.")
     max-backlog)
    (else backlog)))

(define (refuse me client) (transmit me client (ConnectRefuse)))

(define (drop-queue! queue)
  (for-each (lambda (slot)
              (requirement "NOTA-CLOSE-3" "Connections that were never accepted are reset when the listening socket is closed.")
              (send (inbox-of slot) (Discard)))
            queue))

; mine      the service that is bound
; backlog   how many connections may wait
; queue     the slots of those that do, oldest first
(define-machine (listener inbox mine backlog queue)

  (state no-service
    (on (service (Hsocket 10))
        (write service (Return 10 0))
        -> unbound)
    (ignores inbox))

  (state unbound
    (on (service (Hbind 10 n))
        (cond
          ((manager-reachable? 10)
           (-> binding (with (mine n))))
          (else
           (requirement "NOTA-BIND-1" "Without a link there is no HManager to register a service.")
           (write service (Failed 10 'ENETDOWN)))))
    (on (service (Hlisten 10 _))
        (requirement "NOTA-LISTEN-4" "A socket must be bound before it can listen.")
        (write service (Failed 10 'EDESTADDRREQ)))
    (on (service (Hclose 10))
        (write service (Return 10 0))
        -> no-service)
    (ignores inbox))

  (state binding
    (entry (to-manager 10 (Register 10 mine 'stream)))
    (on (inbox (Registered n result)) (where (= n mine))
        (case result
          ((ok)
           (remember-service! 10 mine 'stream)
           (write service (Return 10 0))
           (-> bound))
          ((in-use)
           (write service (Failed 10 'EADDRINUSE))
           (-> unbound))
          (else
           (write service (Failed 10 'EACCES))
           (-> unbound))))
    (on (inbox Lost)
        (requirement "NOTA-BIND-2" "A service whose registration is not confirmed when the link is lost is not bound.")
        (write service (Failed 10 'ENETDOWN))
        -> unbound)
    (ignores inbox))

  (state has-service
    (initial bound)
    (on (service (Hbind 10 _))
        (requirement "NOTA-BIND-3" "A socket is bound once.")
        (write service (Failed 10 'EINVAL)))
    (on (inbox (Registered _ 'in-use))
        (displaced! 10 mine)
        -> displaced)
    (on (service (Hclose 10))
        (drop-queue! queue)
        (deregister! 10 mine)
        (write service (Return 10 0))
        -> no-service (with (queue '())))
    (ignores inbox)

    (state bound
      (on (service (Hlisten 10 n))
          (requirement "NOTA-LISTEN-1" "A socket that listens takes connections before they are accepted.")
          (write service (Return 10 0))
          -> ready (with (backlog (effective-backlog n))))
      (on (service (Haccept 10))
          (requirement "NOTA-ACCEPT-3" "A socket that does not listen accepts no connections.")
          (write service (Failed 10 'EINVAL)))
      (on (inbox (ConnectRequest client))
          (requirement "NOTA-CONNECT-5" "A service that does not listen refuses connections.")
          (refuse 10 client)))

    (state ready
      (on (inbox (ConnectRequest client))
          (cond
            ((>= (length queue) backlog)
             (requirement "NOTA-CONNECT-6" "A connection that the queue cannot take is refused.")
             (refuse 10 client))
            ((null? free-slots)
             (requirement "NOTA-CONNECT-7" "A connection that the table of descriptors cannot take is refused.")
             (refuse 10 client))
            (else
             (let ((slot (take-slot!)))
               (connect! client slot)
               (send (inbox-of slot) (Enqueue client))
               (set! queue (append queue (list slot)))
               (transmit 10 client (ConnectAccept slot))))))
      (on (inbox Lost)
          (requirement "NOTA-ACCEPT-6" "Connections that waited when the link was lost are not accepted any more.")
          (set! queue '()))
      (on (service (Haccept 10)) (where (pair? queue))
          (requirement "NOTA-ACCEPT-1" "Connections are accepted in the order in which they came.")
          (let ((slot (car queue)))
            (set! queue (cdr queue))
            (send (inbox-of slot) (Accepted))
            (write service (Return 10 slot))))
      (on (service (Haccept 10))
          -> accepting))

    ; The node waits for a connection.
    (state accepting
      (on (inbox (ConnectRequest client))
          (cond
            ((null? free-slots)
             (requirement "NOTA-CONNECT-7")
             (refuse 10 client))
            (else
             (requirement "NOTA-ACCEPT-2" "Where no connection waits, accept does, until one comes.")
             (let ((slot (take-slot!)))
               (connect! client slot)
               (send (inbox-of slot) (Take client))
               (transmit 10 client (ConnectAccept slot))
               (write service (Return 10 slot))
               (-> ready)))))
      (on (inbox Lost)
          (requirement "NOTA-ACCEPT-4" "The loss of the link ends the wait for a connection.")
          (write service (Failed 10 'ENETDOWN))
          -> ready)
      (on (inbox (Registered _ 'in-use))
          (displaced! 10 mine)
          (write service (Failed 10 'EADDRNOTAVAIL))
          -> displaced)))

  (state displaced
    (on (service (Haccept 10))
        (write service (Failed 10 'EADDRNOTAVAIL)))
    (on (service (Hclose 10))
        (write service (Return 10 0))
        -> no-service)
    (ignores inbox)))

; ---- A socket for an accepted connection ----

(define-machine (accepted-socket me inbox peer)

  (state free
    (on (inbox (Enqueue client))
        -> waiting (with (peer client)))
    (on (inbox (Take client))
        (connection service me inbox client window 0)
        (give-slot-back! me))
    (ignores inbox))

  ; In the queue. The peer may send, and even finish, before it is accepted.
  (state waiting
    (locals (buffered 0) (finished #f))
    (on (inbox (Data size))
        (requirement "NOTA-ACCEPT-5" "Data that comes before a connection is accepted is kept for it.")
        (set! buffered (+ buffered size)))
    (on (inbox Fin)
        (set! finished #t))
    (on (inbox Accepted)
        (when finished
          (checkpoint "the peer has finished before it was accepted")
          (send inbox (Fin)))
        (connection service me inbox peer window buffered)
        (give-slot-back! me)
        -> free)
    (on (inbox Discard)
        (to-peer me peer (Reset))
        (disconnect! me)
        (give-slot-back! me)
        -> free)
    (on (inbox Lost)
        (disconnect! me)
        (give-slot-back! me)
        -> free)))

; ---- A datagram socket, one in each subsystem (bind(), sendto(), recvfrom()) ----

(define max-datagram 1500)

; mine       the service that is bound, or 0
; buffered   octets that came and were not yet received
; wanted     the service that is looked up, and
; size       what is to be sent there; 0: nothing
(define-machine (datagram-socket port me inbox mine buffered wanted size)

  (state absent
    (on (port (Hsocket s)) (where (= s me))
        (write port (Return me 0))
        -> nameless (with (mine 0) (buffered 0)))
    (ignores inbox))

  (state present
    (initial idle)
    (ignores inbox)

    (state idle
      (initial nameless)
      (on (port (Hsendto s _ n)) (where (and (= s me) (> n max-datagram)))
          (requirement "NOTA-DATAGRAM-2" "A datagram that is too long is not sent.")
          (write port (Failed me 'EMSGSIZE)))
      (on (port (Hsendto s _ _)) (where (and (= s me) (not (manager-reachable? me))))
          (requirement "NOTA-DATAGRAM-3" "Without a link there is no HManager to find a service.")
          (write port (Failed me 'ENETDOWN)))
      (on (port (Hsendto s n length)) (where (= s me))
          -> asking (with (wanted n) (size length)))
      (on (port (Hlookup s n)) (where (and (= s me) (manager-reachable? me)))
          -> asking (with (wanted n) (size 0)))
      (on (port (Hlookup s _)) (where (= s me))
          (write port (Failed me 'ENETDOWN)))

      (state nameless
        (on (port (Hbind s n)) (where (= s me))
            (cond
              ((manager-reachable? me)
               (-> naming (with (mine n))))
              (else
               (requirement "NOTA-BIND-1")
               (write port (Failed me 'ENETDOWN)))))
        (on (port (Hclose s)) (where (= s me))
            (write port (Return me 0))
            -> absent))

      (state named
        (on (inbox (Datagram n))
            (set! buffered (+ buffered n)))
        (on (port (Hrecvfrom s n)) (where (= s me))
            (let ((taken (min n buffered)))
              (cond
                ((= taken 0)
                 (write port (Failed me 'EWOULDBLOCK)))
                (else
                 (requirement "NOTA-DATAGRAM-4" "A bound socket receives what was sent to its service; what is left is received later.")
                 (set! buffered (- buffered taken))
                 (write port (Return me taken))))))
        (on (port (Hbind s _)) (where (= s me))
            (requirement "NOTA-BIND-3")
            (write port (Failed me 'EINVAL)))
        (on (inbox (Registered _ 'in-use))
            (displaced! me mine)
            -> nameless (with (mine 0) (buffered 0)))
        (on (port (Hclose s)) (where (= s me))
            (deregister! me mine)
            (write port (Return me 0))
            -> absent)))

    (state naming
      (entry (to-manager me (Register me mine 'datagram)))
      (on (inbox (Registered n result)) (where (= n mine))
          (case result
            ((ok)
             (remember-service! me mine 'datagram)
             (write port (Return me 0))
             (-> named))
            ((in-use)
             (write port (Failed me 'EADDRINUSE))
             (-> nameless (with (mine 0))))
            (else
             (write port (Failed me 'EACCES))
             (-> nameless (with (mine 0))))))
      (on (inbox Lost)
          (requirement "NOTA-BIND-2")
          (write port (Failed me 'ENETDOWN))
          -> nameless (with (mine 0))))

    (state asking
      (entry (to-manager me (Lookup me wanted)))
      (on (inbox (Datagram n))
          (set! buffered (+ buffered n)))
      (on (inbox (Located n to kind)) (where (= n wanted))
          (cond
            ((= size 0)
             (requirement "NOTA-LOOKUP-1" "The HManager knows in which subsystem a service is.")
             (write port (Return me (subsystem-of to))))
            ((eq? kind 'stream)
             (requirement "NOTA-ACCESS-2")
             (write port (Failed me 'EPROTOTYPE)))
            (else
             (requirement "NOTA-DATAGRAM-1" "A datagram goes to the socket that has bound its service.")
             (transmit me to (Datagram size))
             (write port (Return me size))))
          (if (= mine 0) (-> nameless) (-> named)))
      (on (inbox (NotLocated n)) (where (= n wanted))
          (requirement "NOTA-LOOKUP-2" "A service that nobody offers is not found.")
          (write port (Failed me 'EHOSTUNREACH))
          (if (= mine 0) (-> nameless) (-> named)))
      (on (inbox Lost)
          (write port (Failed me 'ENETDOWN))
          (if (= mine 0) (-> nameless) (-> named))))))

(spawn-service (h-manager 1 1))
(spawn-service (accepted-socket 11 (inbox-of 11) 1))
(spawn-service (accepted-socket 12 (inbox-of 12) 1))
(spawn (datagram-socket application 3 (inbox-of 3) 0 0 1 0))
(spawn (datagram-socket service 20 (inbox-of 20) 0 0 1 0))
(spawn (client-socket 1 (inbox-of 1) 1 10))
(spawn (client-socket 2 (inbox-of 2) 1 10))
(spawn (listener (inbox-of 10) 1 1 '()))
(low-interconnect)
