(define name "Anna)
(write name)
