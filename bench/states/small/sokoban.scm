; A store with two boxes.
(define store
  '("#######"
    "#@ #  #"
    "# $ $.#"
    "#  #. #"
    "##    #"
    "#- ####"
    "#######"))
(include "../rules/sokoban.scm")
