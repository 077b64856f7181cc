#include "flowanalysis/state/number_set.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>

using espalier::flow::NumberSet;

TEST_CASE("a set of numbers knows what was put in, as std::set does, however it grows") {
    std::mt19937_64 random(1);
    for (const uint64_t range : {uint64_t{10}, uint64_t{3'000}, UINT64_MAX - 1}) {
        NumberSet numbers;
        std::set<uint64_t> expected;
        size_t again = 0;
        for (int i = 0; i < 20'000; ++i) {
            // As cells and readers are: two small numbers, or anything.
            const uint64_t n = i % 2 == 0 ? random() % range : (random() % 100) << 32 | random() % 100;
            const bool is_new = expected.insert(n).second;
            CHECK(numbers.insert(n) == is_new);
            if (!is_new) ++again;
        }
        CHECK(again > 0);
    }
}
