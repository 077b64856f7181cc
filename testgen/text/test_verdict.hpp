// What a test says about a system, in a run, in a CI server's file and in a report.
#pragma once

#include <array>
#include <cstdint>

#include "testgen/text/words.hpp"

namespace espalier {

enum class TestVerdict : uint8_t {
    pass,
    fail,         // the system did something else
    inconclusive, // the system did something else that the model allows, or the test cannot tell
    error,        // no verdict on what the system does: it, or the adapter, broke down
};
template <>
struct Words<TestVerdict> {
    static constexpr std::array<Word<TestVerdict>, 4> all{{{TestVerdict::pass, "pass"},
                                                           {TestVerdict::fail, "fail"},
                                                           {TestVerdict::inconclusive, "inconclusive"},
                                                           {TestVerdict::error, "error"}}};
};

} // namespace espalier
