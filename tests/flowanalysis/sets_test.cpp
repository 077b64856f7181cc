// Sets and maps that share their parts, against the standard ones, on random operations.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "flowanalysis/facts.hpp"
#include "flowanalysis/parts.hpp"

using namespace espalier;
using namespace espalier::flow;

namespace {

using Plain = std::set<uint64_t>;

class Random {
public:
    explicit Random(uint32_t seed) : bits_(seed) {}
    uint32_t operator()(size_t below) { return static_cast<uint32_t>(bits_() % below); }

private:
    std::mt19937 bits_;
};

uint64_t random_part(Random& random) {
    const uint32_t numbers[] = {random(6), random(40), 1U << random(32)};
    return Part::packed(1U << random(22), random(3) == 0 ? random(1U << Part::type_bits) : random(4),
                        numbers[random(3)]);
}

PartsId made_of(Parts& parts, const Plain& plain) {
    std::vector<PartsId> ones;
    for (uint64_t part : plain) ones.push_back(parts.one(part));
    return parts.unite(ones);
}

Plain listed(const Parts& parts, PartsId set) {
    std::vector<uint64_t> all;
    parts.list(set, all);
    CHECK(std::is_sorted(all.begin(), all.end()));
    CHECK(all.size() == parts.count(set));
    return {all.begin(), all.end()};
}

Plain only(const Plain& set, const auto& wanted) {
    Plain result;
    for (uint64_t part : set)
        if (wanted(part)) result.insert(part);
    return result;
}

} // namespace

TEST_CASE("sets of parts are sets") {
    Random random(1);
    Parts parts;
    for (int round = 0; round < 3'000; ++round) {
        Plain a, b;
        for (uint32_t n = random(30); n > 0; --n) a.insert(random_part(random));
        for (uint32_t n = random(30); n > 0; --n) b.insert(random_part(random));
        for (uint64_t part : a)
            if (random(2) == 0) b.insert(part);
        const PartsId x = made_of(parts, a), y = made_of(parts, b);
        const auto is_in = [](const Plain& set) { return [&](uint64_t part) { return set.contains(part); }; };
        Plain both = a;
        both.insert(b.begin(), b.end());
        CHECK(listed(parts, x) == a);
        // Equal sets are the same one, however they were made.
        CHECK(parts.unite(x, y) == made_of(parts, both));
        CHECK(parts.common(x, y) == made_of(parts, only(a, is_in(b))));
        CHECK(parts.meet(x, y) == !only(a, is_in(b)).empty());
        CHECK(parts.contains(parts.unite(x, y), x));
        CHECK(parts.contains(x, y) == std::includes(a.begin(), a.end(), b.begin(), b.end()));
        std::vector<uint64_t> fresh;
        parts.list_new(x, y, fresh);
        CHECK(Plain(fresh.begin(), fresh.end()) == only(a, [&](uint64_t part) { return !b.contains(part); }));

        const Families some = random(1U << 22);
        CHECK(parts.keep(x, some) ==
              made_of(parts, only(a, [&](uint64_t p) { return (Part::family(p) & some) != 0; })));
        const uint64_t like =
            a.empty() || random(4) == 0 ? random_part(random) : *std::next(a.begin(), random(a.size()));
        const int free = std::vector<int>{0, Part::number_bits, Part::type_bits + Part::number_bits}[random(3)];
        const auto matches = [&](uint64_t part) { return part >> free == like >> free; };
        CHECK(parts.within(x, like, free) == made_of(parts, only(a, matches)));
        CHECK(parts.without(x, like, free) == made_of(parts, only(a, [&](uint64_t p) { return !matches(p); })));
        Families families = 0;
        for (uint64_t part : a) families |= Part::family(part);
        CHECK(parts.families(x) == families);
        if (!a.empty()) CHECK(parts.first(x) == *a.begin());
    }
}

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
