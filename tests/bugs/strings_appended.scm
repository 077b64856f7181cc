; Appending two inputs asks for the value of each. The second took the answer of the first where the path knew it by then.
(define-message Name (first (enum "ab" "c")) (last (enum "x" "yz")))
(define-port in-port in Name)
(define whole
  (let ((name (read in-port)))
    (string-append (Name-first name) (Name-last name))))
(cond ((string=? whole "cx") (checkpoint "cx"))
      ((string=? whole "abx") (checkpoint "abx"))
      ((string=? whole "cyz") (checkpoint "cyz"))
      ((string=? whole "abyz") (checkpoint "abyz")))
