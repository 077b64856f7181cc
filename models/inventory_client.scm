; The client of an item warehouse application (the Inventory Client of Lahola 2010, chapter 6).
;
; The client shows a person how many pieces of each item there are in a warehouse. It asks the server for that (manual update
; mode), or sets a flag at the server and is told of every change (auto update mode). The tester plays both the person (port
; user) and the server (port server); a server that is slow, silent, forgetful or wrong is for the tester to play as well.
;
; This is the client of inventory_system.scm by itself: between the same person and the same server it does the same. Here the
; server is not part of the model and may be wrong, so there is more to it: an answer that is not what was asked for is
; reported and not taken; the flag is renewed every minute, so that a server that has forgotten it, or is gone, is noticed.
; And the person can ask which items are below their levels, and sees what is known off line as well.
;
; Requests are numbered, so that late and repeated answers are told from the one that is waited for. A request that is not
; answered is repeated twice; then the client is off line until the person reconnects.
;
; Left out: users and their rights, adding and removing kinds of items, several servers, and the transport between client and
; server (messages are neither damaged nor reordered; they may be lost). Time is in seconds.

(define-type item (enum bolt nut washer))
(define all-items (type-values item))

(define-type quantity (int 0 1000))

; ---- The person ----

(define-message Refresh)
(define-message RefreshItem (item item))
(define-message Cancel)                           ; stop waiting for the answer
(define-message SetAuto (on bool))
(define-message SetLevel (item item) (level quantity))
(define-message ListShortages)
(define-message Reconnect)
(define-message Quit)

(define-message Show (item item) (quantity quantity))
(define-message UpToDate (changes (int 0 3)))     ; a poll is answered; this many items have changed
(define-message Reorder (item item))              ; has fallen below its level
(define-message Replenished (item item))          ; is no longer below it
(define-message Shortages (count (int 0 3)))
(define-message Fault)                            ; the server has answered something else than was asked
(define-message Mode (is (enum manual auto offline)))

(define-port user
  (in Refresh RefreshItem Cancel SetAuto SetLevel ListShortages Reconnect Quit)
  (out Show UpToDate Reorder Replenished Shortages Fault Mode))

; ---- The server ----

(define-message Entry (item item) (quantity quantity))

(define-message Get (serial int) (wanted (list-of item 3)))
(define-message SetFlag (serial int) (on bool))
(define-message Bye)

(define-message Items (serial int) (entries (list-of Entry 3)))   ; answers Get, and SetFlag when the flag is set
(define-message FlagCleared (serial int))
(define-message Changed (item item) (quantity quantity))          ; not asked for: the flag is set
(define-message Closing)

(define-port server (in Items FlagCleared Changed Closing) (out Get SetFlag Bye))

; ---- What the client knows ----

(define copy (make-hash-table))         ; item -> quantity, as far as the client was told
(define levels (make-hash-table))       ; item -> the quantity below which it is to be ordered

(define (known-quantity item) (hash-table-ref/default copy item #f))
(define (level-of item) (hash-table-ref/default levels item 0))

; Takes over an entry, and shows it if it is news; how many items have changed, 0 or 1.
(define (note! entry)
  (let ((item (Entry-item entry)) (quantity (Entry-quantity entry)))
    (cond
      ((equal? (known-quantity item) quantity) 0)
      (else
       (hash-table-set! copy item quantity)
       (write user (Show item quantity))
       1))))

(define (manual-update! entries)
  (requirement "ICL-1" "A poll shows the items that have changed, and says how many these are.")
  (write user (UpToDate (fold-left + 0 (map note! entries)))))

; The client knows all items here: auto update mode begins with an answer that has them all.
(define (auto-update! item quantity)
  (let ((known (known-quantity item)) (level (level-of item)))
    (assert known)
    (cond
      ((= quantity known)
       (requirement "ICL-5" "What leaves the quantity as it was shows nothing."))
      (else
       (requirement "ICL-6" "In auto update mode a change is shown at once.")
       (hash-table-set! copy item quantity)
       (write user (Show item quantity))
       (cond
         ((and (< quantity level) (>= known level))
          (requirement "ICL-7" "An item that falls below its level is reported, once.")
          (write user (Reorder item)))
         ((and (>= quantity level) (< known level))
          (requirement "ICL-8" "An item that is no longer below its level is reported.")
          (write user (Replenished item))))))))

(define (show-copy)
  (for-each (lambda (entry) (write user (Show (car entry) (cdr entry))))
            (hash-table->alist copy)))

(define (short? item)
  (let ((quantity (known-quantity item)))
    (and quantity (< quantity (level-of item)))))

(define (list-shortages)
  (let ((short (filter short? all-items)))
    (requirement "ICL-15" "The person can see which of the items that are known are below their levels.")
    (for-each (lambda (item) (write user (Reorder item))) short)
    (write user (Shortages (length short)))))

; Does an answer have what was asked for?
(define (wanted-by request)
  (if (Get? request) (Get-wanted request) all-items))

(define (complete? entries request)
  (equal? (map Entry-item entries) (wanted-by request)))

; ---- The client ----

(define patience 5)                     ; until a request is repeated
(define attempts 3)
(define renewal 60)                     ; from one renewal of the flag to the next

; serial    the number of the last request
; request   the request itself, to be repeated
(define-machine (client serial request)

  (state connected
    (initial manual-update-mode)
    (on (user (SetLevel item level))
        (hash-table-set! levels item level))
    (on (user ListShortages)
        (list-shortages))
    (on (user Quit)
        (write server (Bye))
        -> quit)
    (on (server Closing)
        (requirement "ICL-13" "A server that closes takes its client off line.")
        -> offline)
    ; Answers that come late, or twice, and news for which the flag is no longer set, or not yet.
    (ignores server)

    (state manual-update-mode
      (on (user Refresh)
          -> process-manual-update (with (serial (+ serial 1)) (request (Get (+ serial 1) all-items))))
      (on (user (RefreshItem item))
          -> process-manual-update (with (serial (+ serial 1)) (request (Get (+ serial 1) (list item)))))
      (on (user (SetAuto #t))
          -> set-flag (with (serial (+ serial 1)) (request (SetFlag (+ serial 1) #t)))))

    (state auto-update-mode
      (initial watching)
      (entry (write user (Mode 'auto)))
      (on (server (Changed item quantity))
          (auto-update! item quantity))
      (on (user Refresh)
          (requirement "ICL-9" "In auto update mode the client shows what it was told, without asking the server.")
          (show-copy))
      (on (user (SetAuto #f))
          -> clear-flag (with (serial (+ serial 1)) (request (SetFlag (+ serial 1) #f))))

      (state watching
        (after renewal
            (requirement "ICL-16" "The flag is renewed every minute.")
            -> renew-flag (with (serial (+ serial 1)) (request (SetFlag (+ serial 1) #t)))))

      ; One question only: a server that is asked once a minute and does not answer is gone.
      (state renew-flag
        (entry (write server request))
        (on (server (Items n entries)) (where (and (= n serial) (complete? entries request)))
            (requirement "ICL-17" "With the answer to a renewal the client catches up on changes that it was not told.")
            (for-each (lambda (entry) (auto-update! (Entry-item entry) (Entry-quantity entry))) entries)
            -> watching)
        (after patience
            (requirement "ICL-18" "A server that does not answer a renewal takes its client off line.")
            -> offline)))

    (state awaiting-answer
      (initial process-manual-update)
      (locals (tries 1))
      (entry (write server request))
      ; Those that the state inside does not take.
      (on (server (Items n _)) (where (= n serial))
          (requirement "ICL-14" "An answer to the request that is not what was asked for is reported, and not taken.")
          (write user (Fault)))
      (on (server (FlagCleared n)) (where (= n serial))
          (requirement "ICL-14")
          (write user (Fault)))
      (after patience (where (< tries attempts))
          (requirement "ICL-10" "A request that is not answered in time is repeated.")
          (set! tries (+ tries 1))
          (write server request))
      (after patience
          (requirement "ICL-11" "After the third attempt the client is off line.")
          -> offline)

      (state process-manual-update
        (on (server (Items n entries)) (where (and (= n serial) (complete? entries request)))
            (manual-update! entries)
            -> manual-update-mode)
        (on (user Cancel)
            (requirement "ICL-3" "The person may stop waiting; the answer is ignored when it comes.")
            -> manual-update-mode))

      (state set-flag
        (on (server (Items n entries)) (where (and (= n serial) (complete? entries request)))
            (requirement "ICL-4" "Auto update mode begins with all that has changed since the client last asked.")
            (manual-update! entries)
            -> auto-update-mode))

      (state clear-flag
        (on (server (FlagCleared n)) (where (= n serial))
            (requirement "ICL-2" "Auto update mode ends when the server has cleared the flag.")
            (write user (Mode 'manual))
            -> manual-update-mode))))

  (state offline
    (entry (write user (Mode 'offline)))
    (on (user Refresh)
        (show-copy))
    (on (user ListShortages)
        (list-shortages))
    ; Whether the server still has the flag is not known: clear it.
    (on (user Reconnect)
        (requirement "ICL-12" "A client that reconnects is in manual update mode, whatever it was before.")
        -> clear-flag (with (serial (+ serial 1)) (request (SetFlag (+ serial 1) #f))))
    (on (user Quit)
        (write server (Bye))
        -> quit)
    (ignores server))

  (state quit (final)))

(client 0 #f)
