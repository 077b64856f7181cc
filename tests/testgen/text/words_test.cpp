// Values that are written as words.
#include "testgen/text/words.hpp"

#include <doctest/doctest.h>

#include "testgen/suite/target_result.hpp"
#include "testgen/text/test_verdict.hpp"

using namespace espalier;

TEST_CASE("a value is printed as it is read") {
    CHECK(words_of<bool>() == std::vector<std::string>{"on", "off"});
    for (const bool value : {true, false}) CHECK(value_of<bool>(word_of(value)) == value);
    for (const char* bad : {"", "o", "On", "true"}) CHECK_MESSAGE(!value_of<bool>(bad), bad);
}

TEST_CASE("each value of a closed set has a word of its own") {
    const auto each_has = [](auto last) {
        using Value = decltype(last);
        for (unsigned v = 0; v <= static_cast<unsigned>(last); ++v) {
            const std::string_view word = word_of(static_cast<Value>(v));
            CHECK_MESSAGE(!word.empty(), v);
            CHECK(value_of<Value>(word) == static_cast<Value>(v));
        }
    };
    each_has(TargetStatus::infeasible);
    each_has(TestVerdict::error);
}
