; explain state:m/locked --depth 3
; Six wrong codes, and nothing new on the way to the sixth.
(define-message Code (n (int 0 9)))
(define-port user in Code)
(define-machine (m wrong)
  (state open
    (on (user (Code n))
        (if (= wrong 5)
            (-> locked)
            (-> open (with (wrong (+ wrong 1)))))))
  (state locked
    (on (user (Code n)))))
(m 0)
