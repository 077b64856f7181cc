#include "testgen/suite_text.hpp"

#include <cstdio>

namespace espalier {

namespace {
// The length of what XML cannot carry at `at`, and its code; 0: it can.
size_t unfit(std::string_view s, size_t at, unsigned& code) {
    const auto c = static_cast<unsigned char>(s[at]);
    code = c;
    if (c < 0x20 && c != '\t' && c != '\n') return 1;
    // U+FFFE and U+FFFF
    if (c == 0xEF && at + 2 < s.size() && static_cast<unsigned char>(s[at + 1]) == 0xBF &&
        static_cast<unsigned char>(s[at + 2]) >= 0xBE) {
        code = 0xFFC0U | (static_cast<unsigned char>(s[at + 2]) & 0x3FU);
        return 3;
    }
    return 0;
}
} // namespace

bool needs_escapes(std::string_view s) {
    for (size_t i = 0; i < s.size(); ++i) {
        unsigned code = 0;
        if (unfit(s, i, code) > 0) return true;
    }
    return false;
}

std::string escape(std::string_view s) {
    std::string out;
    for (size_t i = 0; i < s.size();) {
        unsigned code = 0;
        const size_t length = unfit(s, i, code);
        if (length == 0 && s[i] != '\\') {
            out += s[i++];
            continue;
        }
        char text[16];
        std::snprintf(text, sizeof text, "\\x%x;", length == 0 ? static_cast<unsigned>('\\') : code);
        out += text;
        i += length == 0 ? 1 : length;
    }
    return out;
}

std::string attribute_text(std::string_view s) {
    if (!needs_escapes(s) && s.find_first_of("\t\n") == std::string_view::npos) return std::string(s);
    std::string out;
    for (char c : escape(s)) {
        if (c == '\t' || c == '\n')
            out += c == '\t' ? "\\x9;" : "\\xa;";
        else
            out += c;
    }
    return out;
}

std::string to_hex(const Bytevector& bytes) {
    std::string out;
    for (uint32_t i = 0; i < bytes.count; ++i) {
        char text[4];
        std::snprintf(text, sizeof text, "%02x", bytes.bytes[i]);
        out += text;
    }
    return out;
}

const char* value_type_word(Value v) {
    if (number::is_number(v)) return "int";
    if (v.is_boolean()) return "bool";
    if (is_type(v, ObjectType::string)) return "string";
    if (is_type(v, ObjectType::bytevector)) return "bytes";
    if (is_type(v, ObjectType::message)) return "message";
    if (v.is_null() || is_pair(v)) return "list";
    return "enum";
}

} // namespace espalier
