// What the reader and the printer must agree on, or data would not survive being written and read again.
#pragma once

#include <array>
#include <string_view>

namespace espalier {

// Whether the name, as it stands, reads as the symbol of that name: `+` and `->x` do; `+i`, `1+` and `a b`
// need bars.
bool reads_as_symbol(std::string_view name);

struct CharacterName {
    std::string_view name;
    char32_t code;
};

// R7RS 6.6, and two older names that it replaced; of several for one character the first is printed.
inline constexpr std::array character_names = {
    CharacterName{"alarm", 0x07},   CharacterName{"backspace", 0x08}, CharacterName{"delete", 0x7F},
    CharacterName{"escape", 0x1B},  CharacterName{"newline", 0x0A},   CharacterName{"null", 0x00},
    CharacterName{"return", 0x0D},  CharacterName{"space", 0x20},     CharacterName{"tab", 0x09},
    CharacterName{"altmode", 0x1B}, CharacterName{"nul", 0x00},
};

} // namespace espalier
