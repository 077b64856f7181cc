(define-machine (client items)
  (state manual
    (on (user Refresh) (write network (Query)) -> busy)
    (on (user (SetAuto on)) (where on) -> (auto 0))
    (ignores link)))
