// The shipped models: with each step of the chain left out in turn, the same steps, the same tests and the same values;
// and every answer on the way checked against plain Z3.
#include <doctest/doctest.h>

#include "tests/random/shipped.hpp"
#include "tests/symexec/finding.hpp"

using namespace espalier;
using espalier::test::shipped_models;

TEST_CASE("shipped models: every chain finds the same, and every answer is right") {
    REQUIRE(shipped_models().size() >= 5);
    for (const std::string& file : shipped_models()) {
        CAPTURE(file);
        const Model model = load_model(file);
        REQUIRE(model.program);
        std::string first;
        for (const char* chain : {"all,validate", "z3", "intervals,independence,cache,enumeration,z3",
                                  "models,independence,cache,enumeration,z3", "models,intervals,cache,enumeration,z3",
                                  "models,intervals,independence,enumeration,z3"}) {
            CAPTURE(chain);
            ExploreOptions options;
            options.depth = 2;
            options.step_limit = 2'000; // of some models only the beginning: this is a test of the chain
            options.chain = parse_solver_chain(chain);
            const Exploration found = explore(*model.program, options);
            CHECK(test::replay_all(*model.program, found) == "");
            CHECK(found.statistics.sat_unknown == 0);
            std::string all = std::to_string(found.statistics.vm_steps) + " steps\n";
            for (const FoundTest& t : found.tests)
                all += to_text(t.signature) + "\n" + test::inputs_of(*model.program, t);
            if (first.empty())
                first = all;
            else
                CHECK(all == first);
        }
    }
}
