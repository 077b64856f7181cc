// Lists of words, each kept exactly: against a map, and the memory that they take.
#include "symexec/prune/portrait_set.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

#include "tests/random/scale.hpp"

using namespace espalier::sym;
using espalier::test::scaled;

TEST_CASE("a list has one number, another list another, and the words come out again") {
    for (uint32_t seed = 0; seed < scaled(40); ++seed) {
        INFO("seed ", seed);
        std::mt19937 random(seed);
        PortraitSet set;
        std::map<std::vector<uint64_t>, uint32_t> known;
        // Few values, so that lists repeat, and words that are equal to pairs of small numbers.
        for (int i = 0; i < 2000; ++i) {
            std::vector<uint64_t> words(random() % 9);
            for (uint64_t& w : words) w = uint64_t{random() % 3} << 32 | random() % 3;
            const uint32_t number = set.add(words);
            const auto [at, is_new] = known.emplace(words, number);
            REQUIRE(at->second == number);
            if (is_new) REQUIRE(number + 1 == known.size());
        }
        CHECK(set.size() == known.size());
        for (const auto& [words, number] : known) REQUIRE(set[number] == words);
    }
}

TEST_CASE("a list that differs in one word from another costs little, whatever its length") {
    PortraitSet set;
    std::vector<uint64_t> words(1000);
    std::mt19937 random(1);
    for (uint64_t& w : words) w = random();
    set.add(words);
    for (int i = 0; i < 100'000; ++i) {
        words[random() % words.size()] = random() % 64;
        set.add(words);
    }
    CHECK(set.bytes() / set.size() < 400); // of 8000 that the words take
}
