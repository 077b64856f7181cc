// The mixture of orders: whatever the orders are, each waiting state is taken once.
#include "symexec/search/mixed.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <vector>

using namespace espalier;
using namespace espalier::sym;

namespace {

Successor waiting(uint32_t number, uint32_t places, uint32_t age) {
    Successor s;
    s.state.k = no_bound - age;
    s.state.thread_count = number; // a name for it
    s.state.signature.extend({Label{number}, number % 3, 3});
    s.state.threads.resize(1);
    s.state.threads[0].pc = places;
    return s;
}

} // namespace

TEST_CASE("each state that waits is taken once, with a measure of distances and without") {
    for (const bool is_guided : {false, true}) {
        uint64_t steps = 0;
        SearchView view;
        view.steps = [&] { return steps; };
        if (is_guided) view.distance = [](const State& s) { return s.thread_count % 7; };
        const auto mixed = make_mixed(3, view);
        std::mt19937_64 dice(11);
        std::set<uint32_t> there;
        for (uint32_t n = 0; n < 20'000; ++n) {
            if (there.empty() || dice() % 2 == 0) {
                there.insert(n);
                std::vector<Successor> one;
                one.push_back(waiting(n, static_cast<uint32_t>(dice() % 5), static_cast<uint32_t>(dice() % 9)));
                mixed->add(std::move(one));
            } else {
                steps += dice() % 100;
                const Successor taken = mixed->take();
                REQUIRE(there.erase(taken.state.thread_count) == 1);
                if (dice() % 50 == 0) mixed->target_covered();
            }
            REQUIRE(mixed->size() == there.size());
        }
        for (; !there.empty(); ++steps) REQUIRE(there.erase(mixed->take().state.thread_count) == 1);
        CHECK(mixed->size() == 0);
    }
}

TEST_CASE("a place that was hardly looked at has its turn soon, however many states wait elsewhere") {
    uint64_t steps = 0;
    SearchView view;
    view.steps = [&] { return steps; };
    const auto mixed = make_mixed(3, view);
    std::vector<Successor> all;
    for (uint32_t n = 0; n < 10'000; ++n) all.push_back(waiting(n, n == 5'000 ? 1 : 2, 5));
    mixed->add(std::move(all));
    size_t turns = 1;
    for (; mixed->take().state.thread_count != 5'000; ++turns) steps += 10;
    CHECK(turns <= 10);
}
