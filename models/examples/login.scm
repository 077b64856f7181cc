; A login service: passwords, lockout and session tokens.
;
; Clients log in with a name and a password and get a session token, which the service makes up and which every further
; request must carry. Three wrong passwords in a row lock an account for five minutes; a session that is not used for ten
; minutes ends. A user may have several sessions; a new password ends all but the one that asked for it.
; Left out: how passwords are stored, encryption, and the time that a check takes.

(define-message Login (name string) (password string))
(define-message Logout (token string))
(define-message Fetch (token string) (item (enum inbox profile)))
(define-message ChangePassword (token string) (old string) (new string))

(define-message Welcome (token string))
(define-message Refused (reason (enum unknown wrong-password locked no-session weak-password)))
(define-message Content (owner string) (item (enum inbox profile)))
(define-message Done)

(define-port client (in Login Logout Fetch ChangePassword)
                    (out Welcome Refused Content Done))

(define wrong-passwords-allowed 3)
(define lockout-time 300)               ; seconds
(define session-time 600)
(define shortest-password 8)

(define-record-type account
  (make-account name password failures locked?)
  account?
  (name account-name)
  (password account-password set-account-password!)
  (failures account-failures set-account-failures!)
  (locked? account-locked? set-account-locked?!))

(define-record-type session
  (make-session account timer ended)
  session?
  (account session-account)
  (timer session-timer)                 ; runs out when the session is not used
  (ended session-ended))                ; a channel: the session was ended before

(define accounts (make-hash-table))     ; by name
(define sessions (make-hash-table))     ; by token

(define (add-account! name password)
  (hash-table-set! accounts name (make-account name password 0 #f)))

(add-account! "alice" "correct horse")
(add-account! "bob" "battery staple")

(define-message Ended)                  ; to a session's watcher

; ---- Lockout ----

(define (count-failure! account)
  (set-account-failures! account (+ 1 (account-failures account)))
  (when (= (account-failures account) wrong-passwords-allowed)
    (requirement "LOGIN-3" "Three wrong passwords in a row lock the account.")
    (set-account-locked?! account #t)
    (spawn (select
             ((after lockout-time)
              (requirement "LOGIN-4" "A locked account is free again after five minutes.")
              (set-account-locked?! account #f)
              (set-account-failures! account 0))))))

; ---- Sessions ----

(define (open-session! account)
  (let ((token (fresh string))
        (session (make-session account (make-timer) (make-channel))))
    (hash-table-set! sessions token session)
    (start (session-timer session) session-time)
    (spawn (watch-session token (session-timer session) (session-ended session)))
    token))

(define (watch-session token timer ended)
  (select
    ((ended Ended) #t)
    ((timeout timer)
     (requirement "LOGIN-7" "A session that is not used for ten minutes ends.")
     (hash-table-delete! sessions token))))

(define (end-session! token session)
  (hash-table-delete! sessions token)
  (stop (session-timer session))
  (send (session-ended session) (Ended)))

(define (end-other-sessions! kept)
  (for-each (lambda (entry)
              (let ((token (car entry)) (session (cdr entry)))
                (when (and (eq? (session-account session) (session-account kept))
                           (not (eq? session kept)))
                  (end-session! token session))))
            (hash-table->alist sessions)))

; Calls (action session) when the token names one, which counts as use of it.
(define (with-session token action)
  (let ((session (hash-table-ref/default sessions token #f)))
    (cond
      (session
       (start (session-timer session) session-time)
       (action session))
      (else
       (requirement "LOGIN-6" "A request without a valid token is refused.")
       (write client (Refused 'no-session))))))

; ---- Requests ----

(define (login name password)
  (let ((account (hash-table-ref/default accounts name #f)))
    (cond
      ((not account)
       (requirement "LOGIN-1" "An unknown name is refused.")
       (write client (Refused 'unknown)))
      ((account-locked? account)
       (requirement "LOGIN-5" "A locked account refuses even the right password.")
       (write client (Refused 'locked)))
      ((string=? password (account-password account))
       (set-account-failures! account 0)
       (write client (Welcome (open-session! account))))
      (else
       (requirement "LOGIN-2" "A wrong password is refused, and counted.")
       (write client (Refused 'wrong-password))
       (count-failure! account)))))

(define (change-password session old new)
  (let ((account (session-account session)))
    (cond
      ((not (string=? old (account-password account)))
       (write client (Refused 'wrong-password)))
      ((or (< (string-length new) shortest-password) (string=? new old))
       (requirement "LOGIN-8" "A new password has at least eight characters and differs from the old one.")
       (write client (Refused 'weak-password)))
      (else
       (requirement "LOGIN-9" "A new password ends the user's other sessions.")
       (set-account-password! account new)
       (end-other-sessions! session)
       (write client (Done))))))

(define (serve)
  (select
    ((client (Login name password))
     (login name password))
    ((client (Fetch token item))
     (with-session token
       (lambda (session)
         (write client (Content (account-name (session-account session)) item)))))
    ((client (ChangePassword token old new))
     (with-session token
       (lambda (session) (change-password session old new))))
    ((client (Logout token))
     (with-session token
       (lambda (session)
         (end-session! token session)
         (write client (Done))))))
  (serve))

(serve)
