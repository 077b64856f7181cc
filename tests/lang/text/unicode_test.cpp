#include "lang/text/unicode.hpp"

#include <doctest/doctest.h>

namespace espalier::unicode {
namespace {

TEST_CASE("cases of characters") {
    CHECK(upcase(U'a') == U'A');
    CHECK(upcase(U'ä') == U'Ä');
    CHECK(upcase(U'λ') == U'Λ');
    CHECK(upcase(U'ß') == U'ß');
    CHECK(upcase(U'1') == U'1');
    CHECK(downcase(U'Я') == U'я');
    CHECK(downcase(U'\x10400') == U'\x10428');
    CHECK(is_upper_case(U'Σ'));
    CHECK(!is_upper_case(U'σ'));
    CHECK(is_lower_case(U'ß'));
    CHECK(!is_lower_case(U'1'));
}

TEST_CASE("classes of characters") {
    CHECK(is_alphabetic(U'é'));
    CHECK(is_alphabetic(U'中'));
    CHECK(!is_alphabetic(U'5'));
    CHECK(!is_alphabetic(U'\x665'));
    CHECK(!is_alphabetic(U'_'));
    CHECK(is_whitespace(U'\t'));
    CHECK(is_whitespace(U'\xA0'));
    CHECK(is_whitespace(U'\x3000'));
    CHECK(!is_whitespace(U'\x200B'));
    CHECK(digit_value(U'7') == 7);
    CHECK(digit_value(U'\x664') == 4); // R7RS 6.6
    CHECK(digit_value(U'\xAE6') == 0);
    CHECK(!digit_value(U'\xEA6'));
    CHECK(!digit_value(U'a'));
    CHECK(!digit_value(U'/'));
    CHECK(!digit_value(U':'));
    CHECK(!digit_value(U'²'));
    CHECK(digit_value(U'\x1D7FF') == 9);
}

TEST_CASE("cases of strings") {
    CHECK(upcase(U"Straße ﬁn") == U"STRASSE FIN");
    CHECK(upcase(U"ΐ") == U"\x399\x308\x301");
    CHECK(downcase(U"ΧΑΟΣ ΧΑΟΣΣ Σ") == U"χαος χαοσς σ");
    CHECK(downcase(U"ΧΑΟΣ!") == U"χαος!");
    CHECK(downcase(U"İ") == U"i\x307");
    CHECK(foldcase(U"Straße") == U"strasse");
    CHECK(foldcase(U"ẞ") == U"ss");
    CHECK(foldcase(U"ΧΑΟΣ") == foldcase(U"χαος"));
    CHECK(foldcase(U"ſ") == U"s");
    CHECK(foldcase(U"ı") == U"ı");
    CHECK(foldcase(U"\xAB70") == U"\x13A0");
    CHECK(foldcase(U"\x13A0") == U"\x13A0");
}

} // namespace
} // namespace espalier::unicode
