; A SIP user agent (RFC 3261): initiating, changing and ending a session, and registration.
;
; The tester plays the person at the telephone (port user) and everything beyond the transport (port network). The model is
; the user agent's core together with its transactions: the INVITE client transaction with timers A, B and D (17.1.1), the
; non-INVITE client transaction with timers E, F and K (17.1.2), the INVITE server transaction with timers G, H and I
; (17.2.1), the non-INVITE server transaction with timer J (17.2.2), and the 2xx responses that the core itself repeats until
; the ACK (13.3.1.4). It places a call, follows redirections, answers authentication challenges, cancels, changes the session
; with a re-INVITE, hangs up, is called, and keeps a registration alive.
;
; Left out: parsing and encoding; routing (Via, Route, and the URI of requests within a dialog); branch parameters and the
; Call-ID, since there is one dialog at a time, and CSeq numbers, which go on counting from call to call, tell the transactions
; apart; session descriptions; early dialogs of the caller (provisional responses are only shown); other methods; the
; computation of digests (a request with credentials shows the nonce they answer); retransmissions towards those whose call
; this agent does not take (the BYE to a second branch of a forked call, the 486 to a second caller). Where the RFC lets the
; agent draw a time at random, the model takes the middle. Time is in milliseconds.
;
; What ends a transaction comes after several retransmissions that are all alike. Tests: espalier generate sip_client.scm

; ---- Timer values (table 4) ----

(define T1 500)                         ; estimate of the round-trip time
(define T2 4000)                        ; longest interval of retransmissions
(define T4 5000)                        ; longest life of a message in the network

(define-timer timer-a)                  ; INVITE retransmission
(define-timer timer-b)                  ; INVITE transaction timeout
(define-timer timer-d)                  ; wait for retransmitted final responses to INVITE
(define-timer timer-e)                  ; non-INVITE retransmission
(define-timer timer-f)                  ; non-INVITE transaction timeout
(define-timer timer-g)                  ; retransmission of a response to INVITE
(define-timer timer-h)                  ; wait for its ACK
(define-timer timer-i)                  ; wait for retransmitted ACKs
(define-timer timer-j)                  ; wait for retransmitted requests other than INVITE
(define-timer timer-k)                  ; wait for retransmitted final responses to others
(define-timer cancel-timer)             ; a final response after CANCEL (9.1)
(define-timer refresh)                  ; the registration is to be renewed (10.2.4)

; ---- Messages ----

(define-type cseq (int 1 2147483647))
(define-type method (enum INVITE BYE CANCEL REGISTER))

; The headers of a response that matter here; none of them in most.
(define-message None)
(define-message Authenticate (nonce string))              ; WWW-Authenticate or Proxy-Authenticate
(define-message Contact (uris (list-of string 2)))        ; where to try next
(define-message Expires (seconds (int 0 86400)))          ; or Min-Expires

; Every response but 100 carries a To tag (8.2.6.2).
(define-message Response
  (code (int 100 699)) (method method) (cseq cseq) (to-tag string)
  (header (one-of None Authenticate Contact Expires))
  (where (or (= code 100) (not (string=? to-tag "")))))

; A To tag of "" is that of a request outside a dialog; a nonce of "" stands for no credentials.
(define-message Invite (cseq cseq) (target string) (from-tag string) (to-tag string) (nonce string)
  (where (not (string=? from-tag ""))))
(define-message Ack (cseq cseq) (from-tag string) (to-tag string))
(define-message Bye (cseq cseq) (from-tag string) (to-tag string))
(define-message Cancel (cseq cseq) (from-tag string))
(define-message Register (cseq cseq) (expires int) (nonce string))

(define-port network (in Response Invite Ack Bye Cancel)
                     (out Response Invite Ack Bye Cancel Register))

; The person: what it asks for, and what it is told.
(define-message Call (target string))
(define-message Abandon)                ; stops calling before there is an answer
(define-message HangUp)
(define-message Hold)                   ; any change of the session: a re-INVITE
(define-message Answer)
(define-message Decline)
(define-message SignOn)
(define-message SignOff)
(define-message Quit)

(define-message Progress (code (int 101 199)))
(define-message Connected)
(define-message Failed (code (int 300 699)))
(define-message Ended)
(define-message Held (done bool))
(define-message Alerting (caller string))
(define-message SignedOn (seconds int))
(define-message SignedOff)

(define-port user (in Call Abandon HangUp Hold Answer Decline SignOn SignOff Quit)
                  (out Progress Connected Failed Ended Held Alerting SignedOn SignedOff))

; ---- Responses ----

; An unknown code counts as the x00 of its class (8.1.3.2), so only the class is looked at, unless a code is named.
(define (class r) (quotient (Response-code r) 100))

(define (answers? r method cseq)
  (and (eq? (Response-method r) method) (= (Response-cseq r) cseq)))

(define (provisional? r method cseq) (and (answers? r method cseq) (= (class r) 1)))
(define (success? r method cseq)     (and (answers? r method cseq) (= (class r) 2)))
(define (failure? r method cseq)     (and (answers? r method cseq) (> (class r) 2)))

(define (challenge? r)
  (and (memv (Response-code r) '(401 407))
       (Authenticate? (Response-header r))))

(define (redirection? r)
  (and (= (class r) 3)
       (Contact? (Response-header r))))

(define (respond code method cseq tag)
  (write network (Response code method cseq tag (None))))

(define (new-tag) (fresh string))

; The members of `uris` that are not in `known`, each once (8.1.3.4: no URI is tried twice).
(define (new-targets uris known)
  (cond
    ((null? uris) '())
    ((member (car uris) known) (new-targets (cdr uris) known))
    (else (cons (car uris) (new-targets (cdr uris) (cons (car uris) known))))))

; Chosen when the agent is configured. Only an unreliable transport needs retransmissions and the waits for them.
(define transport (choose 'udp 'tcp))
(define (unreliable?) (eq? transport 'udp))

(define (start-if-unreliable timer delay)
  (when (unreliable?) (start timer delay)))

(define (doubled interval) (min (* 2 interval) T2))

; ---- Transactions that are Completed ----

; They go on beside whatever the agent does next, on an unreliable transport. An INVITE without its final response is
; no longer retransmitted once its dialog has ended.

(define last-ack #f)                    ; the ACK to the latest failure of an INVITE, while timer D runs
(define last-bye #f)                    ; the latest BYE that was answered with 200, while timer J runs
(define orphan #f)                      ; (cseq . local tag) of an INVITE whose dialog ended before its final response

(define (acknowledge-failure ack)
  (requirement "RFC3261-17.1.1.2-ACK" "A final response from 300 to 699 is acknowledged within the transaction.")
  (write network ack)
  (when (unreliable?)
    (start timer-d (* 64 T1))
    (set! last-ack ack)))

(define (accept-bye bye)
  (requirement "RFC3261-15.1.2" "A BYE within the dialog is answered with 200 and ends the session.")
  (respond 200 'BYE (Bye-cseq bye) (Bye-to-tag bye))
  (when (unreliable?)
    (start timer-j (* 64 T1))
    (set! last-bye bye)))

; ---- The user agent ----

; seq         the CSeq number of the latest INVITE or BYE
; target      the URI that is being called; tried: those before, with it; others: those still to try
; nonce       of the challenge that the credentials answer, "" without
; abandoned   the person does not want the call any more
; local-tag, remote-tag   of the dialog
; ack-seq     the CSeq number of the INVITE whose 2xx this agent acknowledges
; remote-seq  the highest CSeq number of the other side in the dialog
; caller      this agent placed the call
; refusal     the code with which it refuses one
; register-seq, wanted    the CSeq number of the latest REGISTER, and the expiration it asks for
(define-machine (ua seq target tried others nonce abandoned
                    local-tag remote-tag ack-seq remote-seq caller refusal
                    register-seq wanted)

  (state running
    (initial idle)

    ; What belongs to transactions that are Completed.
    (on (network Response as r) (where (and last-ack (failure? r 'INVITE (Ack-cseq last-ack))))
        (requirement "RFC3261-17.1.1.2-Completed" "A retransmitted final response to INVITE is answered with the ACK again, while timer D runs.")
        (write network last-ack))
    (on (timeout timer-d)
        (requirement "RFC3261-17.1.1.2-D" "Timer D ends the INVITE client transaction.")
        (set! last-ack #f))
    (on (network Response as r) (where (and orphan (success? r 'INVITE (car orphan))))
        (requirement "RFC3261-13.2.2.4-Orphan" "A 2xx, and each repetition of it, is acknowledged even when the dialog has ended meanwhile.")
        (write network (Ack (car orphan) (cdr orphan) (Response-to-tag r))))
    (on (network Response as r) (where (and orphan (failure? r 'INVITE (car orphan))))
        (acknowledge-failure (Ack (car orphan) (cdr orphan) (Response-to-tag r)))
        (set! orphan #f))
    (on (network Bye as bye) (where (equal? bye last-bye))
        (requirement "RFC3261-17.2.2-Completed" "A retransmitted request is answered with the same response again, while timer J runs.")
        (respond 200 'BYE (Bye-cseq bye) (Bye-to-tag bye)))
    (on (timeout timer-j)
        (requirement "RFC3261-17.2.2-J" "Timer J ends the non-INVITE server transaction.")
        (set! last-bye #f))
    (on (timeout timer-k)
        (requirement "RFC3261-17.1.2.2-K" "Timer K ends the non-INVITE client transaction."))

    ; Requests that no state inside takes.
    (on (network (Invite n _ _ "" _))
        (requirement "RFC3261-21.4.24" "A callee that is busy answers 486.")
        (respond 486 'INVITE n (any)))
    (on (network (Invite n _ _ _ _))
        (requirement "RFC3261-12.2.2-Unknown" "A request with a To tag that matches no dialog is answered with 481.")
        (respond 481 'INVITE n (any)))
    (on (network (Bye n _ _))
        (requirement "RFC3261-15.1.2-Unknown" "A BYE that matches no dialog is answered with 481.")
        (respond 481 'BYE n (any)))
    (on (network (Cancel n _))
        (requirement "RFC3261-9.2-Unknown" "A CANCEL that matches no transaction is answered with 481.")
        (respond 481 'CANCEL n (any)))
    ; An ACK is never answered, and a response to nothing is dropped (18.1.2).
    (ignores network)

    (state idle
      (on (user (Call uri))
          -> calling (with (target uri) (tried (list uri)) (others '()) (nonce "") (abandoned #f)
                           (seq (+ seq 1)) (local-tag (new-tag)) (remote-tag "") (ack-seq 0) (remote-seq 0)
                           (caller #t)))
      (on (user SignOn)
          -> register-trying (with (register-seq (+ register-seq 1)) (wanted 3600) (nonce "")))
      (on (user SignOff)
          -> register-trying (with (register-seq (+ register-seq 1)) (wanted 0) (nonce "")))
      (on (timeout refresh)
          (requirement "RFC3261-10.2.4" "A binding is refreshed before it expires.")
          -> register-trying (with (register-seq (+ register-seq 1)) (nonce "")))
      (on (network (Invite n _ from "" _))
          (write user (Alerting from))
          -> ringing (with (local-tag (new-tag)) (remote-tag from) (ack-seq 0) (remote-seq n) (nonce "")
                           (caller #f)))
      (on (user Quit) -> off))

    ; ---- Registration (section 10), a non-INVITE client transaction (17.1.2) ----

    (state registering
      (initial register-trying)
      (locals (interval T1))
      (entry (write network (Register register-seq wanted nonce))
             (start-if-unreliable timer-e T1)
             (start timer-f (* 64 T1)))
      (exit (stop timer-e)
            (stop timer-f))
      (on (network Response as r) (where (success? r 'REGISTER register-seq))
          (start-if-unreliable timer-k T4)
          (let ((seconds (if (Expires? (Response-header r)) (Expires-seconds (Response-header r)) wanted)))
            (cond
              ((or (= wanted 0) (= seconds 0))
               (stop refresh)
               (write user (SignedOff))
               (-> idle))
              (else
               (requirement "RFC3261-10.2.4-Expires" "The registrar's expiration counts, not the one asked for.")
               (start refresh (* 500 seconds))
               (write user (SignedOn seconds))
               (-> idle)))))
      (on (network Response as r) (where (failure? r 'REGISTER register-seq))
          (start-if-unreliable timer-k T4)
          (cond
            ((and (challenge? r) (string=? nonce ""))
             (requirement "RFC3261-22.2-Register" "A challenged REGISTER is sent again with credentials and a higher CSeq.")
             (-> registering (with (register-seq (+ register-seq 1))
                                   (nonce (Authenticate-nonce (Response-header r))))))
            ((and (= (Response-code r) 423) (Expires? (Response-header r))
                  (> (Expires-seconds (Response-header r)) wanted))
             (requirement "RFC3261-10.2.8" "After 423 the agent may try again with an expiration of at least Min-Expires.")
             (-> registering (with (register-seq (+ register-seq 1))
                                   (wanted (Expires-seconds (Response-header r))))))
            (else
             (write user (Failed (Response-code r)))
             (-> idle))))
      (on (timeout timer-f)
          (requirement "RFC3261-17.1.2.2-F" "Timer F ends a non-INVITE transaction without a final response.")
          (write user (Failed 408))
          -> idle)

      (state register-trying
        (on (network Response as r) (where (provisional? r 'REGISTER register-seq))
            -> register-proceeding)
        (on (timeout timer-e)
            (requirement "RFC3261-17.1.2.2-E" "Timer E retransmits the request and doubles its interval up to T2.")
            (write network (Register register-seq wanted nonce))
            (set! interval (doubled interval))
            (start timer-e interval)))

      (state register-proceeding
        (on (timeout timer-e)
            (requirement "RFC3261-17.1.2.2-E-Proceeding" "In Proceeding the request is retransmitted every T2.")
            (write network (Register register-seq wanted nonce))
            (start timer-e T2))))

    ; ---- Calling (13.2), an INVITE client transaction (17.1.1) ----

    (state inviting
      (initial calling)

      (on (network Response as r) (where (success? r 'INVITE seq))
          (write network (Ack seq local-tag (Response-to-tag r)))
          (cond
            (abandoned
             (requirement "RFC3261-9.1-Late" "A call that is answered in spite of CANCEL is acknowledged and ended with BYE.")
             (-> leaving (with (ack-seq seq) (seq (+ seq 1)) (remote-tag (Response-to-tag r)))))
            (else
             (requirement "RFC3261-13.2.2.4" "A 2xx response establishes the dialog and is acknowledged.")
             (write user (Connected))
             (-> talking (with (ack-seq seq) (remote-tag (Response-to-tag r)))))))

      (on (network Response as r) (where (failure? r 'INVITE seq))
          (acknowledge-failure (Ack seq local-tag (Response-to-tag r)))
          (cond
            (abandoned
             (write user (Ended))
             (-> idle))
            ((and (challenge? r) (string=? nonce ""))
             (requirement "RFC3261-22.2" "A challenged INVITE is sent again with credentials and a higher CSeq.")
             (-> calling (with (seq (+ seq 1)) (nonce (Authenticate-nonce (Response-header r))))))
            ((= (class r) 6)
             (requirement "RFC3261-21.6" "After a global failure no other target is tried.")
             (write user (Failed (Response-code r)))
             (-> idle))
            (else
             (let ((next (append (if (redirection? r) (new-targets (Contact-uris (Response-header r)) tried) '())
                                 others)))
               (cond
                 ((null? next)
                  (write user (Failed (Response-code r)))
                  (-> idle))
                 (else
                  (requirement "RFC3261-8.1.3.4" "A redirected call tries the new targets in order, none of them twice.")
                  (-> calling (with (seq (+ seq 1)) (target (car next)) (others (cdr next))
                                    (tried (append next tried)) (nonce "")))))))))

      (state calling
        (locals (interval T1))
        (entry (write network (Invite seq target local-tag "" nonce))
               (start-if-unreliable timer-a T1)
               (start timer-b (* 64 T1)))
        (on (timeout timer-a)
            (requirement "RFC3261-17.1.1.2-A" "Timer A retransmits the INVITE and doubles its interval, without limit.")
            (write network (Invite seq target local-tag "" nonce))
            (set! interval (* 2 interval))
            (start timer-a interval))
        (on (timeout timer-b)
            (requirement "RFC3261-17.1.1.2-B" "Timer B ends the transaction; the core treats it as a 408.")
            (if abandoned (write user (Ended)) (write user (Failed 408)))
            -> idle)
        (on (user Abandon) (where (not abandoned))
            (requirement "RFC3261-9.1-Wait" "No CANCEL is sent before a provisional response has come.")
            (set! abandoned #t))
        (on (network Response as r) (where (provisional? r 'INVITE seq))
            (cond
              (abandoned (-> cancelling))
              (else
               (show-progress r)
               (-> proceeding))))
        (exit (stop timer-a)
              (stop timer-b)))

      (state proceeding
        (on (network Response as r) (where (provisional? r 'INVITE seq))
            (show-progress r))
        (on (user Abandon)
            -> cancelling (with (abandoned #t))))

      ; CANCEL is a transaction of its own; cancel-timer, which runs as long, stands for its timer F.
      (state cancelling
        (locals (interval T1))
        (entry (requirement "RFC3261-9.1" "CANCEL has the CSeq number of the INVITE that it cancels.")
               (write network (Cancel seq local-tag))
               (start-if-unreliable timer-e T1)
               (start cancel-timer (* 64 T1)))
        (on (timeout timer-e)
            (write network (Cancel seq local-tag))
            (set! interval (doubled interval))
            (start timer-e interval))
        (on (network Response as r) (where (or (success? r 'CANCEL seq) (failure? r 'CANCEL seq)))
            -> cancelled)
        (on (timeout cancel-timer)
            (write user (Ended)) -> idle)
        (exit (stop timer-e)))

      ; The CANCEL is answered, the INVITE is not yet: 487 or, if it came too late, 2xx.
      (state cancelled
        (on (timeout cancel-timer)
            (requirement "RFC3261-9.1-Timeout" "Without a final response within 64*T1 after CANCEL the call counts as cancelled.")
            (write user (Ended)) -> idle))
      (exit (stop cancel-timer)))

    ; ---- In a call (sections 12, 14 and 15) ----

    (state dialog
      (initial talking)

      (on (network Response as r) (where (success? r 'INVITE ack-seq))
          (cond
            ((equal? (Response-to-tag r) remote-tag)
             (requirement "RFC3261-13.2.2.4-Again" "Each retransmission of the 2xx is acknowledged again.")
             (write network (Ack ack-seq local-tag remote-tag)))
            (else
             (requirement "RFC3261-13.2.2.4-Fork" "A second branch that answers is acknowledged and ended with BYE.")
             (write network (Ack ack-seq local-tag (Response-to-tag r)))
             (write network (Bye (+ ack-seq 1) local-tag (Response-to-tag r))))))
      (on (network (Bye n from to)) (where (and (equal? from remote-tag) (equal? to local-tag) (< n remote-seq)))
          (respond 500 'BYE n local-tag))
      (on (network (Bye n from to) as bye) (where (and (equal? from remote-tag) (equal? to local-tag)))
          (accept-bye bye)
          (write user (Ended))
          -> idle)
      (on (network (Invite n _ from to _))
          (where (and (equal? from remote-tag) (equal? to local-tag) (< n remote-seq)))
          (requirement "RFC3261-12.2.2-CSeq" "A request whose CSeq number is lower than the last is answered with 500.")
          (respond 500 'INVITE n local-tag))
      ; The INVITE that this agent accepted, once more (RFC 6026, 7.1).
      (on (network (Invite n _ from _ _)) (where (and (= n remote-seq) (equal? from remote-tag)))
          (checkpoint "a retransmitted INVITE is absorbed"))
      (on (user HangUp)
          -> leaving (with (seq (+ seq 1))))

      (state talking
        (on (user Hold)
            -> reinvite-calling (with (seq (+ seq 1))))
        (on (network (Invite n _ from to _))
            (where (and (equal? from remote-tag) (equal? to local-tag) (> n remote-seq)))
            -> reaccepting (with (remote-seq n))))

      ; This agent changes the session (14.1).
      (state reinviting
        (initial reinvite-calling)
        (on (network Response as r) (where (success? r 'INVITE seq))
            (write network (Ack seq local-tag remote-tag))
            (write user (Held #t))
            -> talking (with (ack-seq seq)))
        (on (network Response as r) (where (failure? r 'INVITE seq))
            (acknowledge-failure (Ack seq local-tag remote-tag))
            (case (Response-code r)
              ((491)
               (requirement "RFC3261-14.1-Glare" "After 491 the re-INVITE is tried again later; the owner of the Call-ID waits longer.")
               (-> reinvite-waiting))
              ((408 481)
               (requirement "RFC3261-12.2.1.2" "A 481 or 408 within the dialog ends it.")
               (-> leaving (with (seq (+ seq 1)))))
              (else
               (requirement "RFC3261-14.1-Failed" "If a re-INVITE fails, the session goes on as before.")
               (write user (Held #f))
               (-> talking))))
        (on (network (Invite n _ from to _))
            (where (and (equal? from remote-tag) (equal? to local-tag) (> n remote-seq)))
            (requirement "RFC3261-14.2-Glare" "A re-INVITE that meets one of this agent's own is answered with 491.")
            (set! remote-seq n)
            (respond 491 'INVITE n local-tag))
        (on (network (Bye n from to) as bye) (where (and (equal? from remote-tag) (equal? to local-tag) (> n remote-seq)))
            (accept-bye bye)
            (write user (Ended))
            (set! orphan (cons seq local-tag))
            -> idle)
        (on (user HangUp)
            (set! orphan (cons seq local-tag))
            -> leaving (with (seq (+ seq 1))))

        (state reinvite-calling
          (locals (interval T1))
          (entry (write network (Invite seq (any) local-tag remote-tag nonce))
                 (start-if-unreliable timer-a T1)
                 (start timer-b (* 64 T1)))
          (on (timeout timer-a)
              (write network (Invite seq (any) local-tag remote-tag nonce))
              (set! interval (* 2 interval))
              (start timer-a interval))
          (on (timeout timer-b)
              (requirement "RFC3261-12.2.1.2-Timeout" "No response to a request within the dialog ends it.")
              -> leaving (with (seq (+ seq 1))))
          (on (network Response as r) (where (provisional? r 'INVITE seq))
              -> reinvite-proceeding)
          (exit (stop timer-a)
                (stop timer-b)))

        (state reinvite-proceeding
          (on (network Response as r) (where (provisional? r 'INVITE seq)))))

      ; 2.1 to 4 s for the owner of the Call-ID, 0 to 2 s for the other.
      (state reinvite-waiting
        (after (if caller 3050 1000)
               -> reinvite-calling (with (seq (+ seq 1))))
        (on (network (Invite n _ from to _))
            (where (and (equal? from remote-tag) (equal? to local-tag) (> n remote-seq)))
            -> reaccepting (with (remote-seq n))))

      ; The other side changes the session (14.2): 200 until the ACK comes.
      (state reaccepting
        (locals (interval T1))
        (entry (respond 200 'INVITE remote-seq local-tag)
               (start timer-g T1)
               (start timer-h (* 64 T1)))
        (on (network (Ack n from to))
            (where (and (= n remote-seq) (equal? from remote-tag) (equal? to local-tag)))
            -> talking)
        (on (timeout timer-g)
            (respond 200 'INVITE remote-seq local-tag)
            (set! interval (doubled interval))
            (start timer-g interval))
        (on (timeout timer-h)
            -> leaving (with (seq (+ seq 1))))
        (exit (stop timer-g)
              (stop timer-h))))

    ; ---- Hanging up (15.1.1), a non-INVITE client transaction ----

    (state leaving
      (initial bye-trying)
      (locals (interval T1))
      (entry (write network (Bye seq local-tag remote-tag))
             (start-if-unreliable timer-e T1)
             (start timer-f (* 64 T1)))
      (exit (stop timer-e)
            (stop timer-f)
            (write user (Ended)))
      (on (network Response as r) (where (or (success? r 'BYE seq) (failure? r 'BYE seq)))
          (requirement "RFC3261-15.1.1" "Whatever the final response to BYE, the session has ended.")
          (start-if-unreliable timer-k T4)
          -> idle)
      (on (timeout timer-f)
          (requirement "RFC3261-15.1.1-Timeout" "A BYE without a response ends the session as well.")
          -> idle)
      (on (network (Bye n from to) as bye) (where (and (equal? from remote-tag) (equal? to local-tag)))
          (accept-bye bye))
      (on (network Response as r) (where (and (success? r 'INVITE ack-seq) (equal? (Response-to-tag r) remote-tag)))
          (write network (Ack ack-seq local-tag remote-tag)))

      (state bye-trying
        (on (network Response as r) (where (provisional? r 'BYE seq))
            -> bye-proceeding)
        (on (timeout timer-e)
            (write network (Bye seq local-tag remote-tag))
            (set! interval (doubled interval))
            (start timer-e interval)))

      (state bye-proceeding
        (on (timeout timer-e)
            (write network (Bye seq local-tag remote-tag))
            (start timer-e T2))))

    ; ---- Being called (13.3), an INVITE server transaction (17.2.1) ----

    (state incoming
      (initial ringing)
      (on (network (Cancel n from)) (where (and (= n remote-seq) (equal? from remote-tag)))
          (requirement "RFC3261-9.2-Late" "A CANCEL after the final response is answered with 200 and has no effect.")
          (respond 200 'CANCEL n local-tag))

      (state ringing
        (entry (respond 180 'INVITE remote-seq local-tag))
        (on (network (Invite n _ from "" _)) (where (and (= n remote-seq) (equal? from remote-tag)))
            (requirement "RFC3261-17.2.1-Proceeding" "A retransmitted INVITE is answered with the latest provisional response.")
            (respond 180 'INVITE remote-seq local-tag))
        (on (network (Cancel n from)) (where (and (= n remote-seq) (equal? from remote-tag)))
            (requirement "RFC3261-9.2" "A CANCEL is answered with 200, and its INVITE with 487.")
            (respond 200 'CANCEL n local-tag)
            (write user (Ended))
            -> rejecting (with (refusal 487)))
        (on (network (Bye n from to) as bye) (where (and (equal? from remote-tag) (equal? to local-tag)))
            (requirement "RFC3261-15.1.2-Pending" "A BYE in an early dialog is answered with 200, and the pending INVITE with 487.")
            (accept-bye bye)
            (write user (Ended))
            -> rejecting (with (refusal 487)))
        (on (user Answer)  -> accepting)
        (on (user Decline) -> rejecting (with (refusal 603))))

      ; 200 is sent; the core repeats it on every transport, since it goes from end to end.
      (state accepting
        (locals (interval T1) (leave #f))
        (entry (respond 200 'INVITE remote-seq local-tag)
               (start timer-g T1)
               (start timer-h (* 64 T1)))
        (on (timeout timer-g)
            (requirement "RFC3261-13.3.1.4" "The 2xx is repeated until the ACK, at intervals that double up to T2.")
            (respond 200 'INVITE remote-seq local-tag)
            (set! interval (doubled interval))
            (start timer-g interval))
        (on (network (Ack n from to))
            (where (and (= n remote-seq) (equal? from remote-tag) (equal? to local-tag)))
            (cond
              (leave (-> leaving (with (seq (+ seq 1)))))
              (else
               (write user (Connected))
               (-> talking))))
        (on (timeout timer-h)
            (requirement "RFC3261-13.3.1.4-Timeout" "Without an ACK within 64*T1 the session is ended with BYE.")
            -> leaving (with (seq (+ seq 1))))
        (on (user HangUp) (where (not leave))
            (requirement "RFC3261-15" "The callee sends no BYE before it has the ACK to its 2xx, or has stopped waiting for it.")
            (set! leave #t))
        (on (network (Invite n _ from "" _)) (where (and (= n remote-seq) (equal? from remote-tag)))
            (checkpoint "a retransmitted INVITE is absorbed"))
        (on (network (Bye n from to) as bye) (where (and (equal? from remote-tag) (equal? to local-tag)))
            (accept-bye bye)
            (write user (Ended))
            -> idle)
        (exit (stop timer-g)
              (stop timer-h)))

      (state rejecting
        (locals (interval T1))
        (entry (respond refusal 'INVITE remote-seq local-tag)
               (start-if-unreliable timer-g T1)
               (start timer-h (* 64 T1)))
        (on (timeout timer-g)
            (requirement "RFC3261-17.2.1-G" "Timer G retransmits the final response and doubles its interval up to T2.")
            (respond refusal 'INVITE remote-seq local-tag)
            (set! interval (doubled interval))
            (start timer-g interval))
        (on (network (Invite n _ from "" _)) (where (and (= n remote-seq) (equal? from remote-tag)))
            (respond refusal 'INVITE remote-seq local-tag))
        (on (network (Ack n from _)) (where (and (= n remote-seq) (equal? from remote-tag)))
            (if (unreliable?) (-> confirmed) (-> idle)))
        (on (timeout timer-h)
            (requirement "RFC3261-17.2.1-H" "Timer H ends the transaction if no ACK comes.")
            -> idle)
        (exit (stop timer-g)
              (stop timer-h)))

      (state confirmed
        (entry (start timer-i T4))
        (on (network (Ack n from _)) (where (and (= n remote-seq) (equal? from remote-tag)))
            (requirement "RFC3261-17.2.1-Confirmed" "Further ACKs are absorbed until timer I fires."))
        (on (timeout timer-i) -> idle))))

  (state off (final)))

(define (show-progress r)
  (when (> (Response-code r) 100)
    (write user (Progress (Response-code r)))))

(ua 0 "" '() '() "" #f "" "" 0 0 #f 0 0 0)
