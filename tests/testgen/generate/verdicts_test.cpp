// The laws of verdicts on random models: what one search covers is in its suite, and no other search, and no random
// run, reaches what it calls infeasible.
#include <cstdlib>

#include "tests/random/law.hpp"
#include "tests/random/system.hpp"
#include "tests/testgen/verdicts.hpp"

using namespace espalier;
using namespace espalier::test;

namespace {

// Every order, with and without cutting and a memory of states; also without a bound, as by default. One depth and one
// list of criteria for each model, of the text, so that a smaller model is searched alike or not at all; in a long run
// all depths.
std::vector<Configuration> configurations(const std::string& text) {
    const size_t dice = text.size();
    std::vector<Configuration> all;
    const auto add = [&](Search search, bool memo, Cutting cut, uint32_t depth) {
        all.push_back({search, memo, cut, dice / 4 % 2 == 0 ? "all" : standard_criteria,
                       dice / 8 % 4 == 0 ? Schedules::all : Schedules::first, depth, dice});
    };
    for (uint32_t depth = 1; depth <= 4; ++depth) {
        if (!long_run() && depth != 1 + dice % 4) continue;
        for (const Search search : {Search::dfs, Search::bfs, Search::random, Search::distance})
            for (const bool memo : {true, false})
                for (const Cutting cut : {Cutting::v3, Cutting::off}) add(search, memo, cut, depth);
    }
    for (const Cutting cut : {Cutting::v3, Cutting::off}) add(Search::mixed, true, cut, no_bound);
    add(Search::dfs, true, Cutting::v3, no_bound);
    return all;
}

} // namespace

TEST_CASE("law 5: nothing that a search calls infeasible is reached by another search, or by a random run") {
    Counted counted;
    check_law(
        50, [](uint32_t seed) { return RandomSystem(seed).text(); },
        [&](const std::string& text) { return judge_verdicts(text, configurations(text), 60, counted); });
    MESSAGE(counted.models << " models, " << counted.searches << " searches, " << counted.ended
                           << " of them end by themselves, " << counted.infeasible << " verdicts of infeasible, "
                           << counted.walks << " runs, " << counted.errors << " of them end in a model error");
    if (std::getenv("ESPALIER_SEED") != nullptr) return;              // of one model there is nothing to count
    if (!sanitized) CHECK(counted.lost_proofs * 10 < counted.proofs); // of very few models that says nothing
    CHECK(enough(counted.ended, 200));
    CHECK(enough(counted.infeasible, 200));
    CHECK(enough(counted.reached, 2000));
}
