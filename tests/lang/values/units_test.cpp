#include "lang/values/units.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "lang/lang.hpp"

using namespace espalier;

TEST_CASE("units: digits of any number, and nothing else") {
    CHECK(Units::parse("0") == Units(0));
    CHECK(Units::parse("0030") == Units(30));
    CHECK(Units::parse("0000") == Units());
    CHECK(Units::parse("123456789012345678901234567890")->text() == "123456789012345678901234567890");
    for (const char* wrong : {"", " 1", "1 ", "-1", "+1", "1.0", "1e3", "1/2", "x"}) CHECK_FALSE(Units::parse(wrong));
}

TEST_CASE("units: the order is that of the numbers") {
    const Units small(9), large(10), beyond = *Units::parse("9223372036854775808");
    CHECK(small < large);
    CHECK(Units(INT64_MAX) < beyond);
    CHECK(beyond > 0);
    CHECK(beyond == *Units::parse("09223372036854775808"));
}

TEST_CASE("units: as a value and back") {
    Heap heap;
    for (const char* digits : {"0", "1152921504606846975", "1152921504606846976", "100000000000000000000"}) {
        const Units units = *Units::parse(digits);
        CHECK(Units(units.in(heap)) == units);
        CHECK(number::to_text(units.in(heap)) == digits);
    }
}

TEST_CASE("units: the nearest double is a number, however long the time") {
    CHECK(Units(30).approximately() == 30.0);
    CHECK(Units::parse("1" + std::string(30, '0'))->approximately() == 1e30);
    CHECK(Units::parse("1" + std::string(400, '0'))->approximately() == std::numeric_limits<double>::max());
}
