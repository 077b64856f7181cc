; x to the power of y, after the example of Su, Fu, Pu, He and Su (2015), who ask of it which definitions of the result
; reach which of its uses. The first one, 1, reaches the plain result (y = 0) but never the reciprocal: for a negative y
; the loop has run at least once. So the checkpoint `reciprocal-of-one` stays unreached.
;
;   espalier generate models/examples/power.scm

(define (power x y)
  (let loop ((n (abs y)) (result 1) (first #t))
    (cond ((> n 0) (checkpoint loop) (loop (- n 1) (* result x) #f))
          ((>= y 0) (if first (checkpoint one) (checkpoint product)) result)
          (first (checkpoint reciprocal-of-one) (/ 1 result))
          ((= result 0) (checkpoint no-reciprocal) 0)
          (else (checkpoint reciprocal) (/ 1 result)))))

(define-message Power (x (int -9 9)) (y (int -4 4)))
(define-message Result (exact bool))
(define-port calculator (in Power) (out Result))

; Whether the result is an integer is all that is sent back: fields have no fractions.
(select
  ((calculator (Power x y))
   (let ((r (power x y)))
     (if (= r 1/8) (checkpoint eighth))
     (write calculator (Result (integer? r))))))
