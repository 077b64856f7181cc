; Two routers that are connected by a link, and agree on its settings by ICMP and SNMP (the TwoRouters of Lahola 2010,
; chapter 6).
;
; The routers a and b each serve a local network, and are each a thread; a third thread is the link between them. The tester
; plays the hosts of both networks (ports lan-a and lan-b), the management station of each router (manager-a and manager-b),
; and what can happen to the link (cable). A router forwards datagrams between its network and the link, answers echo requests
; and router solicitations, reports what it cannot forward, and is an SNMP agent for its management station and for the other
; router. When the station proposes an MTU for the link, the router sees by an echo whether the other router is there, reads
; that router's MTU, and sets it, falling back to the common 1500 if the other router cannot do what was proposed.
;
; Sources: RFC 792, RFC 1122 and RFC 1812 (ICMP, forwarding), RFC 1191 (the MTU in an error), RFC 1256 (router discovery),
; RFC 3416 (SNMP operations), RFC 3418 and RFC 2863 (traps). The negotiation is ours, made of these; linkMtu.1 is an object of
; an enterprise MIB, since ifMtu cannot be set.
;
; Left out: the bytes of datagrams, checksums and options; fragmentation (every datagram has Don't Fragment set); broadcast;
; address resolution; SNMP from the local networks (a router takes it from its station and from its neighbour only), GetNext,
; GetBulk and Inform, failures to commit a Set, and all but a few objects (and the value testing of ifAdminStatus, which RFC 2863
; does not require); the rate limits of RFC 1812, 4.3.2.8. A router's tables are fixed: b has no route beyond the two networks,
; and a sends everything else to b. A disturbed link loses messages, or holds them back until it is calm again. Time is in
; seconds.
;
; A request has lists of up to two bindings of eight objects, and any of the two routers may get it, so a depth of 3 takes long.
; Tests: espalier generate two_routers.scm

; ---- Datagrams ----

(define-type address (enum a b host-a other-a host-b nowhere))   ; other-a: a second host on the network of router a
(define-type half (int 0 65535))

; ICMP (RFC 792, RFC 1256). Errors carry the destination of the datagram that they are about.
(define-message Echo (id half) (sequence half))
(define-message EchoReply (id half) (sequence half))
(define-message Unreachable (code (int 0 5)) (mtu half) (about address))
(define-message TimeExceeded (code (int 0 1)) (about address))
(define-message Redirect (code (int 0 3)) (gateway address) (about address))
(define-message Solicitation)
(define-message Advertisement (router address) (lifetime half))

; Anything else.
(define-message Udp (port half))
(define-message Unknown (protocol (int 0 255)))

(define-message Datagram
  (source address) (destination address) (ttl (int 0 255)) (size (int 20 65535))
  (payload (one-of Echo EchoReply Unreachable TimeExceeded Redirect Solicitation Advertisement Udp Unknown)))

(define-port (lan-a lan-b) (in Datagram) (out Datagram))

; ---- SNMP version 2c ----

(define-type object
  (enum sysName.0 sysName.1 ipForwarding.0 ipDefaultTTL.0 linkMtu.1 ifAdminStatus.1 ifOperStatus.1 unknown.0))
(define-type community (enum "public" "private" "guess"))
(define-message Integer (value (int -2147483648 2147483647)))
(define-message Text (value string))
(define-message Binding (object object) (value (one-of Integer Text)))
(define-message Exception (object object) (value (enum noSuchObject noSuchInstance)))

(define-message Get (community community) (id int) (objects (list-of object 2)))
(define-message Set (community community) (id int) (bindings (list-of Binding 2)))
(define-message Response (id int) (status (int 0 18)) (index (int 0 2)) (bindings (list-of (one-of Binding Exception) 2)))
(define-message Trap (kind (enum coldStart linkDown linkUp authenticationFailure)))

; The station also tells its router to negotiate.
(define-message Propose (mtu (int 68 9000)))      ; RFC 791: no link has an MTU below 68
(define-message Agreed (mtu int))
(define-message Disagreed (reason (enum own-limit busy no-answer refused)))

(define-port (manager-a manager-b) (in Get Set Propose) (out Response Trap Agreed Disagreed))

; ---- The link ----

(define-message Disturb)
(define-message Calm)
(define-port cable in Disturb Calm)

(define-channel from-a)
(define-channel from-b)
(define-channel to-a)
(define-channel to-b)

; ---- A router ----

(define-record-type node
  (make-node name peer lan wire manager routes greatest-mtu settings busy)
  node?
  (name node-name)
  (peer node-peer)
  (lan node-lan)
  (wire node-wire)                      ; towards the link
  (manager node-manager)
  (routes node-routes)                  ; destination -> lan or wire
  (greatest-mtu node-greatest-mtu)
  (settings node-settings)              ; object -> value
  (busy node-busy set-node-busy!))      ; is it negotiating?

(define (setting self object) (hash-table-ref/default (node-settings self) object #f))

(define (initial-settings name)
  (alist->hash-table
    (list (cons 'sysName.0 name) (cons 'ipForwarding.0 1) (cons 'ipDefaultTTL.0 64)
          (cons 'linkMtu.1 1500) (cons 'ifAdminStatus.1 1))))

(define router-a
  (make-node 'a 'b lan-a from-a manager-a '((host-a . lan) (other-a . lan) (b . wire) (host-b . wire) (nowhere . wire))
             9000 (initial-settings "router a") #f))
(define router-b
  (make-node 'b 'a lan-b from-b manager-b '((host-b . lan) (a . wire) (host-a . wire) (other-a . wire))
             4000 (initial-settings "router b") #f))

(define (link-up? self) (= (setting self 'ifAdminStatus.1) 1))

(define (forwarding? self) (= (setting self 'ipForwarding.0) 1))

; Where a datagram goes: lan, wire or #f. A route through an interface that is down is no route.
(define (route self destination)
  (let ((entry (assq destination (node-routes self))))
    (cond
      ((not entry) #f)
      ((and (eq? (cdr entry) 'wire) (not (link-up? self))) #f)
      (else (cdr entry)))))

(define (emit self interface datagram)
  (if (eq? interface 'lan)
      (write (node-lan self) datagram)
      (send (node-wire self) datagram)))

; Sends something of the router's own.
(define (originate self destination payload)
  (let ((interface (route self destination)))
    (when interface
      (emit self interface (Datagram (node-name self) destination (setting self 'ipDefaultTTL.0) 64 payload)))))

(define (trap self kind)
  (write (node-manager self) (Trap kind)))

; ---- Forwarding (RFC 1812, 5.2 and 5.3), in the order of 5.2.1.2 ----

(define (icmp-error? payload)
  (or (Unreachable? payload) (TimeExceeded? payload) (Redirect? payload)))

(define (report self datagram problem)
  (if (icmp-error? (Datagram-payload datagram))
      (requirement "RFC1812-4.3.2.7" "An ICMP error is never sent about an ICMP error.")
      (originate self (Datagram-source datagram) problem)))

(define (forward self datagram arrival)
  (let* ((destination (Datagram-destination datagram))
         (interface (route self destination)))
    (cond
      ((not (forwarding? self))
       (requirement "RFC1812-5.3.12.1" "A router that has ceased forwarding is but a host, and drops what is not for itself."))
      ((not interface)
       (requirement "RFC1812-5.2.7.1" "For a destination without a route, Destination Unreachable, code 0, is sent.")
       (report self datagram (Unreachable 0 0 destination)))
      ((<= (Datagram-ttl datagram) 1)
       (requirement "RFC1812-5.3.1" "A datagram whose time to live is used up is dropped, and Time Exceeded, code 0, is sent.")
       (report self datagram (TimeExceeded 0 destination)))
      ((and (eq? interface 'wire) (> (Datagram-size datagram) (setting self 'linkMtu.1)))
       (requirement "RFC1191-4" "A datagram that is too large for the link is dropped, and the error tells the link's MTU.")
       (report self datagram (Unreachable 4 (setting self 'linkMtu.1) destination)))
      (else
       (emit self interface
             (Datagram (Datagram-source datagram) destination (- (Datagram-ttl datagram) 1)
                       (Datagram-size datagram) (Datagram-payload datagram)))
       (when (eq? interface arrival)
         (requirement "RFC1812-5.2.7.2" "A host whose datagram goes out where it came in is told the better first hop.")
         (report self datagram (Redirect 1 destination destination)))))))

; ---- The SNMP agent (RFC 3416, 4.2) ----

(define no-error 0)
(define no-access 6)
(define wrong-type 7)
(define wrong-length 8)
(define wrong-value 10)
(define no-creation 11)
(define inconsistent-value 12)
(define not-writable 17)

(define (read-object self object)
  (case object
    ((unknown.0)
     (requirement "RFC3416-4.2.1-2" "Get of an object that the agent does not know gives noSuchObject.")
     (Exception object 'noSuchObject))
    ((sysName.1)
     (requirement "RFC3416-4.2.1-3" "Get of an instance that does not exist gives noSuchInstance.")
     (Exception object 'noSuchInstance))
    ((sysName.0)
     (Binding object (Text (setting self object))))
    ((ifOperStatus.1)
     (Binding object (Integer (setting self 'ifAdminStatus.1))))
    (else
     (requirement "RFC3416-4.2.1-1" "Get of a variable gives its value.")
     (Binding object (Integer (setting self object))))))

; The least and the greatest value of an integer object.
(define (range self object)
  (case object
    ((ipDefaultTTL.0) '(1 . 255))
    ((linkMtu.1) (cons 68 (node-greatest-mtu self)))
    (else '(1 . 2))))

; The error-status of a binding that is to be set, by the tests of 4.2.5 in their order.
(define (validate self binding)
  (let ((object (Binding-object binding)) (value (Binding-value binding)))
    (cond
      ((memq object '(ifOperStatus.1 unknown.0))
       (requirement "RFC3416-4.2.5-2" "Set of an object that cannot be modified gives notWritable.")
       not-writable)
      ((not (if (memq object '(sysName.0 sysName.1)) (Text? value) (Integer? value)))
       (requirement "RFC3416-4.2.5-3" "Set with a value of another type gives wrongType.")
       wrong-type)
      ((and (Text? value) (> (string-length (Text-value value)) 255))
       (requirement "RFC3416-4.2.5-4" "Set with a value of a wrong length gives wrongLength.")
       wrong-length)
      ((and (Integer? value)
            (not (<= (car (range self object)) (Integer-value value) (cdr (range self object)))))
       (requirement "RFC3416-4.2.5-6" "Set with a value that the variable can never have gives wrongValue.")
       wrong-value)
      ((eq? object 'sysName.1)
       (requirement "RFC3416-4.2.5-7" "Set of a variable that does not exist and cannot be created gives noCreation.")
       no-creation)
      ((and (eq? object 'linkMtu.1) (node-busy self))
       (requirement "RFC3416-4.2.5-10" "Set of a variable that cannot be changed just now gives inconsistentValue.")
       inconsistent-value)
      (else no-error))))

(define (commit! self binding)
  (let* ((object (Binding-object binding))
         (value (Binding-value binding))
         (old (setting self object))
         (new (if (Text? value) (Text-value value) (Integer-value value))))
    (hash-table-set! (node-settings self) object new)
    (when (and (eq? object 'ifAdminStatus.1) (not (= new old)))
      (requirement "RFC2863-linkDown" "An interface that goes down or comes up is reported.")
      (trap self (if (= new 1) 'linkUp 'linkDown)))))

; The response to a Set: nothing is assigned unless everything can be.
(define (set-all! self request)
  (let loop ((rest (Set-bindings request)) (index 1))
    (cond
      ((null? rest)
       (requirement "RFC3416-4.2.5-13" "When every binding is valid, all variables are assigned, and the status is noError.")
       (for-each (lambda (binding) (commit! self binding)) (Set-bindings request))
       (Response (Set-id request) no-error 0 (Set-bindings request)))
      (else
       (let ((status (validate self (car rest))))
         (if (= status no-error)
             (loop (cdr rest) (+ index 1))
             (Response (Set-id request) status index (Set-bindings request))))))))

; The response to a request, or #f where there is none.
(define (serve self request)
  (let ((community (if (Get? request) (Get-community request) (Set-community request))))
    (cond
      ((string=? community "guess")
       (requirement "RFC3418-authenticationFailure" "A request with a wrong community is dropped, and reported.")
       (trap self 'authenticationFailure)
       #f)
      ((Get? request)
       (Response (Get-id request) no-error 0
                 (map (lambda (object) (read-object self object)) (Get-objects request))))
      ((or (string=? community "private") (null? (Set-bindings request)))
       (set-all! self request))
      (else
       (requirement "RFC3416-4.2.5-1" "Set of a variable that may only be read with this community gives noAccess.")
       (Response (Set-id request) no-access 1 (Set-bindings request))))))

(define (serve-station self request)
  (let ((response (serve self request)))
    (when response
      (write (node-manager self) response))))

; ---- What is for the router itself (RFC 1812, 4.3) ----

(define (deliver self datagram)
  (let ((source (Datagram-source datagram)) (payload (Datagram-payload datagram)))
    (cond
      ((Echo? payload)
       (requirement "RFC792-echo" "An echo request is answered with its identifier and sequence number.")
       (originate self source (EchoReply (Echo-id payload) (Echo-sequence payload))))
      ((and (Solicitation? payload) (not (forwarding? self)))
       (requirement "RFC1256-1" "A system whose forwarding is switched off is no router: it answers no solicitation."))
      ((Solicitation? payload)
       (requirement "RFC1256-4.3" "A router solicitation is answered with an advertisement.")
       (originate self source (Advertisement (node-name self) 1800)))
      ((Udp? payload)
       (requirement "RFC1122-3.2.2.1-port" "A datagram for a port that nobody uses is answered with Port Unreachable.")
       (originate self source (Unreachable 3 0 (node-name self))))
      ((Unknown? payload)
       (requirement "RFC1122-3.2.2.1-protocol" "A datagram of an unknown protocol is answered with Protocol Unreachable.")
       (originate self source (Unreachable 2 0 (node-name self))))
      ; Errors, advertisements, and answers that are not waited for.
      (else (checkpoint "nothing to be done")))))

(define (process self datagram arrival)
  (if (eq? (Datagram-destination datagram) (node-name self))
      (deliver self datagram)
      (forward self datagram arrival)))

; ---- The negotiation ----

(define (echo-reply-for? self datagram request)
  (and (eq? (Datagram-source datagram) (node-peer self))
       (eq? (Datagram-destination datagram) (node-name self))
       (EchoReply? (Datagram-payload datagram))
       (= (EchoReply-sequence (Datagram-payload datagram)) (Echo-sequence request))))

; An echo travels as a datagram, SNMP by itself.
(define (ask self request)
  (cond
    ((Echo? request) (originate self (node-peer self) request))
    ((link-up? self) (send (node-wire self) request))))

(define (read-mtu serial) (Get "public" serial '(linkMtu.1)))

(define (write-mtu serial mtu) (Set "private" serial (list (Binding 'linkMtu.1 (Integer mtu)))))

(define (adopt! self mtu)
  (hash-table-set! (node-settings self) 'linkMtu.1 mtu)
  (write (node-manager self) (Agreed mtu)))

(define common-mtu 1500)
(define patience 2)
(define attempts 3)

; wanted    the MTU that is proposed
; serial    the number of the last request
; request   the last request to the other router, to be repeated
(define-machine (router self lan wire manager wanted serial request)

  (state up
    (initial steady)
    (entry
      (requirement "RFC3418-coldStart" "An agent that starts says so.")
      (trap self 'coldStart))
    (on (lan Datagram as datagram)
        (if (eq? (route self (Datagram-source datagram)) 'lan)
            (process self datagram 'lan)
            (requirement "RFC1812-5.3.8" "A datagram whose source address does not belong to its network is dropped.")))
    (on (wire Datagram as datagram)
        (process self datagram 'wire))
    (on (manager Get as query)
        (serve-station self query))
    (on (manager Set as query)
        (serve-station self query))
    (on (wire Get as query)
        (send (node-wire self) (serve self query)))
    (on (wire Set as query)
        (send (node-wire self) (serve self query)))
    (on (wire Response)
        (requirement "TR-7" "A Response to another request than the last is dropped: it is late, or its request was repeated."))

    (state steady
      (on (manager (Propose mtu))
          (cond
            ((> mtu (node-greatest-mtu self))
             (write manager (Disagreed 'own-limit)))
            (else
             (-> probing (with (wanted mtu) (serial (+ serial 1)) (request (Echo 1 (+ serial 1)))))))))

    (state negotiating
      (initial probing)
      (locals (tries 1))
      (entry (set-node-busy! self #t))
      (exit (set-node-busy! self #f))
      (on (manager Propose)
          (write manager (Disagreed 'busy)))
      (after patience (where (< tries attempts))
          (requirement "TR-1" "A request that the other router does not answer is repeated, twice.")
          (set! tries (+ tries 1))
          (ask self request))
      (after patience
          (requirement "TR-2" "A negotiation that is not answered is given up.")
          (write manager (Disagreed 'no-answer))
          -> steady)

      (state probing
        (entry (ask self request))
        (on (wire Datagram as datagram) (where (echo-reply-for? self datagram request))
            -> comparing (with (serial (+ serial 1)) (request (read-mtu (+ serial 1))))))

      (state comparing
        (entry (ask self request))
        (on (wire (Response id _ _ bindings)) (where (= id serial))
            (cond
              ((= (Integer-value (Binding-value (car bindings))) wanted)
               (requirement "TR-3" "What the other router has already need not be set.")
               (adopt! self wanted)
               (-> steady))
              (else
               (-> setting-mtu (with (serial (+ serial 1)) (request (write-mtu (+ serial 1) wanted))))))))

      (state setting-mtu
        (entry (ask self request))
        (on (wire (Response id status _ _)) (where (= id serial))
            (cond
              ((= status no-error)
               (requirement "TR-4" "What the other router accepts is the MTU of the link.")
               (adopt! self wanted)
               (-> steady))
              ((= status wrong-value)
               (requirement "TR-5" "If the other router cannot have the MTU that was proposed, 1500 is tried.")
               (-> setting-mtu (with (wanted common-mtu) (serial (+ serial 1)) (request (write-mtu (+ serial 1) common-mtu)))))
              (else
               (requirement "TR-6" "If the other router is negotiating itself, this one stands back.")
               (write manager (Disagreed 'refused))
               (-> steady))))))))

; ---- The link itself ----

(define (hand-over self wire message)
  (when (link-up? self)
    (send wire message)))

; The routers do not see whether the link works: they learn it only by the lack of answers, or by late ones.
; late    what is held back: for which router, its channel, and the message; the last first
(define-machine (link late)
  (state calm
    (on (from-a any as message) (hand-over router-b to-b message))
    (on (from-b any as message) (hand-over router-a to-a message))
    (on (cable Disturb) -> disturbed))
  (state disturbed
    (on (from-a any as message)
        (choose (hand-over router-b to-b message)
                (checkpoint "lost on the way to b")
                (set! late (cons (list router-b to-b message) late))))
    (on (from-b any as message)
        (choose (hand-over router-a to-a message)
                (checkpoint "lost on the way to a")
                (set! late (cons (list router-a to-a message) late))))
    (on (cable Calm)
        (for-each (lambda (held) (apply hand-over held)) (reverse late))
        -> calm (with (late '())))))

(spawn (router router-a lan-a to-a manager-a 0 0 #f))
(spawn (router router-b lan-b to-b manager-b 0 0 #f))
(spawn (link '()))
