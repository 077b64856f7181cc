(include "include_itself.scm")
