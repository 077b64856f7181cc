// Everything that an author wrote is data in the report. This is where it is made so: once for text that stands in the
// page's HTML, once for the JSON in its <script> elements. What the scripts show they put into text nodes.
#include <array>
#include <cstdio>

#include "testgen/report.hpp"

namespace espalier {

namespace {

// The length of the UTF-8 sequence at `i` and its code point; 0 where there is none.
size_t decode(std::string_view s, size_t i, char32_t& code) {
    const auto byte = [&](size_t k) { return static_cast<uint8_t>(s[i + k]); };
    const uint8_t first = byte(0);
    const size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    if (length == 0 || i + length > s.size()) return 0;
    code = length == 1 ? first : first & (0xffU >> (length + 1));
    for (size_t k = 1; k < length; ++k) {
        if ((byte(k) & 0xc0U) != 0x80) return 0;
        code = code << 6U | (byte(k) & 0x3fU);
    }
    return length;
}

// Would not be seen, or would change what is seen: control characters; marks and overrides of direction.
bool is_invisible(char32_t c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xfeff || c == 0xfffe || c == 0xffff;
}

std::string hex(const char* form, char32_t code) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), form, static_cast<unsigned>(code));
    return text.data();
}

} // namespace

std::string page_text(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size();) {
        char32_t code = 0;
        const size_t length = decode(text, i, code);
        if (length == 0) {
            out += "\xef\xbf\xbd";
            ++i;
            continue;
        }
        switch (code) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default: out += is_invisible(code) ? hex("\\x%x;", code) : std::string(text.substr(i, length));
        }
        i += length;
    }
    return out;
}

std::string inline_json(std::string_view json) {
    std::string out;
    out.reserve(json.size());
    for (size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (c == '\n') {
            while (i + 1 < json.size() && json[i + 1] == ' ') ++i;
        } else if (c == '<' || c == '>' || c == '&') { // these stand only in strings
            out += hex("\\u%04x", static_cast<char32_t>(c));
        } else if (json.substr(i, 2) == "\xe2\x80" && i + 2 < json.size() &&
                   (json[i + 2] == '\xa8' || json[i + 2] == '\xa9')) {
            out += json[i + 2] == '\xa8' ? "\\u2028" : "\\u2029"; // line ends, to a script
            i += 2;
        } else {
            out += c;
        }
    }
    return out;
}

} // namespace espalier
