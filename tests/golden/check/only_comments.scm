; nothing here
#| nor here |#
