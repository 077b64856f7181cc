#include "testgen/text/json_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <set>

#include "testgen/text/json.hpp"

namespace espalier {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_digit(char c) {
    if (is_digit(c)) return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

void append_character(std::string& out, uint32_t code) {
    const auto byte = [&](uint32_t b) { out += static_cast<char>(b); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xc0U | code >> 6U), byte(0x80U | (code & 0x3fU));
    } else if (code < 0x10000) {
        byte(0xe0U | code >> 12U), byte(0x80U | (code >> 6U & 0x3fU)), byte(0x80U | (code & 0x3fU));
    } else {
        byte(0xf0U | code >> 18U), byte(0x80U | (code >> 12U & 0x3fU));
        byte(0x80U | (code >> 6U & 0x3fU)), byte(0x80U | (code & 0x3fU));
    }
}

// How many bytes the character at the start of `s` takes, as UTF-8 in its only form (RFC 3629); 0: it is none.
size_t utf8_length(std::string_view s) {
    const auto at = [&](size_t i) { return static_cast<uint8_t>(s[i]); };
    const auto follows = [&](size_t i, uint8_t least = 0x80, uint8_t most = 0xbf) {
        return i < s.size() && at(i) >= least && at(i) <= most;
    };
    const uint8_t c = at(0);
    if (c < 0x80) return 1;
    if (c >= 0xc2 && c <= 0xdf) return follows(1) ? 2 : 0;
    if (c >= 0xe0 && c <= 0xef)
        return follows(1, c == 0xe0 ? 0xa0 : 0x80, c == 0xed ? 0x9f : 0xbf) && follows(2) ? 3 : 0;
    if (c >= 0xf0 && c <= 0xf4)
        return follows(1, c == 0xf0 ? 0x90 : 0x80, c == 0xf4 ? 0x8f : 0xbf) && follows(2) && follows(3) ? 4 : 0;
    return 0;
}

class Reader {
public:
    Reader(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

    Result<JsonValue> read() {
        JsonValue root;
        if (!value(root)) return Problem{std::move(problem_)};
        blanks();
        if (at_ == text_.size()) return root;
        fail("something follows the value");
        return Problem{std::move(problem_)};
    }

private:
    bool fail(const std::string& what) {
        problem_ = what + " (byte " + std::to_string(std::min(at_, text_.size()) + 1) + ")";
        return false;
    }
    char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void blanks() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    }
    bool take(char c) {
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    bool word(std::string_view w) {
        if (text_.substr(at_, w.size()) != w) return fail("there is no value here");
        at_ += w.size();
        return true;
    }

    bool value(JsonValue& out) {
        blanks();
        if (++values_ > limits_.values) return fail("there are too many values");
        if (depth_ >= limits_.depth) return fail("values are nested too deeply");
        ++depth_;
        const bool good = one(out);
        --depth_;
        return good;
    }

    bool one(JsonValue& out) {
        switch (here()) {
        case '{': return object(out.kind.emplace<JsonObject>());
        case '[': return list(out.kind.emplace<JsonList>());
        case '"': return string(out.kind.emplace<std::string>());
        case 't': out.kind = true; return word("true");
        case 'f': out.kind = false; return word("false");
        case 'n': return word("null");
        default: return number(out.kind.emplace<JsonNumber>().text);
        }
    }

    bool list(JsonList& out) {
        ++at_;
        blanks();
        if (take(']')) return true;
        while (true) {
            if (!value(out.emplace_back())) return false;
            blanks();
            if (take(']')) return true;
            if (!take(',')) return fail("`,` or `]` is missing");
        }
    }

    bool object(JsonObject& out) {
        ++at_;
        blanks();
        if (take('}')) return true;
        std::set<std::string, std::less<>> names;
        while (true) {
            blanks();
            if (here() != '"') return fail("the name of a member is missing");
            JsonMember& member = out.emplace_back();
            if (!string(member.name)) return false;
            if (!names.insert(member.name).second) return fail("a member stands there twice");
            blanks();
            if (!take(':')) return fail("`:` is missing");
            if (!value(member.value)) return false;
            blanks();
            if (take('}')) return true;
            if (!take(',')) return fail("`,` or `}` is missing");
        }
    }

    bool digits() {
        if (!is_digit(here())) return false;
        while (is_digit(here())) ++at_;
        return true;
    }

    bool number(std::string& out) {
        const size_t begin = at_;
        take('-');
        if (!take('0') && !digits()) return fail("there is no value here");
        if (take('.') && !digits()) return fail("digits are missing");
        if (take('e') || take('E')) {
            if (!take('+')) take('-');
            if (!digits()) return fail("digits are missing");
        }
        if (is_digit(here())) return fail("a number does not begin with 0");
        out = text_.substr(begin, at_ - begin);
        if (out == "-0") out = "0";
        return true;
    }

    bool hex(uint32_t& code) {
        code = 0;
        for (int i = 0; i < 4; ++i, ++at_) {
            const int digit = hex_digit(here());
            if (digit < 0) return fail("four hexadecimal digits follow `\\u`");
            code = code * 16 + static_cast<uint32_t>(digit);
        }
        return true;
    }

    bool escape(std::string& out) {
        static constexpr std::string_view letters = "\"\\/bfnrt", stand_for = "\"\\/\b\f\n\r\t";
        const char c = here();
        ++at_;
        if (const size_t i = letters.find(c); c != '\0' && i != std::string_view::npos) {
            out += stand_for[i];
            return true;
        }
        if (c != 'u') return fail("there is no such escape");
        uint32_t code = 0;
        if (!hex(code)) return false;
        if (code >= 0xd800 && code < 0xdc00) { // the first half of a character (RFC 8259, section 7)
            uint32_t second = 0;
            if (!take('\\') || !take('u') || !hex(second) || second < 0xdc00 || second > 0xdfff)
                return fail("half a character");
            code = 0x10000 + ((code - 0xd800) << 10U) + (second - 0xdc00);
        } else if (code >= 0xdc00 && code <= 0xdfff) {
            return fail("half a character");
        }
        append_character(out, code);
        return true;
    }

    bool string(std::string& out) {
        ++at_;
        while (at_ < text_.size()) {
            if (take('"')) return true;
            if (take('\\')) {
                if (!escape(out)) return false;
                continue;
            }
            const size_t length = utf8_length(text_.substr(at_));
            if (length == 0) return fail("this is not UTF-8");
            if (length == 1 && static_cast<uint8_t>(here()) < 0x20) return fail("a control character in a string");
            out += text_.substr(at_, length);
            at_ += length;
        }
        return fail("a string has no end");
    }

    std::string_view text_;
    const JsonLimits& limits_;
    std::string problem_;
    size_t at_ = 0, depth_ = 0, values_ = 0;
};

struct Printer {
    std::string& out;
    void operator()(JsonNull) const { out += "null"; }
    void operator()(bool b) const { out += b ? "true" : "false"; }
    void operator()(const JsonNumber& n) const { out += n.text; }
    void operator()(const std::string& s) const { append_json_string(out, s); }
    void operator()(const JsonList& list) const {
        out += '[';
        for (const JsonValue& v : list) {
            if (&v != &list.front()) out += ',';
            append_json(out, v);
        }
        out += ']';
    }
    void operator()(const JsonObject& object) const {
        out += '{';
        for (const JsonMember& m : object) {
            if (&m != &object.front()) out += ',';
            append_json_string(out, m.name);
            out += ':';
            append_json(out, m.value);
        }
        out += '}';
    }
};

} // namespace

const JsonValue* JsonValue::member(std::string_view name) const {
    const JsonObject* members = object();
    if (members == nullptr) return nullptr;
    const auto found =
        std::find_if(members->begin(), members->end(), [&](const JsonMember& m) { return m.name == name; });
    return found == members->end() ? nullptr : &found->value;
}

bool operator==(const JsonValue& a, const JsonValue& b) {
    const JsonObject *x = a.object(), *y = b.object();
    if (x == nullptr || y == nullptr) return a.kind.index() == b.kind.index() && a.kind == b.kind;
    if (x->size() != y->size()) return false;
    return std::all_of(x->begin(), x->end(), [&](const JsonMember& m) {
        const JsonValue* other = b.member(m.name);
        return other != nullptr && m.value == *other;
    });
}

Result<JsonValue> parse_json(std::string_view text, const JsonLimits& limits) { return Reader(text, limits).read(); }

void append_json(std::string& out, const JsonValue& value) { std::visit(Printer{out}, value.kind); }

} // namespace espalier
