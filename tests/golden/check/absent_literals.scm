(write 1.5)
(write 1e3)
(write '#0=(a))
(write +inf.0)
