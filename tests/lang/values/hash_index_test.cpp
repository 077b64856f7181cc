#include "lang/values/hash_index.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

using espalier::HashIndex;

TEST_CASE("things are found by their hash, and those with the same hash are told apart") {
    std::mt19937 random(1);
    for (const uint64_t hashes : {uint64_t{1}, uint64_t{50}, UINT64_MAX}) { // all the same, many, hardly any
        HashIndex index;
        std::vector<std::string> things;
        std::map<std::string, uint32_t> expected;
        const size_t count = hashes == 1 ? 300 : 5'000;
        for (size_t i = 0; i < count; ++i) {
            const std::string thing = std::to_string(random() % count);
            const uint64_t hash = std::hash<std::string>{}(thing) % hashes;
            const uint32_t found = index.find(hash, [&](uint32_t n) { return things[n] == thing; });
            const auto [at, is_new] = expected.emplace(thing, static_cast<uint32_t>(things.size()));
            CHECK(found == (is_new ? HashIndex::none : at->second));
            if (!is_new) continue;
            index.add(hash);
            things.push_back(thing);
        }
        CHECK(things.size() < count);
    }
}
