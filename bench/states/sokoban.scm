; A store with three boxes. Its shortest solution has 112 steps.
(define store
  '("###########"
    "##-#  ..  #"
    "#------# -#"
    "#-#---#  ##"
    "#--#-##   #"
    "##-#### $ #"
    "#---##  $##"
    "#@  $ .   #"
    "###########"))
(include "rules/sokoban.scm")
