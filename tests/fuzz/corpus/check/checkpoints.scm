(checkpoint a b  "c" 1) (checkpoint "name with blanks") (requirement "R" "t") (requirement "R2") (define (f) (checkpoint proc:f)) (f)
