# Run by CPack on the tree that it is about to pack: what Debian has in other places, or in another form, than
# `cmake --install` under /usr/local.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(share "${CPACK_TEMPORARY_DIRECTORY}/usr/share")
# zsh looks for completions of packages here; its site-functions are the administrator's.
file(RENAME "${share}/zsh/site-functions" "${share}/zsh/vendor-completions")
file(RENAME "${share}/doc/espalier/LICENSE" "${share}/doc/espalier/copyright")
find_program(GZIP gzip REQUIRED)
execute_process(COMMAND "${GZIP}" -9 --no-name "${share}/man/man1/espalier.1" COMMAND_ERROR_IS_FATAL ANY)
