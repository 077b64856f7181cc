// Maps of facts that share their parts, against the standard ones, on random operations.
#include "flowanalysis/state/facts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace espalier;
using namespace espalier::flow;

namespace {

class Random {
public:
    explicit Random(uint32_t seed) : bits_(seed) {}
    uint32_t operator()(size_t below) { return static_cast<uint32_t>(bits_() % below); }

private:
    std::mt19937 bits_;
};

} // namespace

TEST_CASE("maps of facts are maps, and their copies stay as they were") {
    Random random(2);
    struct Both {
        FactMap facts;
        std::map<uint64_t, Fact> plain;
    };
    const auto random_fact = [&] {
        const Key key{Key::Kind{static_cast<uint8_t>(random(4))}, random(12), random(2)};
        return Fact{key, no_var, ValueId{random(3)}, random(8)};
    };
    const auto check = [](const Both& both) {
        size_t count = 0;
        both.facts.visit_unlike({}, [&](const Fact& f) {
            ++count;
            const auto at = both.plain.find(f.key.packed());
            REQUIRE(at != both.plain.end());
            CHECK(at->second == f);
        });
        CHECK(count == both.plain.size());
        for (const auto& [key, fact] : both.plain) {
            REQUIRE(both.facts.find(fact.key) != nullptr);
            CHECK(*both.facts.find(fact.key) == fact);
        }
    };
    std::vector<Both> all(1);
    for (int round = 0; round < 6'000; ++round) {
        Both now = all[random(all.size())];
        const Both& other = all[random(all.size())];
        switch (random(8)) {
        case 0: {
            const uint32_t block = random(6);
            now.facts.expire(block);
            std::erase_if(now.plain, [&](const auto& each) { return each.second.last < block; });
            break;
        }
        case 1: {
            const uint32_t name = random(12);
            now.facts.erase_if([&](const Fact& f) { return f.key.name == name; });
            std::erase_if(now.plain, [&](const auto& each) { return each.second.key.name == name; });
            break;
        }
        case 2: // what both have, and of what they have differently a part
            now.facts.weaken(other.facts, [&](const Fact& f) -> std::optional<Fact> {
                const Fact* same = other.facts.find(f.key);
                if (same == nullptr) return std::nullopt;
                return same->value == f.value ? f : Fact{f.key, no_var, ValueId{9}, f.last};
            });
            std::erase_if(now.plain, [&](const auto& each) { return !other.plain.contains(each.first); });
            for (auto& [key, fact] : now.plain)
                if (other.plain.at(key).value != fact.value) fact.value = ValueId{9};
            break;
        default: {
            const Fact fact = random_fact();
            now.facts.set(fact);
            now.plain[fact.key.packed()] = fact;
        }
        }
        check(now);
        const auto same = [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; };
        CHECK((now.facts == other.facts) ==
              std::equal(now.plain.begin(), now.plain.end(), other.plain.begin(), other.plain.end(), same));
        std::set<uint64_t> unlike; // at least those that differ
        now.facts.visit_unlike(other.facts, [&](const Fact& f) { unlike.insert(f.key.packed()); });
        for (const auto& [key, fact] : now.plain)
            if (const auto at = other.plain.find(key); at == other.plain.end() || !(at->second == fact))
                CHECK(unlike.contains(key));
        all.push_back(std::move(now));
        if (all.size() > 60) all.erase(all.begin() + 1 + random(50));
    }
    for (const Both& both : all) check(both);
}
