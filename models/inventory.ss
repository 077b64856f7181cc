; The item warehouse: what the client and its server say to each other, and what the client knows of the stock and shows. This is
; the part that inventory_client.scm and inventory_system.scm have in common; it is no model by itself, and writes to the port
; `user` of the one that includes it.

(define-type item (enum bolt nut washer))
(define all-items (type-values item))

(define-type quantity (int 0 1000))

; ---- The person at the client ----

(define-message Refresh)
(define-message RefreshItem (item item))
(define-message Cancel)                           ; stop waiting for the answer
(define-message SetAuto (on bool))
(define-message SetLevel (item item) (level quantity))
(define-message Reconnect)
(define-message Quit)

(define-message Show (item item) (quantity quantity))
(define-message UpToDate (changes (int 0 3)))     ; a poll is answered; this many items have changed
(define-message Reorder (item item))              ; has fallen below its level
(define-message Replenished (item item))          ; is no longer below it
(define-message Mode (is (enum manual auto offline)))

; ---- Between client and server ----

(define-message Entry (item item) (quantity quantity))

; To the server.
(define-message Get (serial int) (wanted (list-of item 3)))
(define-message SetFlag (serial int) (on bool))
(define-message Bye)

; To the client.
(define-message Items (serial int) (entries (list-of Entry 3)))   ; answers Get, and SetFlag when the flag is set
(define-message FlagCleared (serial int))
(define-message Changed (item item) (quantity quantity))          ; not asked for: the flag is set
(define-message Closing)

(define patience 5)                     ; until a request is repeated
(define attempts 3)

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
  (requirement "INV-2" "A poll shows the items that have changed, and says how many these are.")
  (write user (UpToDate (fold-left + 0 (map note! entries)))))

; The client knows all items here: auto update mode begins with an answer that has them all.
(define (auto-update! item quantity)
  (let ((known (known-quantity item)) (level (level-of item)))
    (assert known)
    (cond
      ((= quantity known)
       (requirement "INV-6" "What leaves the quantity as it was shows nothing."))
      (else
       (requirement "INV-5" "In auto update mode a change is shown at once.")
       (hash-table-set! copy item quantity)
       (write user (Show item quantity))
       (cond
         ((and (< quantity level) (>= known level))
          (requirement "INV-7" "An item that falls below its level is reported, once.")
          (write user (Reorder item)))
         ((and (>= quantity level) (< known level))
          (requirement "INV-8" "An item that is no longer below its level is reported.")
          (write user (Replenished item))))))))

(define (show-copy)
  (for-each (lambda (entry) (write user (Show (car entry) (cdr entry))))
            (hash-table->alist copy)))
