// Classes and cases of characters, as R7RS 6.6 and 6.7 want them: by Unicode, whatever the user's locale is.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace espalier::unicode {

char32_t upcase(char32_t c);
char32_t downcase(char32_t c);
bool is_alphabetic(char32_t c);
bool is_whitespace(char32_t c);
bool is_upper_case(char32_t c);
bool is_lower_case(char32_t c);
std::optional<int> digit_value(char32_t c); // of decimal digits, in all scripts; nothing for others

// Whole strings: one character may become several ("ß" upcases to "SS"), and a sigma that ends a word is "ς".
std::u32string upcase(std::u32string_view text);
std::u32string downcase(std::u32string_view text);
std::u32string foldcase(std::u32string_view text);

} // namespace espalier::unicode
