// How single values are spelt in a suite.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/lang.hpp"
#include "testgen/text/words.hpp"

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

// What a suite says of a value's type: the words of the schema's ValueType.
enum class ValueWord : uint8_t { integer, boolean, enumeration, string, bytes, list, message, any, other };
template <>
struct Words<ValueWord> {
    static constexpr std::array<Word<ValueWord>, 9> all{{{ValueWord::integer, "int"},
                                                         {ValueWord::boolean, "bool"},
                                                         {ValueWord::enumeration, "enum"},
                                                         {ValueWord::string, "string"},
                                                         {ValueWord::bytes, "bytes"},
                                                         {ValueWord::list, "list"},
                                                         {ValueWord::message, "message"},
                                                         {ValueWord::any, "any"},
                                                         {ValueWord::other, "other"}}};
};
ValueWord type_word(const TypeDef& type);
ValueWord type_word(const Program& program, Value value); // of a value without a declared type
ValueWord type_word(const Program& program, std::optional<TypeId> declared, Value value);

// Can a suite spell the value, or only show how it prints? Ports without declared messages carry anything: procedures,
// vectors, improper lists, and what is nested deeper than tools for XML care to follow, or shares parts so often that
// it would fill the disk.
bool can_be_spelt(Value value);
inline constexpr uint32_t deepest_spelt = 100;
inline constexpr size_t most_parts_spelt = 1'000'000;

} // namespace espalier
