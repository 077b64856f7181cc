// UTF-8, the only encoding of source files, strings and symbols.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace espalier {

struct CodePoint {
    char32_t code = 0;
    size_t size = 0; // in bytes
};

// The code point at `at`, which is inside `text`; U+FFFD and one byte where the text is not well-formed
// there.
CodePoint decode_utf8(std::string_view text, size_t at);
void append_utf8(std::string& to, char32_t code);
// Where the first byte stands that no well-formed text has there; npos for well-formed text.
size_t first_invalid_utf8(std::string_view text);
// Code points, counting each byte that is no part of one as one.
size_t count_code_points(std::string_view text);

inline bool is_scalar_value(char32_t code) { return code < 0xD800 || (code > 0xDFFF && code <= 0x10FFFF); }
// False for what a reader of the text cannot see or would take for a blank: controls, spaces other than
// U+0020, marks of direction (which can make code look like other code), noncharacters.
bool is_visible(char32_t code);

} // namespace espalier
