# Turns the files INPUT, a list, one after the other, into the C++ source OUTPUT, which defines espalier::SYMBOL, a
# std::string_view of their bytes.
# An array of bytes rather than a string literal: compilers limit the length of literals, not of arrays.
set(bytes "")
foreach(input IN LISTS INPUT)
  file(READ "${input}" part HEX)
  string(APPEND bytes "${part}")
endforeach()
string(REGEX REPLACE "(........................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE "${OUTPUT}" "#include <string_view>

namespace espalier {

extern const std::string_view ${SYMBOL};

static constexpr char bytes[] = {
${bytes}'\\0'};

const std::string_view ${SYMBOL}{bytes, sizeof bytes - 1};

} // namespace espalier
")
