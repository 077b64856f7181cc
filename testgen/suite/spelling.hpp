// How single values are spelt in a suite.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/lang.hpp"

namespace espalier {

// XML has no control characters but tab and newline, turns returns into newlines, and no U+FFFE: a text with any of
// them is written with escapes, and says so (escaped="true").
bool needs_escapes(std::string_view utf8);
std::string escape(std::string_view utf8); // \x7; and, for a backslash, \x5c;
// Nothing where a backslash begins none of these.
std::optional<std::string> unescape(std::string_view text);

// For an attribute, which has no way to say so: with escapes as soon as there is such a character, a tab or newline
// (which XML reads as blanks), or something that reads like an escape.
std::string attribute_text(std::string_view utf8);
std::string from_attribute_text(std::string_view text); // what is no escape stands for itself

std::string to_hex(const Bytevector& bytes);
std::optional<std::vector<uint8_t>> from_hex(std::string_view digits);

// The words of the schema's ValueType: of a declared type, and of a value that has none.
const char* type_word(const TypeDef& type);
const char* value_type_word(const Program& program, Value value);

// Can a suite spell the value, or only show how it prints? Ports without declared messages carry anything: procedures,
// vectors, improper lists, and what is nested deeper than tools for XML care to follow, or shares parts so often that
// it would fill the disk.
bool can_be_spelt(Value value);
inline constexpr uint32_t deepest_spelt = 100;
inline constexpr size_t most_parts_spelt = 1'000'000;

} // namespace espalier
