(include "parts/deep.scm")
