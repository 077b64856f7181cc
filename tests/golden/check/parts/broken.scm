(define (broken x)
  (undefined-here x))
