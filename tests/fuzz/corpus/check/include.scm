(include "other.scm") (import (scheme base)) (define x 1)
