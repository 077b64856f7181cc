#include "lang/vm/thread_set.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>

using namespace espalier;

namespace {

std::optional<uint32_t> next(const std::set<uint32_t>& numbers, uint32_t n) {
    const auto at = numbers.upper_bound(n);
    return at == numbers.end() ? std::nullopt : std::optional(*at);
}

std::optional<uint32_t> previous(const std::set<uint32_t>& numbers, uint32_t n) {
    const auto at = numbers.lower_bound(n);
    return at == numbers.begin() ? std::nullopt : std::optional(*std::prev(at));
}

} // namespace

TEST_CASE("a set of threads is a set") {
    for (const uint32_t range : {3U, 600U, 1'100U, 5'000U}) {
        std::mt19937 random(range);
        vm::ThreadSet threads;
        std::set<uint32_t> expected;
        CHECK(threads.empty());
        for (uint32_t i = 0; i < range; ++i) CHECK(threads.insert(i) == expected.insert(i).second);
        for (int i = 0; i < 30'000; ++i) {
            const auto n = static_cast<uint32_t>(random() % range);
            const bool grow = random() % 100 < (i < 10'000 || i > 20'000 ? 20U : 80U);
            if (grow)
                REQUIRE(threads.insert(n) == expected.insert(n).second);
            else
                REQUIRE(threads.erase(n) == (expected.erase(n) == 1));
            REQUIRE(threads.empty() == expected.empty());
            REQUIRE(threads.after(n) == next(expected, n));
            REQUIRE(threads.before(n) == previous(expected, n));
            REQUIRE(threads.first() == (expected.empty() ? std::nullopt : std::optional(*expected.begin())));
            REQUIRE(threads.last() == (expected.empty() ? std::nullopt : std::optional(*expected.rbegin())));
        }
        CHECK(threads.all() == std::vector<uint32_t>(expected.begin(), expected.end()));
        for (uint32_t i = 0; i < range; ++i) threads.erase(i);
        CHECK(threads.empty());
        CHECK(!threads.first());
        CHECK(threads.insert(7));
        CHECK(threads.first() == 7);
    }
}
