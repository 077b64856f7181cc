#include "lang/text/json_text.hpp"

#include <array>
#include <cstdio>

#include "lang/text/utf8.hpp"

namespace espalier {

std::string json_string(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (size_t i = 0; i < text.size();) {
        const CodePoint point = decode_utf8(text, i);
        i += point.size;
        switch (point.code) {
        case '"': out += "\\\""; break;
        case '\\': out += "\\\\"; break;
        case '\b': out += "\\b"; break;
        case '\f': out += "\\f"; break;
        case '\n': out += "\\n"; break;
        case '\r': out += "\\r"; break;
        case '\t': out += "\\t"; break;
        default:
            if (point.code < 0x20 || (point.code >= 0x7F && point.code < 0xA0) || point.code == 0x2028 ||
                point.code == 0x2029) {
                std::array<char, 8> hex{};
                std::snprintf(hex.data(), hex.size(), "\\u%04x", static_cast<unsigned>(point.code));
                out += hex.data();
            } else {
                append_utf8(out, point.code);
            }
        }
    }
    return out;
}

void append_json_string(std::string& out, std::string_view text) {
    out.append("\"").append(json_string(text)).append("\"");
}

} // namespace espalier
