(define n (read (int -5 5))) (assume (>= n 0)) (assert (< n 4)) (requirement "REQ-1" "n is small") (checkpoint b:id=1,true) (if (= n 2) (error "two" n 'x)) (car (list))
