// A value or a problem, and never both.
#include "testgen/text/result.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <variant>

using namespace espalier;

TEST_CASE("a result holds a value or a problem") {
    const Result<std::string> good = std::string("made");
    CHECK(good);
    CHECK(*good == "made");
    CHECK(good->size() == 4);
    CHECK_THROWS_AS(good.problem(), std::bad_variant_access);

    const Result<std::string> bad = Problem{"it cannot be made"}; // also where both are texts
    CHECK(!bad);
    CHECK(bad.problem().text == "it cannot be made");
    CHECK(bad.problem().form == Problem::Form::words);
    CHECK(bad.value_or("other") == "other");
    CHECK_THROWS_AS(*bad, std::bad_variant_access);
}

TEST_CASE("a value that can only be moved") {
    Result<std::unique_ptr<int>> made = std::make_unique<int>(7);
    REQUIRE(made);
    const std::unique_ptr<int> taken = std::move(*made);
    CHECK(*taken == 7);
}
