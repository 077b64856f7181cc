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
; Requirements INV are those of the whole system, ICL those of this client.
;
; Left out: users and their rights, adding and removing kinds of items, several servers, and the transport between client and
; server (messages are neither damaged nor reordered; they may be lost). Time is in seconds.

(include "inventory.ss")                ; messages, and what the client knows

; ---- The person ----

; Beside those that the clients of both models take and give.
(define-message ListShortages)
(define-message Shortages (count (int 0 3)))
(define-message Fault)                  ; the server has answered something else than was asked

(define-port user
  (in Refresh RefreshItem Cancel SetAuto SetLevel ListShortages Reconnect Quit)
  (out Show UpToDate Reorder Replenished Shortages Fault Mode))

; ---- The server ----

(define-port server (in Items FlagCleared Changed Closing) (out Get SetFlag Bye))

(define (short? item)
  (let ((quantity (known-quantity item)))
    (and quantity (< quantity (level-of item)))))

(define (list-shortages)
  (let ((short (filter short? all-items)))
    (requirement "ICL-3" "The person can see which of the items that are known are below their levels.")
    (for-each (lambda (item) (write user (Reorder item))) short)
    (write user (Shortages (length short)))))

; Does an answer have what was asked for?
(define (wanted-by request)
  (if (Get? request) (Get-wanted request) all-items))

(define (complete? entries request)
  (equal? (map Entry-item entries) (wanted-by request)))

; ---- The client ----

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
        (requirement "INV-13" "A server that closes takes its client off line.")
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
          (requirement "INV-9" "In auto update mode the client shows what it was told, without asking the server.")
          (show-copy))
      (on (user (SetAuto #f))
          -> clear-flag (with (serial (+ serial 1)) (request (SetFlag (+ serial 1) #f))))

      (state watching
        (after renewal
            (requirement "ICL-4" "The flag is renewed every minute.")
            -> renew-flag (with (serial (+ serial 1)) (request (SetFlag (+ serial 1) #t)))))

      ; One question only: a server that is asked once a minute and does not answer is gone.
      (state renew-flag
        (entry (write server request))
        (on (server (Items n entries)) (where (and (= n serial) (complete? entries request)))
            (requirement "ICL-5" "With the answer to a renewal the client catches up on changes that it was not told.")
            (for-each (lambda (entry) (auto-update! (Entry-item entry) (Entry-quantity entry))) entries)
            -> watching)
        (after patience
            (requirement "ICL-6" "A server that does not answer a renewal takes its client off line.")
            -> offline)))

    (state awaiting-answer
      (initial process-manual-update)
      (locals (tries 1))
      (entry (write server request))
      ; Those that the state inside does not take.
      (on (server (Items n _)) (where (= n serial))
          (requirement "ICL-2" "An answer to the request that is not what was asked for is reported, and not taken.")
          (write user (Fault)))
      (on (server (FlagCleared n)) (where (= n serial))
          (requirement "ICL-2")
          (write user (Fault)))
      (after patience (where (< tries attempts))
          (requirement "INV-10" "A request that is not answered in time is repeated.")
          (set! tries (+ tries 1))
          (write server request))
      (after patience
          (requirement "INV-11" "After the third attempt the client is off line.")
          -> offline)

      (state process-manual-update
        (on (server (Items n entries)) (where (and (= n serial) (complete? entries request)))
            (manual-update! entries)
            -> manual-update-mode)
        (on (user Cancel)
            (requirement "INV-3" "The person may stop waiting; the answer is ignored when it comes.")
            -> manual-update-mode))

      (state set-flag
        (on (server (Items n entries)) (where (and (= n serial) (complete? entries request)))
            (requirement "INV-4" "Auto update mode begins with all that has changed since the client last asked.")
            (manual-update! entries)
            -> auto-update-mode))

      (state clear-flag
        (on (server (FlagCleared n)) (where (= n serial))
            (requirement "ICL-1" "Auto update mode ends when the server has cleared the flag.")
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
        (requirement "INV-12" "A client that reconnects is in manual update mode, whatever it was before.")
        -> clear-flag (with (serial (+ serial 1)) (request (SetFlag (+ serial 1) #f))))
    (on (user Quit)
        (write server (Bye))
        -> quit)
    (ignores server))

  (state quit (final)))

(client 0 #f)
