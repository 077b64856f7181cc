// Sets that share their parts, against the standard ones, on random operations.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include "flowanalysis/domain/parts.hpp"

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
