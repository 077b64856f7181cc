#include "testgen/generate/beginnings.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace espalier;

namespace {

// Tests whose ways are written as letters, in the order in which they are found; for each, those that it goes on from.
std::string begun_by(const std::vector<std::string>& ways) {
    Beginnings beginnings;
    std::vector<FoundTest> tests;
    std::string all;
    for (const std::string& way : ways) {
        FoundTest& test = tests.emplace_back();
        for (const char c : way) test.signature.choices.push_back({Label{1}, static_cast<uint32_t>(c), 256});
        for (const uint32_t b : beginnings.add(tests, static_cast<uint32_t>(tests.size() - 1))) all += ways[b] + " ";
        all += "| ";
    }
    return all;
}

} // namespace

TEST_CASE("a test goes on from those whose ways are the beginnings of its own") {
    CHECK(begun_by({"a", "ab", "abc"}) == "| a | ab | ");
    CHECK(begun_by({"a", "b", "abc"}) == "| | a | ");
    CHECK(begun_by({"", "a", "abc"}) == "|  | a | ");
    CHECK(begun_by({"ab", "a", "abc"}) == "| | a ab | "); // found later, and no longer for that
    CHECK(begun_by({"ab", "ac", "b"}) == "| | | ");
}

TEST_CASE("each is told of once; of two with one way, and of those that came later, nothing is told") {
    CHECK(begun_by({"a", "ab", "ac"}) == "| a | | ");
    CHECK(begun_by({"a", "a", "ab"}) == "| | a | ");
    CHECK(begun_by({"ab", "a"}) == "| | ");
}
