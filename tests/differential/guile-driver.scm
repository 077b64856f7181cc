;; Runs programs in one Guile process, each in a module of its own:
;;
;;   guile --no-auto-compile guile-driver.scm SHIM (PROGRAM OUTPUT)...
;;
;; What PROGRAM displays goes to the file OUTPUT. A program that ends with an error
;; has the error on standard error, and a last line that no program prints in OUTPUT.

(use-modules (ice-9 match) (ice-9 exceptions))

(define (load-into module file)
  (save-module-excursion
   (lambda ()
     (set-current-module module)
     (primitive-load file))))

(define duplicates (lookup-duplicates-handlers '(replace last)))

(define (module-with-shim shim)
  (let ((module (make-fresh-user-module)))
    (set-module-duplicates-handlers! module duplicates)
    (load-into module shim)
    (module-replace! module (module-map (lambda (name variable) name) module))
    module))

;; The program sees the shim's definitions, and what the shim imports, but not the rest of
;; Guile: a program that is not R7RS fails.
(define (fresh-program-module shim-module)
  (let ((module (make-fresh-user-module))
        (core (module-uses (make-fresh-user-module))))
    (set-module-duplicates-handlers! module duplicates)
    (set-module-uses! module
                      (append (list (module-public-interface shim-module))
                              (filter (lambda (interface) (not (memq interface core)))
                                      (module-uses shim-module))
                              (list (resolve-interface '(guile) #:select '(import)))))
    module))

(define (run program output shim-module)
  (call-with-output-file output
    (lambda (port)
      (set-port-encoding! port "UTF-8")
      (parameterize ((current-output-port port))
        (with-exception-handler
         (lambda (error)
           (format (current-error-port) "~a: Guile: ~a ~s\n" program
                   (if (exception-with-message? error) (exception-message error) error)
                   (if (exception-with-irritants? error) (exception-irritants error) '()))
           (display "\n[Guile ended with an error]\n" port))
         (lambda () (load-into (fresh-program-module shim-module) program))
         #:unwind? #t)))))

(fluid-set! %default-port-encoding "UTF-8")
(match (command-line)
  ((_ shim . files)
   (let ((shim-module (module-with-shim shim)))
     (let loop ((files files))
       (match files
         (() #t)
         ((program output . rest)
          (run program output shim-module)
          (loop rest)))))))
