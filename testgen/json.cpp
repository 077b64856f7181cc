#include "testgen/json.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace espalier {

void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    for (size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += text[i++];
        } else if (c < 0x20 || c == 0x7f) {
            std::array<char, 8> hex{};
            std::snprintf(hex.data(), hex.size(), "\\u%04x", c);
            out += hex.data();
            ++i;
        } else if (c < 0x80) {
            out += text[i++];
        } else {
            const size_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 0;
            bool whole = length > 0 && i + length <= text.size();
            for (size_t k = 1; whole && k < length; ++k)
                whole = (static_cast<unsigned char>(text[i + k]) & 0xc0U) == 0x80;
            out += whole ? text.substr(i, length) : std::string_view("\xef\xbf\xbd");
            i += whole ? length : 1;
        }
    }
    out += '"';
}

void JsonWriter::separate() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (filled_.empty()) return;
    if (filled_.back()) out_ += ',';
    filled_.back() = true;
    break_line();
}

void JsonWriter::open(char bracket) {
    separate();
    out_ += bracket;
    filled_.push_back(false);
}

void JsonWriter::close(char bracket) {
    const bool filled = filled_.back();
    filled_.pop_back();
    if (filled) break_line();
    out_ += bracket;
}

void JsonWriter::raw(std::string_view text) {
    separate();
    out_ += text;
}

void JsonWriter::key(std::string_view name) {
    value(name);
    out_ += ": ";
    after_key_ = true;
}

void JsonWriter::value(double n) {
    if (!std::isfinite(n)) return raw("null");
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6f", n);
    raw(text.data());
}

void JsonWriter::value(std::string_view text) {
    separate();
    append_json_string(out_, text);
}

} // namespace espalier
