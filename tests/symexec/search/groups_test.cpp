// Groups of waiting states: what was looked at least comes first.
#include "symexec/search/groups.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>
#include <vector>

using namespace espalier::sym;

namespace {

bool always(const Groups::Member&) { return true; }

} // namespace

TEST_CASE("the group from which the fewest states were taken comes first") {
    Groups groups;
    groups.add(7, {3, 0, 0});
    groups.add(7, {1, 1, 0});
    groups.add(9, {2, 2, 0});
    groups.count(7); // by another order
    CHECK(groups.take(always).slot == 2);
    groups.count(9);
    groups.add(9, {0, 3, 0});
    CHECK(groups.take(always).slot == 1); // as often taken, and met before; its least rank
    groups.count(7);
    CHECK(groups.take(always).slot == 3);
    CHECK(groups.take(always).slot == 0);
    CHECK(groups.size() == 0);
}

TEST_CASE("members that are there no longer are passed over, and can be removed") {
    Groups groups;
    for (uint32_t slot = 0; slot < 10; ++slot) groups.add(slot % 2, {slot, slot, 0});
    const auto is_there = [](const Groups::Member& m) { return m.slot >= 6; };
    CHECK(groups.take(is_there).slot == 6); // 0, 2 and 4 are gone with it
    CHECK(groups.size() == 6);
    groups.keep(is_there);
    CHECK(groups.size() == 3);
    CHECK(groups.take(always).slot == 8);
    CHECK(groups.take(always).slot == 7);
    CHECK(groups.take(always).slot == 9);
}

// Against a plain list of all members and counts.
TEST_CASE("groups agree with looking at all members") {
    std::mt19937_64 dice(5);
    Groups groups;
    std::map<uint64_t, uint64_t> taken;  // by group
    std::map<uint64_t, uint64_t> number; // of groups, as they were met
    std::vector<std::pair<uint64_t, Groups::Member>> all;
    for (uint32_t step = 0; step < 5'000; ++step) {
        if (all.empty() || dice() % 2 == 0) {
            const uint64_t group = dice() % 20;
            number.emplace(group, number.size());
            all.push_back({group, {dice() % 50, step, 0}});
            groups.add(group, all.back().second);
            continue;
        }
        const auto comes_before = [&](const auto& a, const auto& b) {
            return std::tuple(taken[a.first], number[a.first], a.second.rank, a.second.slot) <
                   std::tuple(taken[b.first], number[b.first], b.second.rank, b.second.slot);
        };
        const auto first = std::min_element(all.begin(), all.end(), comes_before);
        REQUIRE(groups.take(always).slot == first->second.slot);
        if (dice() % 4 != 0) {
            groups.count(first->first);
            ++taken[first->first];
        }
        all.erase(first);
        REQUIRE(groups.size() == all.size());
    }
}
