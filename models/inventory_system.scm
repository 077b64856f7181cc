; An item warehouse application: a client, a server and the server's database (the Inventory System of Lahola 2010, chapter 6).
;
; Three threads talk over channels. The client shows a person how many pieces of each item there are: it polls the server
; (manual update mode), or sets a flag at the server and is told of every change (auto update mode). The server answers the
; client, books what comes into the warehouse and leaves it, and can be suspended, during which requests pile up unanswered.
; The database holds the stock and refuses what cannot be. The tester plays the person in front of the client (port user)
; and the staff of the warehouse (port warehouse).
;
; The client repeats a request that is not answered in time, gives up after the third attempt, and then is off line until the
; person reconnects. Requests are numbered, so that late and repeated answers are told from the one that is waited for.
;
; Left out: further clients, users and their rights, adding and removing kinds of items, messages lost between the threads (a
; suspended server looks the same to the client), and the loss of the database. Time is in seconds.

(include "inventory.ss")                ; messages of client and server, and what the client knows

(define capacity 1000)                  ; pieces of one item that the warehouse can hold

(define-port user
  (in Refresh RefreshItem Cancel SetAuto SetLevel Reconnect Quit)
  (out Show UpToDate Reorder Replenished Mode))

; ---- The staff of the warehouse ----

(define-message Update (item item) (change (int -1000 1000)))   ; pieces that came in, or left
(define-message Suspend)
(define-message Resume)
(define-message Close)

(define-message Booked (item item) (quantity quantity))
(define-message Refused (item item) (reason (enum shortage overflow suspended)))

(define-port warehouse (in Update Suspend Resume Close) (out Booked Refused))

(define-channel to-server)
(define-channel to-client)

; ---- Between server and database ----

(define-message Query (wanted (list-of item 3)))
(define-message Store (item item) (change (int -1000 1000)))
(define-channel to-database)

(define-message Result (entries (list-of Entry 3)))
(define-message Stored (item item) (quantity quantity))
(define-message Rejected (item item) (reason (enum shortage overflow)))
(define-channel from-database)

; ---- The client ----

(define (poll-answered! wanted entries)
  (assert (equal? (map Entry-item entries) wanted))
  (manual-update! entries))

; serial    the number of the last request
; request   the request itself, to be repeated
(define-machine (client serial request)

  (state connected
    (initial manual-update-mode)
    (on (user (SetLevel item level))
        (hash-table-set! levels item level))
    (on (user Quit)
        (send to-server (Bye))
        -> quit)
    (on (to-client Closing)
        (requirement "INV-13" "A server that closes takes its client off line.")
        -> offline)
    ; Answers that come late, or twice.
    (ignores to-client)

    (state manual-update-mode
      (on (user Refresh)
          -> process-manual-update (with (serial (+ serial 1)) (request (Get (+ serial 1) all-items))))
      (on (user (RefreshItem item))
          -> process-manual-update (with (serial (+ serial 1)) (request (Get (+ serial 1) (list item)))))
      (on (user (SetAuto #t))
          -> set-flag (with (serial (+ serial 1)) (request (SetFlag (+ serial 1) #t)))))

    (state auto-update-mode
      (entry (write user (Mode 'auto)))
      (on (to-client (Changed item quantity))
          (auto-update! item quantity))
      (on (user Refresh)
          (requirement "INV-9" "In auto update mode the client shows what it was told, without asking the server.")
          (show-copy))
      (on (user (SetAuto #f))
          -> clear-flag (with (serial (+ serial 1)) (request (SetFlag (+ serial 1) #f)))))

    (state awaiting-answer
      (initial process-manual-update)
      (locals (tries 1))
      (entry (send to-server request))
      (after patience (where (< tries attempts))
          (requirement "INV-10" "A request that is not answered in time is repeated.")
          (set! tries (+ tries 1))
          (send to-server request))
      (after patience
          (requirement "INV-11" "After the third attempt the client is off line.")
          -> offline)

      (state process-manual-update
        (on (to-client (Items n entries)) (where (= n serial))
            (poll-answered! (Get-wanted request) entries)
            -> manual-update-mode)
        (on (user Cancel)
            (requirement "INV-3" "The person may stop waiting; the answer is ignored when it comes.")
            -> manual-update-mode))

      (state set-flag
        (on (to-client (Items n entries)) (where (= n serial))
            (requirement "INV-4" "Auto update mode begins with all that has changed since the client last asked.")
            (poll-answered! all-items entries)
            -> auto-update-mode))

      (state clear-flag
        (on (to-client (FlagCleared n)) (where (= n serial))
            (write user (Mode 'manual))
            -> manual-update-mode))))

  (state offline
    (entry (write user (Mode 'offline)))
    ; Whether the server still has the flag is not known: clear it.
    (on (user Reconnect)
        (requirement "INV-12" "A client that reconnects is in manual update mode, whatever it was before.")
        -> clear-flag (with (serial (+ serial 1)) (request (SetFlag (+ serial 1) #f))))
    (on (user Quit)
        (send to-server (Bye))
        -> quit)
    (ignores to-client))

  (state quit (final)))

; ---- The server ----

; flag      does the client want to be told of changes?
; serial    the request that is being answered
(define-machine (server flag serial)

  (state process-messages
    (on (to-server (Get n wanted))
        (send to-database (Query wanted))
        -> answer (with (serial n)))
    (on (to-server (SetFlag n #t))
        (send to-database (Query all-items))
        -> answer (with (flag #t) (serial n)))
    (on (to-server (SetFlag n #f))
        (send to-client (FlagCleared n))
        -> process-messages (with (flag #f)))
    (on (to-server Bye)
        -> process-messages (with (flag #f)))
    (on (warehouse (Update item change))
        (send to-database (Store item change))
        -> book)
    (on (warehouse Suspend)
        -> suspended)
    (on (warehouse Close)
        (send to-client (Closing))
        -> closed))

  (state answer
    (on (from-database (Result entries))
        (send to-client (Items serial entries))
        -> process-messages))

  (state book
    (on (from-database (Stored item quantity))
        (requirement "INV-1" "What comes in and what leaves is booked, and the new quantity is told.")
        (write warehouse (Booked item quantity))
        (when flag
          (send to-client (Changed item quantity)))
        -> process-messages)
    (on (from-database (Rejected item reason))
        (write warehouse (Refused item reason))
        -> process-messages))

  ; Requests stay in the channel.
  (state suspended
    (on (warehouse (Update item _))
        (requirement "INV-16" "A suspended server books nothing.")
        (write warehouse (Refused item 'suspended)))
    (on (warehouse Resume)
        -> process-messages)
    (on (warehouse Close)
        (send to-client (Closing))
        -> closed))

  (state closed (final)))

; ---- The database ----

(define stock (make-hash-table))
(hash-table-set! stock 'bolt 40)
(hash-table-set! stock 'nut 25)
(hash-table-set! stock 'washer 0)

(define (entry-of item) (Entry item (hash-table-ref/default stock item 0)))

(define (book! item change)
  (let ((quantity (+ change (hash-table-ref/default stock item 0))))
    (cond
      ((< quantity 0)
       (requirement "INV-14" "More than there is cannot leave.")
       (Rejected item 'shortage))
      ((> quantity capacity)
       (requirement "INV-15" "More than the warehouse holds cannot come in.")
       (Rejected item 'overflow))
      (else
       (hash-table-set! stock item quantity)
       (Stored item quantity)))))

; The loop of Lahola's figure 6.4: what is received is one of two, so the branch that is not written is never taken.
(define (database)
  (let ((message (receive to-database)))
    (assert (or (Query? message) (Store? message)))
    (cond
      ((Query? message)
       (send from-database (Result (map entry-of (Query-wanted message)))))
      ((Store? message)
       (send from-database (book! (Store-item message) (Store-change message)))))
    (database)))

(spawn-service (database))
(spawn (server #f 0))
(client 0 #f)
