(write 1)
#| this comment
#| nests |#
(write 2)
