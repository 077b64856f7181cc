(write y)
