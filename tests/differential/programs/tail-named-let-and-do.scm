;; loops: a million iterations of named let and do
(display (let loop ((i 0) (sum 0)) (if (= i 1000000) sum (loop (+ i 1) (+ sum i))))) (newline)
(display (do ((i 0 (+ i 1)) (sum 0 (+ sum i))) ((= i 1000000) sum))) (newline)
(display (let outer ((i 0) (n 0))
           (if (= i 1000)
               n
               (let inner ((j 0) (n n))
                 (if (= j 500) (outer (+ i 1) n) (inner (+ j 1) (+ n 1)))))))
(newline)
