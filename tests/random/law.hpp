// Runs a law over random models. A law is a function from a model's text to what is wrong, or nothing; what is wrong
// begins with a word for its kind and a colon, and a smaller model counts as the same failure where that word is.
//
//   ESPALIER_LONG=1   twenty times as many models (scale.hpp)
//   ESPALIER_SEED=n   that one model alone, as a failing test printed it
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>

#include "tests/random/scale.hpp"
#include "tests/random/shrink.hpp"

namespace espalier::test {

using Law = std::function<std::string(const std::string& text)>;
using Generate = std::function<std::string(uint32_t seed)>;

inline std::string kind_of_failure(const std::string& failure) { return failure.substr(0, failure.find(':')); }

// An exception of ours is a failure like any other.
inline std::string judged(const Law& law, const std::string& text) {
    try {
        return law(text);
    } catch (const std::exception& e) {
        return std::string("exception: ") + e.what();
    }
}

inline void check_law(uint32_t models, const Generate& generate, const Law& law) {
    uint32_t first = 0, end = scaled(models);
    if (const char* one = std::getenv("ESPALIER_SEED")) {
        first = static_cast<uint32_t>(std::strtoul(one, nullptr, 10));
        end = first + 1;
    }
    for (uint32_t seed = first; seed < end; ++seed) {
        const std::string text = generate(seed);
        const std::string failure = judged(law, text);
        if (failure.empty()) continue;
        const std::string kind = kind_of_failure(failure);
        if (kind == "check") FAIL("seed " << seed << ": a generated model must be right: " << failure);
        const auto same = [&](const std::string& smaller) { return kind_of_failure(judged(law, smaller)) == kind; };
        const std::string small = Shrinker(text, same, std::chrono::seconds(20)).run();
        FAIL_CHECK("seed " << seed << ": " << failure << "\nsmaller, " << judged(law, small) << "\n" << small);
        return; // one is enough to work on
    }
}

} // namespace espalier::test
