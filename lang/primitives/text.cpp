// Symbols, characters and strings. Strings are one byte a character where that is enough; what makes a string
// from parts of others must narrow it again where it can.
#include <algorithm>
#include <cstring>

#include "lang/primitives/primitives.hpp"
#include "lang/text/unicode.hpp"
#include "lang/text/utf8.hpp"
#include "lang/values/equality.hpp"
#include "lang/values/number.hpp"

namespace espalier {
namespace {

String& need_string(const PrimContext& c, Value v, const char* operation) {
    need(c, v, ObjectType::string, operation, "a string");
    return as_string(v);
}

char32_t need_character(const PrimContext& c, Value v, const char* operation) {
    if (!v.is_character()) [[unlikely]]
        fail_operand(c, operation, v, "a character");
    return v.as_character();
}

std::u32string_view wide_view(const String& s) { return {s.wide(), s.count}; }

std::u32string to_u32(const String& s) {
    if (s.is_wide()) return std::u32string(wide_view(s));
    return {s.narrow(), s.narrow() + s.count};
}

uint8_t* bytes_of(String* s) { return reinterpret_cast<uint8_t*>(s + 1); }
char32_t* characters_of(String* s) { return reinterpret_cast<char32_t*>(s + 1); }

void need_fitting(const char* operation, size_t characters) {
    if (characters > most_characters)
        fail(operation, "a string of " + std::to_string(characters) + " characters is too long");
}

// Appends `part` at `at`, widening where the whole is wide.
void copy_into(String* whole, uint32_t at, const String& part) {
    if (!whole->is_wide()) {
        std::copy_n(part.narrow(), part.count, bytes_of(whole) + at);
    } else if (part.is_wide()) {
        std::copy_n(part.wide(), part.count, characters_of(whole) + at);
    } else {
        std::copy_n(part.narrow(), part.count, characters_of(whole) + at);
    }
}

int compare_strings(const String& a, const String& b) {
    const uint32_t common = std::min(a.count, b.count);
    if (!a.is_wide() && !b.is_wide()) {
        if (const int order = common == 0 ? 0 : std::memcmp(a.narrow(), b.narrow(), common); order != 0) return order;
    } else {
        for (uint32_t i = 0; i < common; ++i) {
            if (a.at(i) != b.at(i)) return a.at(i) < b.at(i) ? -1 : 1;
        }
    }
    return (a.count > b.count) - (a.count < b.count);
}

} // namespace

// ── Symbols and characters
// ──────────────────────────────────────────────────────────────────────────────────────

Value concrete_symbol_to_string(PrimContext& c, const Value* args, uint32_t) {
    if (!args[0].is_symbol()) fail_operand(c, "symbol->string", args[0], "a symbol");
    return c.heap.string(name_of(args[0].as_symbol()));
}

Value concrete_string_to_symbol(PrimContext& c, const Value* args, uint32_t) {
    return Value::symbol(intern(to_utf8(need_string(c, args[0], "string->symbol"))));
}

Value concrete_char_to_integer(PrimContext& c, const Value* args, uint32_t) {
    return Value::fixnum(need_character(c, args[0], "char->integer"));
}

Value concrete_integer_to_char(PrimContext& c, const Value* args, uint32_t) {
    const Value v = args[0];
    if (!v.is_fixnum() || v.as_fixnum() < 0 || v.as_fixnum() > 0x10FFFF ||
        !is_scalar_value(static_cast<char32_t>(v.as_fixnum()))) {
        fail_operand(c, "integer->char", v, "the number of a character");
    }
    return Value::character(static_cast<char32_t>(v.as_fixnum()));
}

Value concrete_char_upcase(PrimContext& c, const Value* args, uint32_t) {
    return Value::character(unicode::upcase(need_character(c, args[0], "char-upcase")));
}

Value concrete_char_downcase(PrimContext& c, const Value* args, uint32_t) {
    return Value::character(unicode::downcase(need_character(c, args[0], "char-downcase")));
}

Value concrete_char_is_alphabetic(PrimContext& c, const Value* args, uint32_t) {
    return Value::boolean(unicode::is_alphabetic(need_character(c, args[0], "char-alphabetic?")));
}

Value concrete_char_is_numeric(PrimContext& c, const Value* args, uint32_t) {
    return Value::boolean(unicode::digit_value(need_character(c, args[0], "char-numeric?")).has_value());
}

Value concrete_char_is_whitespace(PrimContext& c, const Value* args, uint32_t) {
    return Value::boolean(unicode::is_whitespace(need_character(c, args[0], "char-whitespace?")));
}

Value concrete_char_is_upper_case(PrimContext& c, const Value* args, uint32_t) {
    return Value::boolean(unicode::is_upper_case(need_character(c, args[0], "char-upper-case?")));
}

Value concrete_char_is_lower_case(PrimContext& c, const Value* args, uint32_t) {
    return Value::boolean(unicode::is_lower_case(need_character(c, args[0], "char-lower-case?")));
}

Value concrete_digit_value(PrimContext& c, const Value* args, uint32_t) {
    const std::optional<int> value = unicode::digit_value(need_character(c, args[0], "digit-value"));
    return value ? Value::fixnum(*value) : Value::boolean(false);
}

// ── Strings
// ─────────────────────────────────────────────────────────────────────────────────────────────────────

Value concrete_string_length(PrimContext& c, const Value* args, uint32_t) {
    return Value::fixnum(need_string(c, args[0], "string-length").count);
}

Value concrete_string_ref(PrimContext& c, const Value* args, uint32_t) {
    const String& s = need_string(c, args[0], "string-ref");
    return Value::character(s.at(need_index(c, args[1], s.count, "string-ref", "a string")));
}

Value concrete_substring(PrimContext& c, const Value* args, uint32_t) {
    const String& s = need_string(c, args[0], "substring");
    need_range(c, args[1], args[2], s.count, "substring", "a string");
    const auto start = static_cast<uint32_t>(args[1].as_fixnum()), end = static_cast<uint32_t>(args[2].as_fixnum());
    if (s.is_wide()) return c.heap.string(wide_view(s).substr(start, end - start));
    String* part = c.heap.string(end - start, false);
    std::copy(s.narrow() + start, s.narrow() + end, bytes_of(part));
    return Value::object(part);
}

Value concrete_string_append(PrimContext& c, const Value* args, uint32_t) {
    const String &a = need_string(c, args[0], "string-append"), &b = need_string(c, args[1], "string-append");
    need_fitting("string-append", size_t{a.count} + b.count);
    String* whole = c.heap.string(size_t{a.count} + b.count, a.is_wide() || b.is_wide());
    copy_into(whole, 0, a);
    copy_into(whole, a.count, b);
    return Value::object(whole);
}

Value concrete_string_concatenate(PrimContext& c, const Value* args, uint32_t) {
    size_t length = 0;
    bool wide = false;
    Value rest = args[0];
    for (; is_pair(rest); rest = as_pair(rest).cdr) {
        const String& s = need_string(c, as_pair(rest).car, "string-append");
        length += s.count;
        wide |= s.is_wide();
    }
    if (!rest.is_null()) fail_operand(c, "string-append", args[0], "a list of strings");
    need_fitting("string-append", length);
    String* whole = c.heap.string(length, wide);
    uint32_t at = 0;
    for (rest = args[0]; is_pair(rest); rest = as_pair(rest).cdr) {
        copy_into(whole, at, as_string(as_pair(rest).car));
        at += as_string(as_pair(rest).car).count;
    }
    return Value::object(whole);
}

// Fresh values may be compared for equality.
Value concrete_string_eq(PrimContext& c, const Value* args, uint32_t) {
    for (uint32_t i = 0; i < 2; ++i) {
        if (!is_type(args[i], ObjectType::fresh)) need_string(c, args[i], "string=?");
    }
    return Value::boolean(equal(args[0], args[1]));
}

Value concrete_string_lt(PrimContext& c, const Value* args, uint32_t) {
    return Value::boolean(compare_strings(need_string(c, args[0], "string<?"), need_string(c, args[1], "string<?")) <
                          0);
}

Value concrete_make_string(PrimContext& c, const Value* args, uint32_t) {
    const uint32_t length = need_count(c, args[0], most_characters, "make-string");
    const char32_t fill = need_character(c, args[1], "make-string");
    const bool wide = length > 0 && fill > 0xFF;
    String* s = c.heap.string(length, wide);
    if (wide)
        std::fill_n(characters_of(s), length, fill);
    else
        std::fill_n(bytes_of(s), length, static_cast<uint8_t>(fill));
    return Value::object(s);
}

Value concrete_list_to_string(PrimContext& c, const Value* args, uint32_t) {
    std::u32string text;
    Value rest = args[0];
    for (; is_pair(rest); rest = as_pair(rest).cdr) text += need_character(c, as_pair(rest).car, "list->string");
    if (!rest.is_null()) fail_operand(c, "list->string", args[0], "a list");
    need_fitting("list->string", text.size());
    return c.heap.string(text);
}

Value concrete_string_upcase(PrimContext& c, const Value* args, uint32_t) {
    return c.heap.string(unicode::upcase(to_u32(need_string(c, args[0], "string-upcase"))));
}

Value concrete_string_downcase(PrimContext& c, const Value* args, uint32_t) {
    return c.heap.string(unicode::downcase(to_u32(need_string(c, args[0], "string-downcase"))));
}

Value concrete_string_foldcase(PrimContext& c, const Value* args, uint32_t) {
    return c.heap.string(unicode::foldcase(to_u32(need_string(c, args[0], "string-foldcase"))));
}

Value concrete_string_to_utf8(PrimContext& c, const Value* args, uint32_t) {
    const std::string text = to_utf8(need_string(c, args[0], "string->utf8"));
    need_fitting("string->utf8", text.size());
    return c.heap.bytevector({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

Value concrete_utf8_to_string(PrimContext& c, const Value* args, uint32_t) {
    need(c, args[0], ObjectType::bytevector, "utf8->string", "a bytevector");
    const Bytevector& b = as_bytevector(args[0]);
    need_range(c, args[1], args[2], b.count, "utf8->string", "a bytevector");
    const auto start = static_cast<size_t>(args[1].as_fixnum()), end = static_cast<size_t>(args[2].as_fixnum());
    const std::string_view text(reinterpret_cast<const char*>(static_cast<const uint8_t*>(b.bytes)) + start,
                                end - start);
    if (const size_t bad = first_invalid_utf8(text); bad != std::string_view::npos) {
        fail("utf8->string", "the byte at " + std::to_string(start + bad) + " is not part of UTF-8 text");
    }
    return c.heap.string(text);
}

} // namespace espalier
