#include "testgen/escapes.hpp"

#include <array>
#include <cstdio>

#include "lang/lang.hpp"

namespace espalier {

namespace {

// Gives each character to `put`, with its bytes; one that is no UTF-8 as U+FFFD.
template <typename Put>
std::string each_character(std::string_view text, const Put& put) {
    std::string out;
    out.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const CodePoint point = decode_utf8(text, at);
        const bool broken = point.code == 0xFFFD && point.size == 1;
        put(out, point.code, broken ? std::string_view("\xef\xbf\xbd") : text.substr(at, point.size));
        at += point.size;
    }
    return out;
}

void append_formatted(std::string& out, const char* format, char32_t code) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), format, static_cast<unsigned>(code));
    out += text.data();
}

// XML has no control characters but three, and neither U+FFFE nor U+FFFF.
bool xml_can_carry(char32_t code) {
    if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
    return code != 0xFFFE && code != 0xFFFF;
}

std::string xml(std::string_view text, bool attribute) {
    return each_character(text, [=](std::string& out, char32_t code, std::string_view bytes) {
        if (!xml_can_carry(code))
            append_formatted(out, "\\x%x;", code);
        else if (code == '&')
            out += "&amp;";
        else if (code == '<')
            out += "&lt;";
        else if (code == '>')
            out += "&gt;";
        else if (code == '"' && attribute)
            out += "&quot;";
        else if (code == '\r' || (attribute && (code == '\n' || code == '\t')))
            append_formatted(out, "&#%u;", code); // else a reader would make a line end or a blank of it
        else
            out += bytes;
    });
}

} // namespace

std::string xml_text(std::string_view text) { return xml(text, false); }
std::string xml_attribute(std::string_view text) { return xml(text, true); }

} // namespace espalier
