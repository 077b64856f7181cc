// The C library knows the simple mappings and the letters; the tables here hold what it does not say: decimal
// digits (it counts foreign ones as letters), and the mappings to several characters (Unicode 14,
// SpecialCasing.txt).
#include "lang/text/unicode.hpp"

#include <locale.h>
#include <wctype.h>

#include <algorithm>
#include <iterator>

namespace espalier::unicode {
namespace {

// The digit zero of each script; the other nine follow it.
constexpr char32_t zeros[] = {
    0x30,    0x660,   0x6F0,   0x7C0,   0x966,   0x9E6,   0xA66,   0xAE6,   0xB66,   0xBE6,   0xC66,
    0xCE6,   0xD66,   0xDE6,   0xE50,   0xED0,   0xF20,   0x1040,  0x1090,  0x17E0,  0x1810,  0x1946,
    0x19D0,  0x1A80,  0x1A90,  0x1B50,  0x1BB0,  0x1C40,  0x1C50,  0xA620,  0xA8D0,  0xA900,  0xA9D0,
    0xA9F0,  0xAA50,  0xABF0,  0xFF10,  0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0,
    0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x16A60,
    0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E950, 0x1FBF0,
};

struct Expansion {
    char32_t from;
    char32_t to[3]; // its upper case, ended by 0 where it is shorter
};
constexpr Expansion expansions[] = {
    {0xDF, {0x53, 0x53}},
    {0x149, {0x2BC, 0x4E}},
    {0x1F0, {0x4A, 0x30C}},
    {0x390, {0x399, 0x308, 0x301}},
    {0x3B0, {0x3A5, 0x308, 0x301}},
    {0x587, {0x535, 0x552}},
    {0x1E96, {0x48, 0x331}},
    {0x1E97, {0x54, 0x308}},
    {0x1E98, {0x57, 0x30A}},
    {0x1E99, {0x59, 0x30A}},
    {0x1E9A, {0x41, 0x2BE}},
    {0x1F50, {0x3A5, 0x313}},
    {0x1F52, {0x3A5, 0x313, 0x300}},
    {0x1F54, {0x3A5, 0x313, 0x301}},
    {0x1F56, {0x3A5, 0x313, 0x342}},
    {0x1F80, {0x1F08, 0x399}},
    {0x1F81, {0x1F09, 0x399}},
    {0x1F82, {0x1F0A, 0x399}},
    {0x1F83, {0x1F0B, 0x399}},
    {0x1F84, {0x1F0C, 0x399}},
    {0x1F85, {0x1F0D, 0x399}},
    {0x1F86, {0x1F0E, 0x399}},
    {0x1F87, {0x1F0F, 0x399}},
    {0x1F88, {0x1F08, 0x399}},
    {0x1F89, {0x1F09, 0x399}},
    {0x1F8A, {0x1F0A, 0x399}},
    {0x1F8B, {0x1F0B, 0x399}},
    {0x1F8C, {0x1F0C, 0x399}},
    {0x1F8D, {0x1F0D, 0x399}},
    {0x1F8E, {0x1F0E, 0x399}},
    {0x1F8F, {0x1F0F, 0x399}},
    {0x1F90, {0x1F28, 0x399}},
    {0x1F91, {0x1F29, 0x399}},
    {0x1F92, {0x1F2A, 0x399}},
    {0x1F93, {0x1F2B, 0x399}},
    {0x1F94, {0x1F2C, 0x399}},
    {0x1F95, {0x1F2D, 0x399}},
    {0x1F96, {0x1F2E, 0x399}},
    {0x1F97, {0x1F2F, 0x399}},
    {0x1F98, {0x1F28, 0x399}},
    {0x1F99, {0x1F29, 0x399}},
    {0x1F9A, {0x1F2A, 0x399}},
    {0x1F9B, {0x1F2B, 0x399}},
    {0x1F9C, {0x1F2C, 0x399}},
    {0x1F9D, {0x1F2D, 0x399}},
    {0x1F9E, {0x1F2E, 0x399}},
    {0x1F9F, {0x1F2F, 0x399}},
    {0x1FA0, {0x1F68, 0x399}},
    {0x1FA1, {0x1F69, 0x399}},
    {0x1FA2, {0x1F6A, 0x399}},
    {0x1FA3, {0x1F6B, 0x399}},
    {0x1FA4, {0x1F6C, 0x399}},
    {0x1FA5, {0x1F6D, 0x399}},
    {0x1FA6, {0x1F6E, 0x399}},
    {0x1FA7, {0x1F6F, 0x399}},
    {0x1FA8, {0x1F68, 0x399}},
    {0x1FA9, {0x1F69, 0x399}},
    {0x1FAA, {0x1F6A, 0x399}},
    {0x1FAB, {0x1F6B, 0x399}},
    {0x1FAC, {0x1F6C, 0x399}},
    {0x1FAD, {0x1F6D, 0x399}},
    {0x1FAE, {0x1F6E, 0x399}},
    {0x1FAF, {0x1F6F, 0x399}},
    {0x1FB2, {0x1FBA, 0x399}},
    {0x1FB3, {0x391, 0x399}},
    {0x1FB4, {0x386, 0x399}},
    {0x1FB6, {0x391, 0x342}},
    {0x1FB7, {0x391, 0x342, 0x399}},
    {0x1FBC, {0x391, 0x399}},
    {0x1FC2, {0x1FCA, 0x399}},
    {0x1FC3, {0x397, 0x399}},
    {0x1FC4, {0x389, 0x399}},
    {0x1FC6, {0x397, 0x342}},
    {0x1FC7, {0x397, 0x342, 0x399}},
    {0x1FCC, {0x397, 0x399}},
    {0x1FD2, {0x399, 0x308, 0x300}},
    {0x1FD3, {0x399, 0x308, 0x301}},
    {0x1FD6, {0x399, 0x342}},
    {0x1FD7, {0x399, 0x308, 0x342}},
    {0x1FE2, {0x3A5, 0x308, 0x300}},
    {0x1FE3, {0x3A5, 0x308, 0x301}},
    {0x1FE4, {0x3A1, 0x313}},
    {0x1FE6, {0x3A5, 0x342}},
    {0x1FE7, {0x3A5, 0x308, 0x342}},
    {0x1FF2, {0x1FFA, 0x399}},
    {0x1FF3, {0x3A9, 0x399}},
    {0x1FF4, {0x38F, 0x399}},
    {0x1FF6, {0x3A9, 0x342}},
    {0x1FF7, {0x3A9, 0x342, 0x399}},
    {0x1FFC, {0x3A9, 0x399}},
    {0xFB00, {0x46, 0x46}},
    {0xFB01, {0x46, 0x49}},
    {0xFB02, {0x46, 0x4C}},
    {0xFB03, {0x46, 0x46, 0x49}},
    {0xFB04, {0x46, 0x46, 0x4C}},
    {0xFB05, {0x53, 0x54}},
    {0xFB06, {0x53, 0x54}},
    {0xFB13, {0x544, 0x546}},
    {0xFB14, {0x544, 0x535}},
    {0xFB15, {0x544, 0x53B}},
    {0xFB16, {0x54E, 0x546}},
    {0xFB17, {0x544, 0x53D}},
};

// Not the process's locale: that is the user's, and changing it would be seen by all threads.
locale_t utf8_locale() {
    static const locale_t locale = [] {
        for (const char* name : {"C.UTF-8", "C.utf8", "en_US.UTF-8", "C"}) {
            if (locale_t found = newlocale(LC_CTYPE_MASK, name, nullptr)) return found;
        }
        return locale_t{};
    }();
    return locale;
}

wint_t wide(char32_t c) { return static_cast<wint_t>(c); }

const Expansion* expansion_of(char32_t c) {
    const auto* e = std::lower_bound(std::begin(expansions), std::end(expansions), c,
                                     [](const Expansion& each, char32_t wanted) { return each.from < wanted; });
    return e != std::end(expansions) && e->from == c ? e : nullptr;
}

std::u32string_view letters(const Expansion& e) {
    return {static_cast<const char32_t*>(e.to), e.to[2] != 0 ? size_t{3} : size_t{2}};
}

constexpr char32_t capital_sigma = 0x3A3, final_sigma = 0x3C2, small_sigma = 0x3C3;
constexpr char32_t dotted_capital_i = 0x130, dotless_i = 0x131, combining_dot = 0x307, capital_sharp_s = 0x1E9E;

char32_t fold_simply(char32_t c) {
    if (c == dotless_i) return c;
    const bool cherokee = (c >= 0x13A0 && c <= 0x13FD) || (c >= 0xAB70 && c <= 0xABBF);
    return cherokee ? upcase(c) : downcase(upcase(c)); // Unicode folds Cherokee to capitals
}

bool ends_word(std::u32string_view text, size_t at) {
    return at > 0 && is_alphabetic(text[at - 1]) && (at + 1 == text.size() || !is_alphabetic(text[at + 1]));
}

} // namespace

char32_t upcase(char32_t c) {
    if (c < 0x80) return c >= 'a' && c <= 'z' ? c - 32 : c;
    return static_cast<char32_t>(towupper_l(wide(c), utf8_locale()));
}

char32_t downcase(char32_t c) {
    if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
    return static_cast<char32_t>(towlower_l(wide(c), utf8_locale()));
}

bool is_alphabetic(char32_t c) { return iswalpha_l(wide(c), utf8_locale()) != 0 && !digit_value(c); }
bool is_upper_case(char32_t c) { return iswupper_l(wide(c), utf8_locale()) != 0; }
bool is_lower_case(char32_t c) { return iswlower_l(wide(c), utf8_locale()) != 0; }

bool is_whitespace(char32_t c) {
    return (c >= 0x9 && c <= 0xD) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

std::optional<int> digit_value(char32_t c) {
    const auto* above = std::upper_bound(std::begin(zeros), std::end(zeros), c);
    if (above == std::begin(zeros) || c - above[-1] > 9) return std::nullopt;
    return static_cast<int>(c - above[-1]);
}

std::u32string upcase(std::u32string_view text) {
    std::u32string result;
    for (const char32_t c : text) {
        if (const Expansion* e = expansion_of(c))
            result += letters(*e);
        else
            result += upcase(c);
    }
    return result;
}

std::u32string downcase(std::u32string_view text) {
    std::u32string result;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == capital_sigma)
            result += ends_word(text, i) ? final_sigma : small_sigma;
        else if (text[i] == dotted_capital_i)
            (result += U'i') += combining_dot;
        else
            result += downcase(text[i]);
    }
    return result;
}

// The folding of what has several capitals is these in lower case.
std::u32string foldcase(std::u32string_view text) {
    std::u32string result;
    for (const char32_t c : text) {
        if (const Expansion* e = expansion_of(c)) {
            for (const char32_t letter : letters(*e)) result += downcase(letter);
        } else if (c == dotted_capital_i) {
            (result += U'i') += combining_dot;
        } else if (c == capital_sharp_s) {
            result += U"ss";
        } else {
            result += fold_simply(c);
        }
    }
    return result;
}

} // namespace espalier::unicode
