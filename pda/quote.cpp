#include "pda/quote.hpp"

namespace espalier::pda {

std::string quote(std::string_view name) {
    constexpr size_t longest = 60;
    constexpr char hex[] = "0123456789abcdef";
    // Never through the middle of a UTF-8 character.
    size_t length = name.size() > longest ? longest : name.size();
    while (length > 0 && length < name.size() && (static_cast<unsigned char>(name[length]) & 0xc0) == 0x80) --length;
    std::string text = "'";
    for (const char c : name.substr(0, length)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) {
            text += "\\x";
            text += hex[byte >> 4];
            text += hex[byte & 15];
        } else {
            text += c;
        }
    }
    if (length < name.size()) text += "...";
    return text + "'";
}

} // namespace espalier::pda
