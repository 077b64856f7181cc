; Instiki, a wiki engine with its database, seen through a browser.
;
; The tester is a person with a browser, who types addresses, follows links and fills in forms; the model is the web application
; and what it stores. A state is what the browser shows. A wiki has a system password and several webs; a web has pages, files,
; and maybe a password of its own; a page has revisions, and a lock while somebody edits it. The tester also sets the server's
; clock forward, in minutes: locks expire, and changes that follow each other soon are one revision.
;
; Source: Instiki as published (github.com/parasew/instiki, about version 0.17), its controllers (wiki, admin, file), the models
; behind them and its views; the comments name the actions. Identifiers of requirements are ours. The names of pages, the texts, the
; words to search for and the names of files are few, chosen so that each rule has one that keeps it and one that breaks it.
;
; Left out: markup and rendering beyond links, categories, redirections and inclusions between pages, TeX, S5 and print views,
; import, the spam traps other than the list of patterns, settings of a web that change only its looks, several browsers (what
; they could do to each other's pages, one can do by leaving a form and coming back), and internal errors. An address that
; another web has is refused when a web is created, as it is when one is changed.
;
; Some pages are shown only after several steps that all pages have. Tests: espalier generate instiki.scm

; ---- What the browser sends ----

(define-type address (enum "notes" "team"))
(define-type any-address (enum "notes" "team" "my web"))          ; the last is no valid part of a URI
(define-type title (enum "HomePage" "Ideas" "Anna"))
(define-type text (enum "Welcome." "See Ideas." "By Anna." "See HomePage." "Cheap pills."))
(define-type author (enum "" "Anna" "Bert" "AnonymousCoward"))
(define-type word (enum "ideas" "see" "anna" "nothing"))
(define-type file-name (enum "plan.txt" "plan?.txt" "a-name-of-one-character-more-than-the-fifty-allowed"))

(define-message VisitRoot)
(define-message VisitSetup)
(define-message Visit (web address) (page title))
(define-message VisitPublished (web address) (page title))
(define-message VisitFile (web address) (file file-name))
(define-message VisitFileList (web address))
(define-message VisitFeed (web address) (content bool))

(define-message Follow
  (link (enum home all-pages recently-revised authors feeds export edit-web create-web
              edit history changes source current back forward rollback edit-anyway cancel html markup)))
(define-message FollowWord (page title))                      ; a link to a page
(define-message FollowWeb (web address))
(define-message FollowRevision (number (int 0 99)))

(define-message SetUp (password string) (web address))
(define-message CreateWeb (system-password string) (web any-address))
(define-message LogIn (password string))
(define-message Save (text text) (author author))
(define-message SaveAs (text text) (author author) (new-name title))
(define-message Search (word word))
(define-message Upload (size (int 0 1000000)) (description string))
(define-message EditWeb
  (system-password string) (web any-address) (password string) (password-again string) (published bool) (uploads bool))
(define-message RemoveOrphans (system-password string))
(define-message DeleteWeb (system-password string))

; ---- What it shows ----

(define-type notice
  (enum none wiki-created wiki-exists web-created web-changed web-deleted page-missing orphans-removed uploaded
        password-missing password-wrong passwords-differ address-taken address-invalid
        spam unchanged name-taken))
(define-type names (list-of title 3))
(define-type file-flaw (enum name-length name-invalid description-length too-large empty))

(define-message Form (kind (enum create-system create-web login new edit-web feeds export)) (flash notice))
(define-message WebList (webs (list-of address 2)) (flash notice))
(define-message PageShown (view (enum show changes source published)) (page title) (text text) (author author) (flash notice))
(define-message EditForm (page title) (text text) (flash notice))
(define-message LockedPage (page title) (by author) (minutes int))
(define-message History (page title) (authors (list-of author 99)))       ; the newest revision first
(define-message RevisionShown (page title) (number int) (text text) (author author))
(define-message PageList (pages names) (wanted names) (orphaned names) (flash notice))
(define-message RecentlyRevised (pages names))
(define-message Authors (names (list-of author 4)))
(define-message Found (by-name names) (by-text names))
(define-message FileList (files (list-of file-name 1)))
(define-message UploadForm (file file-name) (flaws (list-of file-flaw 3)))
(define-message Download (kind (enum html markup)) (pages names))
(define-message FileSent (file file-name))
(define-message Feed (pages names) (content bool))
(define-message NotFound)                                         ; 404
(define-message Forbidden)                                        ; 403

(define-port browser
  (in VisitRoot VisitSetup Visit VisitPublished VisitFile VisitFileList VisitFeed Follow FollowWord FollowWeb FollowRevision
      SetUp CreateWeb LogIn Save SaveAs Search Upload EditWeb RemoveOrphans DeleteWeb)
  (out Form WebList PageShown EditForm LockedPage History RevisionShown PageList RecentlyRevised Authors Found FileList
       UploadForm Download FileSent Feed NotFound Forbidden))

(define-message Later (minutes (int 1 1440)))
(define-port clock in Later)

(define now 0)

; ---- The database ----

(define-record-type revision
  (make-revision text author at)
  revision?
  (text revision-text set-revision-text!)
  (author revision-author)
  (at revision-at set-revision-at!))

(define-record-type page
  (make-page name revisions locked-at locked-by)
  page?
  (name page-name set-page-name!)
  (revisions page-revisions set-page-revisions!)                  ; the newest first
  (locked-at page-locked-at set-page-locked-at!)                  ; #f: not locked
  (locked-by page-locked-by set-page-locked-by!))

(define-record-type web
  (make-web address password published uploads pages files)
  web?
  (address web-address set-web-address!)
  (password web-password set-web-password!)                       ; #f: none
  (published web-published set-web-published!)
  (uploads web-uploads set-web-uploads!)
  (pages web-pages set-web-pages!)                                ; the one that was revised last first
  (files web-files set-web-files!))

(define system-password #f)
(define webs '())

(define (find-web address)
  (find (lambda (web) (string=? (web-address web) address)) webs))

(define (find-page web name)
  (find (lambda (page) (string=? (page-name page) name)) (web-pages web)))

(define (current page) (car (page-revisions page)))

; By name: "Anna" before "HomePage" before "Ideas".
(define (sorted-names names)
  (filter (lambda (name) (member name names)) '("Anna" "HomePage" "Ideas")))

(define (names-of pages) (sorted-names (map page-name pages)))

(define (create-web! address)
  (let ((web (make-web address #f #f #t '() '())))
    (set! webs (append webs (list web)))
    web))

; What is wrong with an address for a web, or #f (Web#validate_address). A web keeps its own.
(define (address-flaw address web)
  (let ((other (find-web address)))
    (cond
      ((string=? address "my web")
       (requirement "WEB-2" "The address of a web has only characters that a URI may have.")
       'address-invalid)
      ((and other (not (eq? other web)))
       (requirement "WEB-3" "Two webs have different addresses.")
       'address-taken)
      (else #f))))

; ---- Passwords (wiki#authenticate, application#authorized?) ----

(define cookies (make-hash-table))                                ; web's address -> the password that was entered

(define (authorised? web)
  (or (not (web-password web))
      (equal? (hash-table-ref/default cookies (web-address web) #f) (web-password web))))

(define (password-flaw password)
  (if (string=? password "") 'password-missing 'password-wrong))

(define (administrator? password) (string=? password system-password))

; ---- Pages: revisions and locks (Page#revise, Page#lock) ----

(define revision-period 30)
(define locking-period 30)

(define (spam? text) (string=? text "Cheap pills."))

(define (touch! web page)
  (set-web-pages! web (cons page (filter (lambda (other) (not (eq? other page))) (web-pages web)))))

(define (revise! web page name text author)
  (let ((last (current page)))
    (cond
      ((and (string=? text (revision-text last)) (string=? name (page-name page)))
       (requirement "SAVE-2" "A page that has not changed is not saved.")
       'unchanged)
      (else
       (set-page-name! page name)
       (touch! web page)
       (cond
         ((and (string=? author (revision-author last))
               (> (+ (revision-at last) revision-period) now))
          (requirement "SAVE-4" "A change by the same author within half an hour replaces the last revision.")
          (set-revision-text! last text)
          (set-revision-at! last now))
         (else
          (requirement "SAVE-5" "Any other change is a new revision.")
          (set-page-revisions! page (cons (make-revision text author now) (page-revisions page)))))
       'saved))))

(define (author-or-anonymous author)
  (cond
    ((string=? author "")
     (requirement "SAVE-6" "Who gives no name is called AnonymousCoward.")
     "AnonymousCoward")
    (else author)))

; The cookie of the last author.
(define last-author "AnonymousCoward")

; The action save: says 'saved, or what is wrong. page is #f where there is none of that name yet.
(define (save! web page name text author new-name)
  (unless (spam? text)
    (set! last-author author))
  (cond
    ((spam? text)
     (requirement "SAVE-1" "What matches a pattern of spam is not saved.")
     'spam)
    ((not page)
     (set-web-pages! web (cons (make-page name (list (make-revision text author now)) #f "") (web-pages web)))
     'saved)
    ((and (not (string=? new-name name)) (find-page web new-name))
     (requirement "SAVE-3" "A page cannot take the name of another.")
     'name-taken)
    (else
     (revise! web page new-name text author))))

(define (lock! page author)
  (set-page-locked-at! page now)
  (set-page-locked-by! page author))

(define (unlock! page) (set-page-locked-at! page #f))

(define (locked? page)
  (and (page-locked-at page)
       (> (+ (page-locked-at page) locking-period) now)))

; ---- Links between pages (PageSet#orphaned_pages, #wanted_pages) ----

(define (words-in text)
  (cond
    ((string=? text "See Ideas.") '("Ideas"))
    ((string=? text "By Anna.") '("Anna"))
    ((string=? text "See HomePage.") '("HomePage"))
    (else '())))

(define (links-to? page name)
  (member name (words-in (revision-text (current page)))))

(define (authors-of web)
  (let ((all (apply append
               (map (lambda (page) (map revision-author (page-revisions page))) (web-pages web)))))
    (filter (lambda (author) (member author all)) '("Anna" "AnonymousCoward" "Bert"))))

(define (orphaned? web page)
  (let ((name (page-name page)))
    (cond
      ((string=? name "HomePage") #f)
      ((member name (authors-of web))
       (requirement "ORPHAN-2" "The page of an author is no orphan.")
       #f)
      (else
       (requirement "ORPHAN-1" "A page to which no other page links is an orphan.")
       (not (find (lambda (other) (and (not (eq? other page)) (links-to? other name)))
                  (web-pages web)))))))

(define (orphaned-pages web)
  (filter (lambda (page) (orphaned? web page)) (web-pages web)))

(define (wanted-names web)
  (filter (lambda (name)
            (and (find (lambda (page) (links-to? page name)) (web-pages web))
                 (not (find-page web name))))
          '("Anna" "HomePage" "Ideas")))

(define (remove-orphans! web)
  (let ((orphans (orphaned-pages web)))
    (set-web-pages! web (filter (lambda (page) (not (memq page orphans))) (web-pages web)))))

; ---- Search: without regard to case, in names and in texts ----

(define (begins-with? chars beginning)
  (cond
    ((null? beginning) #t)
    ((null? chars) #f)
    ((char=? (car chars) (car beginning)) (begins-with? (cdr chars) (cdr beginning)))
    (else #f)))

(define (occurs? word text)
  (let loop ((chars (string->list (string-downcase text))))
    (cond
      ((begins-with? chars (string->list word)) #t)
      ((null? chars) #f)
      (else (loop (cdr chars))))))

; Every name and text: the words that occur in it.
(define index (make-hash-table))
(for-each (lambda (text)
            (hash-table-set! index text
              (filter (lambda (word) (occurs? word text)) '("ideas" "see" "anna" "nothing"))))
          '("HomePage" "Ideas" "Anna" "Welcome." "See Ideas." "By Anna." "See HomePage."))

(define (found-in? word text) (member word (hash-table-ref index text)))

; ---- Files (WikiFile#validate) ----

(define max-upload (* 100 1024))
(define max-description 255)

(define (flaws-of file size description)
  (append
    (cond
      ((> (string-length file) 50)
       (requirement "FILE-1" "The name of a file has 1 to 50 characters.")
       '(name-length))
      ((string=? file "plan?.txt")
       (requirement "FILE-2" "The name of a file has letters, digits, dots, underscores, dashes and spaces only.")
       '(name-invalid))
      (else '()))
    (cond
      ((> (string-length description) max-description)
       (requirement "FILE-3" "The description of a file has at most 255 characters.")
       '(description-length))
      (else '()))
    (cond
      ((> size max-upload)
       (requirement "FILE-4" "A file is not larger than the web allows.")
       '(too-large))
      ((= size 0)
       (requirement "FILE-5" "A file is not empty.")
       '(empty))
      (else '()))))

; ---- Messages to the person: shown once, with the next page ----

(define flash 'none)

(define (take-flash!)
  (let ((message flash))
    (set! flash 'none)
    message))

(define (show-form kind) (write browser (Form kind (take-flash!))))

(define (show-page view page)
  (let ((revision (current page)))
    (write browser
      (PageShown view (page-name page) (revision-text revision) (revision-author revision) (take-flash!)))))

; ---- Redirections: the answer to a request is often the address of another page ----

(define-message Redirect (action (enum index show new file-list)))
(define-channel redirections)

(define (redirect-to action) (send redirections (Redirect action)))

; Was the page saved? Then it is shown; otherwise it is edited further.
(define (save-and-unlock! web page text author new-name)
  (let ((result (save! web page (page-name page) text (author-or-anonymous author) new-name)))
    (unlock! page)
    (cond
      ((eq? result 'saved)
       (requirement "LOCK-3" "Saving a page unlocks it.")
       (redirect-to 'show)
       #t)
      (else
       (requirement "LOCK-4" "A page that cannot be saved is edited further.")
       (set! flash result)
       #f))))

; web       the web that is shown
; name      the page of it that was asked for
; page      that page, where there is one
; number    the number of the revision that is shown
; file      the file that is to be uploaded
(define-machine (instiki web name page number file)

  (state browsing
    (initial blank)

    ; Addresses that can be typed at any time.
    (on (browser VisitRoot)
        (redirect-to 'index)
        -> redirected)
    (on (browser VisitSetup)
        (cond
          ((null? webs) (-> create-system))
          (else
           (requirement "SETUP-2" "A wiki is set up once.")
           (set! flash 'wiki-exists)
           (redirect-to 'show)
           (-> redirected (with (web (car webs)) (name "HomePage"))))))
    (on (browser (Visit address wanted))
        (let ((wanted-web (find-web address)))
          (cond
            (wanted-web
             (redirect-to 'show)
             (-> redirected (with (web wanted-web) (name wanted))))
            (else
             (requirement "WEB-1" "There is nothing at the address of a web that does not exist.")
             (-> not-found)))))
    (on (browser (VisitPublished address wanted))
        (let* ((wanted-web (find-web address))
               (wanted-page (and wanted-web (web-published wanted-web) (find-page wanted-web wanted))))
          (cond
            (wanted-page
             (requirement "PUBLISH-1" "The published version of a web can be read without its password.")
             (-> published (with (web wanted-web) (page wanted-page))))
            (else
             (when (and wanted-web (not (web-published wanted-web)))
               (requirement "PUBLISH-2" "A web that is not published has no published version."))
             (-> not-found)))))
    (on (browser (VisitFile address wanted))
        (let ((wanted-web (find-web address)))
          (cond
            ((not wanted-web)
             (-> not-found))
            ((not (or (authorised? wanted-web) (web-published wanted-web)))
             (requirement "FILE-6" "The files of a web with a password that is not published are private.")
             (-> forbidden))
            ((member wanted (web-files wanted-web))
             (write browser (FileSent wanted)))
            ((and (web-uploads wanted-web) (authorised? wanted-web))
             (requirement "FILE-7" "A file that is not there can be uploaded.")
             (-> upload (with (web wanted-web) (file wanted))))
            (else
             (requirement "FILE-8" "Nothing can be uploaded to a web that does not allow it, nor without its password.")
             (-> forbidden)))))
    (on (browser (VisitFileList address))
        (let ((wanted-web (find-web address)))
          (cond
            (wanted-web
             (redirect-to 'file-list)
             (-> redirected (with (web wanted-web))))
            (else (-> not-found)))))
    (on (browser (VisitFeed address content))
        (let ((wanted-web (find-web address)))
          (cond
            ((not wanted-web)
             (-> not-found))
            ((and content (web-password wanted-web) (not (web-published wanted-web)))
             (requirement "FEED-1" "A web with a password that is not published has a feed without content only.")
             (-> forbidden))
            (else
             (write browser (Feed (map page-name (web-pages wanted-web)) content))))))
    (on (clock (Later minutes))
        (set! now (+ now minutes)))

    (state blank)

    ; The browser goes on at once (wiki#index, #show, #new, #file_list).
    (state redirected
      (on (redirections (Redirect 'index))
          (cond
            ((null? webs)
             (requirement "SETUP-1" "A wiki without a web is to be set up.")
             (-> create-system))
            ((null? (cdr webs))
             (requirement "WEB-4" "Where there is one web, the wiki begins with its home page.")
             (redirect-to 'show)
             (-> redirected (with (web (car webs)) (name "HomePage"))))
            (else (-> web-list))))
      (on (redirections Redirect) (where (not (authorised? web)))
          (requirement "LOGIN-1" "A web with a password asks for it, whatever was wanted.")
          -> login)
      (on (redirections (Redirect 'new))
          -> new)
      (on (redirections (Redirect 'file-list))
          -> files)
      (on (redirections (Redirect 'show))
          (let ((wanted-page (find-page web name)))
            (cond
              (wanted-page (-> show (with (page wanted-page))))
              (else
               (requirement "PAGE-1" "A page that does not exist can be written at once.")
               (set! flash 'page-missing)
               (-> new))))))

    ; ---- Outside a web ----

    (state create-system
      (entry (show-form 'create-system))
      (on (browser (SetUp password address))
          (requirement "SETUP-3" "Setting up a wiki gives it a system password and a first web, whose home page is written next.")
          (set! system-password password)
          (set! flash 'wiki-created)
          (redirect-to 'new)
          -> redirected (with (web (create-web! address)) (name "HomePage"))))

    (state web-list
      (entry (write browser
               (WebList (filter find-web '("notes" "team")) (take-flash!))))
      (on (browser (FollowWeb address)) (where (find-web address))
          (redirect-to 'show)
          -> redirected (with (web (find-web address)) (name "HomePage"))))

    (state create-web
      (entry (show-form 'create-web))
      (on (browser (CreateWeb password address))
          (cond
            ((not (administrator? password))
             (requirement "WEB-5" "Only who knows the system password can create a web.")
             (set! flash 'password-wrong)
             (-> create-web))
            ((address-flaw address #f)
             => (lambda (flaw)
                  (set! flash flaw)
                  (show-form 'create-web)))
            (else
             (set! flash 'web-created)
             (redirect-to 'new)
             (-> redirected (with (web (create-web! address)) (name "HomePage")))))))

    (state login
      (entry (show-form 'login))
      (on (browser (LogIn password))
          (cond
            ((equal? password (web-password web))
             (requirement "LOGIN-2" "The right password opens the web, at its home page.")
             (hash-table-set! cookies (web-address web) password)
             (redirect-to 'show)
             (-> redirected (with (name "HomePage"))))
            (else
             (requirement "LOGIN-3" "Without the right password it is asked for again.")
             (set! flash (password-flaw password))
             (-> login)))))

    (state published
      (entry (show-page 'published page))
      (on (browser (Follow 'home))
          (let ((home (find-page web "HomePage")))
            (assert home)
            (-> published (with (page home)))))
      (on (browser (FollowWord wanted)) (where (and (links-to? page wanted) (find-page web wanted)))
          (requirement "PUBLISH-3" "A published page links to published pages, and not to those that do not exist.")
          -> published (with (page (find-page web wanted)))))

    (state not-found
      (entry (write browser (NotFound))))

    (state forbidden
      (entry (write browser (Forbidden))))

    ; The text as it was written, without any link.
    (state source
      (entry (show-page 'source page)))

    ; ---- Within a web ----

    (state in-web
      (initial reading)
      ; The menu.
      (on (browser (Follow 'home))
          (redirect-to 'show)
          -> redirected (with (name "HomePage")))
      (on (browser (Follow 'all-pages)) -> all-pages)
      (on (browser (Follow 'recently-revised)) -> recently-revised)
      (on (browser (Follow 'authors)) -> authors)
      (on (browser (Follow 'feeds)) -> feeds)
      (on (browser (Follow 'export)) -> export)
      (on (browser (Search word))
          (let* ((by-name (filter (lambda (page) (found-in? word (page-name page))) (web-pages web)))
                 (by-text (filter (lambda (page) (found-in? word (revision-text (current page)))) (web-pages web)))
                 (all (append by-name (filter (lambda (page) (not (memq page by-name))) by-text))))
            (cond
              ((= (length all) 1)
               (requirement "SEARCH-1" "Where one page is found, it is shown.")
               (redirect-to 'show)
               (-> redirected (with (name (page-name (car all))))))
              (else
               (requirement "SEARCH-2" "Otherwise the pages are listed whose name, or whose text, has the word.")
               (write browser (Found (names-of by-name) (names-of by-text)))
               (-> found)))))

      (state reading
        (initial show)
        (on (browser (Follow 'edit))
            (cond
              ((locked? page)
               (requirement "LOCK-1" "A page that is being edited is locked for half an hour.")
               (-> locked))
              (else (-> edit))))
        (on (browser (Follow 'history)) -> history)
        (state show
          (entry (show-page 'show page))
          (on (browser (FollowWord wanted)) (where (links-to? page wanted))
              (redirect-to 'show)
              -> redirected (with (name wanted)))
          (on (browser (Follow 'changes)) (where (pair? (cdr (page-revisions page)))) -> changes)
          (on (browser (Follow 'back)) (where (pair? (cdr (page-revisions page))))
              -> revision (with (number (- (length (page-revisions page)) 1))))
          (on (browser (Follow 'source)) -> source)
          (on (browser (Follow 'edit-web)) (where (string=? (page-name page) "HomePage")) -> edit-web))
        (state changes
          (entry (show-page 'changes page))
          (on (browser (Follow 'current)) -> show)))

      (state history
        (entry (write browser (History (page-name page) (map revision-author (page-revisions page)))))
        (on (browser (FollowRevision wanted))
            (let ((count (length (page-revisions page))))
              (cond
                ((and (> wanted 0) (<= wanted count))
                 (-> revision (with (number wanted))))
                (else
                 (requirement "REVISION-1" "A revision that does not exist is the current one.")
                 (-> revision (with (number count))))))))

      (state revision
        (entry (let ((shown (list-ref (page-revisions page) (- (length (page-revisions page)) number))))
                 (write browser (RevisionShown (page-name page) number (revision-text shown) (revision-author shown)))))
        (on (browser (Follow 'back)) (where (> number 1))
            -> revision (with (number (- number 1))))
        (on (browser (Follow 'forward)) (where (< number (length (page-revisions page))))
            (if (= (+ number 1) (length (page-revisions page)))
                (-> show)
                (-> revision (with (number (+ number 1))))))
        (on (browser (Follow 'current)) -> show)
        (on (browser (Follow 'rollback))
            (cond
              ((locked? page)
               (requirement "LOCK-1")
               (-> locked))
              (else (-> rollback)))))

      (state all-pages
        (entry (write browser
                 (PageList (names-of (web-pages web)) (wanted-names web) (names-of (orphaned-pages web)) (take-flash!))))
        (on (browser (FollowWord wanted))
            (where (or (find-page web wanted) (member wanted (wanted-names web))))
            (redirect-to 'show)
            -> redirected (with (name wanted))))

      (state recently-revised
        (entry (write browser (RecentlyRevised (map page-name (web-pages web)))))
        (on (browser (FollowWord wanted)) (where (find-page web wanted))
            (redirect-to 'show)
            -> redirected (with (name wanted))))

      (state authors
        (entry (write browser (Authors (authors-of web)))))

      (state feeds
        (entry (show-form 'feeds)))

      (state export
        (entry (show-form 'export))
        (on (browser (Follow 'html))
            (requirement "EXPORT-1" "All pages of a web can be fetched at once, as HTML or as they were written.")
            (write browser (Download 'html (names-of (web-pages web)))))
        (on (browser (Follow 'markup))
            (requirement "EXPORT-1")
            (write browser (Download 'markup (names-of (web-pages web))))))

      (state found)

      (state files
        (entry (write browser (FileList (web-files web)))))

      (state upload
        (entry (write browser (UploadForm file '())))
        (on (browser (Upload size description))
            (let ((flaws (flaws-of file size description)))
              (cond
                ((null? flaws)
                 (requirement "FILE-9" "A file that was uploaded is there for all who may read the web.")
                 (set-web-files! web (cons file (delete file (web-files web))))
                 (set! flash 'uploaded)
                 (redirect-to 'show)
                 (-> redirected (with (name "HomePage"))))
                (else
                 (write browser (UploadForm file flaws)))))))

      (state edit-web
        (entry (show-form 'edit-web))
        (on (browser (EditWeb password address web-password again publish uploads))
            (cond
              ((not (administrator? password))
               (requirement "ADMIN-1" "Only who knows the system password can change or delete a web, or remove pages.")
               (set! flash (password-flaw password))
               (show-form 'edit-web))
              ((not (or (string=? web-password "") (string=? web-password again)))
               (requirement "ADMIN-2" "A new password is given twice.")
               (set! flash 'passwords-differ)
               (show-form 'edit-web))
              ((address-flaw address web)
               => (lambda (flaw)
                    (set! flash flaw)
                    (show-form 'edit-web)))
              (else
               (requirement "ADMIN-3" "A web can be changed; who knew its old password must know the new one from then on.")
               (set-web-address! web address)
               (set-web-password! web (if (string=? web-password "") #f web-password))
               (set-web-published! web publish)
               (set-web-uploads! web uploads)
               (set! flash 'web-changed)
               (redirect-to 'show)
               (-> redirected (with (name "HomePage"))))))
        (on (browser (Follow 'create-web)) -> create-web)
        (on (browser (RemoveOrphans password))
            (cond
              ((administrator? password)
               (requirement "ORPHAN-3" "Orphans can be removed, all at once.")
               (remove-orphans! web)
               (set! flash 'orphans-removed)
               (-> all-pages))
              (else
               (set! flash (password-flaw password))
               (-> edit-web))))
        (on (browser (DeleteWeb password))
            (cond
              ((administrator? password)
               (requirement "ADMIN-4" "A web that is deleted is gone with all its pages.")
               (set! webs (filter (lambda (other) (not (eq? other web))) webs))
               (set! flash 'web-deleted)
               (-> web-list))
              (else
               (set! flash (password-flaw password))
               (-> edit-web))))))

    ; ---- Writing: these pages have no menu ----

    (state new
      (entry (show-form 'new))
      (on (browser (Save text author))
          (let ((result (save! web #f name text (author-or-anonymous author) name)))
            (cond
              ((eq? result 'saved)
               (requirement "PAGE-2" "A page that is saved is shown.")
               (redirect-to 'show)
               (-> redirected))
              (else
               (set! flash result)
               (-> new))))))

    ; The page is locked meanwhile.
    (state changing
      (initial edit)
      (entry (lock! page last-author))
      (on (browser (Save text author))
          (if (save-and-unlock! web page text author (page-name page))
              (-> redirected (with (name (page-name page))))
              (-> changing)))
      (on (browser (Follow 'cancel))
          (requirement "LOCK-5" "Who gives up editing unlocks the page.")
          (unlock! page)
          (redirect-to 'show)
          -> redirected (with (name (page-name page))))
      (state edit
        (entry (write browser (EditForm (page-name page) (revision-text (current page)) (take-flash!))))
        (on (browser (SaveAs text author new-name)) (where (not (string=? (page-name page) "HomePage")))
            (requirement "PAGE-3" "Any page but the home page can be given another name.")
            (if (save-and-unlock! web page text author new-name)
                (-> redirected (with (name new-name)))
                (-> changing))))
      (state rollback
        (entry (requirement "REVISION-2" "Rolling back is editing the text of an old revision.")
               (let ((old (list-ref (page-revisions page) (- (length (page-revisions page)) number))))
                 (write browser (EditForm (page-name page) (revision-text old) (take-flash!)))))))

    (state locked
      (entry (write browser (LockedPage (page-name page) (page-locked-by page) (- now (page-locked-at page)))))
      (on (browser (Follow 'edit-anyway))
          (requirement "LOCK-2" "A lock can be broken.")
          -> edit)
      (on (browser (Follow 'cancel))
          -> show))))

(instiki #f "HomePage" #f 0 "plan.txt")
