; What the suites of this folder are replayed on.
(define-message Code (digits string))
(define-message Open)
(define-message Lamp (colour (enum green red)) (tries (int 0 3)))
(define-message Log (text string) (ids (list-of int 3)))
(define-port keypad in Code Open)
(define-port panel out Lamp)
(define-port printer out Log)

(define visit (fresh int))

(define-machine (door tries)
  (state locked
    (on (keypad (Code "1234"))
        (requirement "DOOR-1" "The right code unlocks the door.")
        (write panel (Lamp 'green tries))
        (write printer (Log "open" (list visit)))
        -> unlocked (with (tries 0)))
    (on (keypad Code) (where (< tries 2))
        (write panel (Lamp 'red tries))
        (write printer (Log (choose "wrong" "not right") (list visit tries)))
        (set! tries (+ tries 1)))
    (on (keypad Code)
        (error "too many wrong codes" tries)))
  (state unlocked
    (on (keypad Open) (write panel (Lamp 'green 0)) (write panel (Lamp 'red 0)) -> locked)
    (after 30 (checkpoint "forgotten") -> locked)))

(door 0)
