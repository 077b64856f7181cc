(define größe 1)
(write (+ "žluťoučký kůň" größ))
