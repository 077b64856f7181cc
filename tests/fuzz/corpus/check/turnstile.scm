; A coin-operated turnstile, the first machine in many a course on automata.
;
; A person inserts coins until the fare is paid, which releases the arm for one passage; whoever pushes a locked arm hears
; the buzzer. An arm that nobody turns within half a minute locks again and keeps the credit. An attendant can take the
; turnstile out of service with a key, which returns the credit, and put it back. Left out: counterfeit coins, a full
; coin box, and change, since credit beyond the fare counts for the next passage.

(define fare 20)                        ; cents
(define patience 30)                    ; seconds that the arm stays released

(define-message Coin (cents (enum 5 10 20 50)))
(define-message Push)
(define-message Key (position (enum service run)))
(define-message Release)                ; the arm may turn once
(define-message Lock)
(define-message Buzz)
(define-message Return (cents int))     ; coins back into the tray
(define-message Count (passages int))   ; what the attendant reads off

(define-port person in Coin Push)
(define-port arm out Release Lock)
(define-port tray out Return)
(define-port horn out Buzz)
(define-port attendant (in Key) (out Count))

(define-machine (turnstile credit passages)
  (state in-service
    (initial locked)

    (state locked
      (on (person (Coin cents)) (where (< (+ credit cents) fare))
          (set! credit (+ credit cents)))
      (on (person (Coin cents))
          (requirement "T-1" "The arm is released once the fare is paid.")
          (write arm (Release)) -> released (with (credit (- (+ credit cents) fare))))
      (on (person Push)
          (requirement "T-2" "Pushing a locked arm sounds the buzzer and lets nobody through.")
          (write horn (Buzz))))

    (state released
      (on (person Push)
          (if (>= credit fare)
              (begin
                (requirement "T-3" "Credit for another fare releases the arm again at once.")
                (write arm (Release))
                (-> released (with (passages (+ passages 1)) (credit (- credit fare)))))
              (begin
                (write arm (Lock))
                (-> locked (with (passages (+ passages 1)))))))
      (on (person (Coin cents))
          (requirement "T-4" "A coin inserted while the arm is released counts for the next passage.")
          (set! credit (+ credit cents)))
      (after patience
          (requirement "T-5" "An arm that nobody turns locks again; the fare stays as credit.")
          (write arm (Lock)) -> waiting-for-owner (with (credit (+ credit fare)))))

    ; The fare is paid, but the arm is locked: the next push releases it.
    (state waiting-for-owner
      (on (person Push)
          (write arm (Release)) -> released (with (credit (- credit fare))))
      (on (person (Coin cents))
          (set! credit (+ credit cents))))

    (on (attendant (Key 'service))
        (requirement "T-6" "Taking the turnstile out of service returns the credit.")
        (when (> credit 0) (write tray (Return credit)))
        -> out-of-service (with (credit 0))))

  (state out-of-service
    (entry (write arm (Lock))
           (write attendant (Count passages)))
    (on (person (Coin cents))
        (requirement "T-7" "Out of service, every coin falls through.")
        (write tray (Return cents)))
    (on (person Push)
        (write horn (Buzz)))
    (on (attendant (Key 'run)) -> locked (with (passages 0)))))

(turnstile 0 0)
