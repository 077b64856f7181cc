; Sokoban (Imabayashi, 1982): a keeper pushes boxes through a store, one at a time and never pulls, until each is on a goal.
;
; A key is a step. One that leads into a wall, or to a box that cannot be pushed, does nothing. So a stable state is where
; the keeper is, and where the boxes are.
;
; Whoever includes this file defines `store`, a list of strings of one length: `#` a wall, `$` a box, `.` a goal, `@` the
; keeper, `-` a place where no box ever comes. There are walls all around.

(define-message Press (key (enum up down left right)))
(define-message Solved)
(define-port keys in Press)
(define-port screen out Solved)

(define width (string-length (car store)))
(define plan (list->vector (string->list (apply string-append store))))
(define boxes (vector-map (lambda (c) (char=? c #\$)) plan))    ; of each place: is a box there?

(define (places mark)                                           ; all that the plan marks so
  (filter (lambda (place) (char=? (vector-ref plan place) mark)) (iota (vector-length plan))))
(define goals (places #\.))
(define (wall? place) (char=? (vector-ref plan place) #\#))
(define (box? place) (vector-ref boxes place))

(define (push from to)
  (vector-set! boxes from #f)
  (vector-set! boxes to #t)
  (when (char=? (vector-ref plan to) #\-) (checkpoint "a box where none can come"))
  (when (for-all box? goals)
    (checkpoint "solved")
    (write screen (Solved))))

(define (go keeper step)                                        ; where the keeper is after it
  (let* ((to (+ keeper step)) (beyond (+ to step)))
    (cond ((wall? to) (checkpoint "into a wall") keeper)
          ((not (box? to)) to)
          ((wall? beyond) (checkpoint "a box at a wall") keeper)
          ((box? beyond) (checkpoint "two boxes in a row") keeper)
          (else (push to beyond) to))))

(define (play keeper)
  (when (box? keeper) (checkpoint "the keeper on a box"))
  (select
    ((keys (Press 'up)) (play (go keeper (- width))))
    ((keys (Press 'down)) (play (go keeper width)))
    ((keys (Press 'left)) (play (go keeper -1)))
    ((keys (Press 'right)) (play (go keeper 1)))))
(play (car (places #\@)))
