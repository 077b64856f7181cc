// How single values are spelt in a suite.
#pragma once

#include <string>
#include <string_view>

#include "lang/lang.hpp"

namespace espalier {

// XML has no control characters but tab and newline, turns returns into newlines, and no U+FFFE: a text with any of
// them, or with a backslash in front of `x`, is written with escapes.
bool needs_escapes(std::string_view utf8);
std::string escape(std::string_view utf8);
// For an attribute, where XML reads tabs and newlines as blanks: with escapes as soon as there is one of them too.
std::string attribute_text(std::string_view utf8);
std::string to_hex(const Bytevector& bytes);
// Of a bare value or a list's element: int, bool, enum, string, bytes, list or message.
const char* value_type_word(Value value);

} // namespace espalier
