#include "testgen/suite/spelling.hpp"

#include <cstdio>

#include "testgen/text/escapes.hpp"

namespace espalier {

namespace {
// The length of what XML cannot carry at `at`, or would read as something else, and its code; 0: it can.
size_t unfit(std::string_view s, size_t at, unsigned& code) {
    const CodePoint point = decode_utf8(s, at);
    code = static_cast<unsigned>(point.code);
    return point.code == '\r' || !xml_can_carry(point.code) ? point.size : 0;
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

namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// The length of the escape that begins at `at`, and its character; 0: there is none.
size_t escape_at(std::string_view s, size_t at, char32_t& code) {
    if (!s.substr(at).starts_with("\\x")) return 0;
    code = 0;
    size_t end = at + 2;
    for (; end < s.size() && hex_digit(s[end]) >= 0; ++end) {
        code = code * 16 + static_cast<char32_t>(hex_digit(s[end]));
        if (code > 0x10FFFF) return 0;
    }
    const bool good = end > at + 2 && end < s.size() && s[end] == ';' && is_scalar_value(code);
    return good ? end + 1 - at : 0;
}

} // namespace

std::optional<std::string> unescape(std::string_view s) {
    std::string out;
    for (size_t i = 0; i < s.size();) {
        char32_t code = 0;
        if (s[i] != '\\') {
            out += s[i++];
        } else if (const size_t length = escape_at(s, i, code); length > 0) {
            append_utf8(out, code);
            i += length;
        } else {
            return std::nullopt;
        }
    }
    return out;
}

std::string attribute_text(std::string_view bytes) {
    std::string s = valid_utf8(bytes); // names of files are any bytes
    if (!needs_escapes(s) && s.find_first_of("\t\n") == std::string_view::npos &&
        s.find("\\x") == std::string_view::npos)
        return s;
    std::string out;
    for (char c : escape(s)) {
        if (c == '\t' || c == '\n')
            out += c == '\t' ? "\\x9;" : "\\xa;";
        else
            out += c;
    }
    return out;
}

std::string from_attribute_text(std::string_view s) {
    std::string out;
    for (size_t i = 0; i < s.size();) {
        char32_t code = 0;
        if (const size_t length = s[i] == '\\' ? escape_at(s, i, code) : 0; length > 0) {
            append_utf8(out, code);
            i += length;
        } else {
            out += s[i++];
        }
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

std::optional<std::vector<uint8_t>> from_hex(std::string_view s) {
    std::vector<uint8_t> bytes;
    if (s.size() % 2 != 0) return std::nullopt;
    for (size_t i = 0; i < s.size(); i += 2) {
        const int high = hex_digit(s[i]), low = hex_digit(s[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        bytes.push_back(static_cast<uint8_t>(high * 16 + low));
    }
    return bytes;
}

ValueWord type_word(const TypeDef& type) {
    return std::visit(Overloaded{
                          [](const type::Int&) { return ValueWord::integer; },
                          [](const type::Bool&) { return ValueWord::boolean; },
                          [](const type::Enum&) { return ValueWord::enumeration; },
                          [](const type::String&) { return ValueWord::string; },
                          [](const type::Bytes&) { return ValueWord::bytes; },
                          [](const type::ListOf&) { return ValueWord::list; },
                          [](const type::OneOf&) { return ValueWord::message; },
                      },
                      type.kind);
}

ValueWord type_word(const Program& program, Value v) {
    if (number::is_number(v)) return ValueWord::integer;
    if (v.is_boolean()) return ValueWord::boolean;
    if (v == Value::any()) return ValueWord::any;
    if (is_type(v, ObjectType::string)) return ValueWord::string;
    if (is_type(v, ObjectType::bytevector)) return ValueWord::bytes;
    if (is_type(v, ObjectType::message)) return ValueWord::message;
    if (is_type(v, ObjectType::fresh)) {
        const TypeId of = static_cast<const Fresh*>(v.as_object())->of;
        return index(of) < program.types.size() ? type_word(program.types[index(of)]) : ValueWord::any;
    }
    if (v.is_null() || is_pair(v)) return ValueWord::list;
    return ValueWord::enumeration;
}

ValueWord type_word(const Program& program, std::optional<TypeId> declared, Value v) {
    return declared ? type_word(program.types[index(*declared)]) : type_word(program, v);
}

bool can_be_spelt(Value root) {
    struct Part {
        Value value;
        uint32_t depth;
    };
    std::vector<Part> work{{root, 0}};
    for (size_t parts = 1; !work.empty(); ++parts) {
        const auto [v, depth] = work.back();
        work.pop_back();
        if (depth > deepest_spelt || parts > most_parts_spelt) return false;
        if (is_pair(v)) {
            Value rest = v;
            for (; is_pair(rest); rest = as_pair(rest).cdr) work.push_back({as_pair(rest).car, depth + 1});
            if (!rest.is_null()) return false;
        } else if (is_type(v, ObjectType::message)) {
            const Message& m = as_message(v);
            for (uint32_t i = 0; i < m.count; ++i) work.push_back({m.fields[i], depth + 1});
        } else {
            const bool plain = number::is_number(v) || v.is_boolean() || v.is_null() || v.is_symbol() ||
                               v.is_character() || v == Value::any() || is_type(v, ObjectType::string) ||
                               is_type(v, ObjectType::bytevector) || is_type(v, ObjectType::fresh);
            if (!plain) return false;
        }
    }
    return true;
}

} // namespace espalier
