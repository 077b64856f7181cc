(naïve)
