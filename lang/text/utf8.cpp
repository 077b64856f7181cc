// Decoding follows table 3-7 of the Unicode standard, so that overlong forms and surrogates are no text. Runs
// of ASCII, nearly all of every model, are skipped eight bytes at a time.
#include "lang/text/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace espalier {
namespace {

constexpr char32_t replacement = 0xFFFD;

unsigned char byte(std::string_view text, size_t at) { return static_cast<unsigned char>(text[at]); }
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The bounds of the second byte exclude overlong forms, surrogates and what is above U+10FFFF.
bool good_second_byte(unsigned char first, unsigned char second) {
    switch (first) {
    case 0xE0: return second >= 0xA0 && second <= 0xBF;
    case 0xED: return second >= 0x80 && second <= 0x9F;
    case 0xF0: return second >= 0x90 && second <= 0xBF;
    case 0xF4: return second >= 0x80 && second <= 0x8F;
    default: return second >= 0x80 && second <= 0xBF;
    }
}

} // namespace

CodePoint decode_utf8(std::string_view text, size_t at) {
    const unsigned char first = byte(text, at);
    if (first < 0x80) return {first, 1};
    const size_t size = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (size == 0 || text.size() - at < size || !good_second_byte(first, byte(text, at + 1))) return {replacement, 1};
    char32_t code = first & (0xFFU >> (size + 1));
    for (size_t i = 1; i < size; ++i) {
        if (!is_continuation(text[at + i])) return {replacement, 1};
        code = code << 6 | (byte(text, at + i) & 0x3FU);
    }
    return {code, size};
}

void append_utf8(std::string& to, char32_t code) {
    const auto put = [&to](char32_t bits) { to.push_back(static_cast<char>(static_cast<unsigned char>(bits))); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | code >> 6);
        put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | code >> 12);
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3F));
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    }
}

size_t first_invalid_utf8(std::string_view text) {
    size_t at = 0;
    while (at < text.size()) {
        uint64_t eight = 0;
        if (text.size() - at >= sizeof eight) {
            std::memcpy(&eight, text.data() + at, sizeof eight);
            if ((eight & 0x8080808080808080U) == 0) {
                at += sizeof eight;
                continue;
            }
        }
        const CodePoint point = decode_utf8(text, at);
        if (point.code == replacement && point.size == 1) return at;
        at += point.size;
    }
    return std::string_view::npos;
}

size_t count_code_points(std::string_view text) {
    size_t count = 0;
    for (size_t at = 0; at < text.size(); at += decode_utf8(text, at).size) ++count;
    return count;
}

bool is_visible(char32_t code) {
    struct Range {
        char32_t first, last;
    };
    static constexpr Range hidden[] = {{0x7F, 0xA0},     {0xAD, 0xAD},      {0x61C, 0x61C},   {0x1680, 0x1680},
                                       {0x180E, 0x180E}, {0x2000, 0x200F},  {0x2028, 0x202F}, {0x205F, 0x206F},
                                       {0x3000, 0x3000}, {0xD800, 0xDFFF},  {0xFDD0, 0xFDEF}, {0xFEFF, 0xFEFF},
                                       {0xFFF0, 0xFFFB}, {0xE0000, 0xE007F}};
    if (code < 0x7F) return code > 0x20;
    if ((code & 0xFFFE) == 0xFFFE || code > 0x10FFFF) return false;
    return std::none_of(std::begin(hidden), std::end(hidden),
                        [code](Range range) { return code >= range.first && code <= range.last; });
}

} // namespace espalier
