// The provers of a suite.
#include "testgen/generate/proofs.hpp"

#include <doctest/doctest.h>

using namespace espalier;

TEST_CASE("infeasible targets are marked with their proof; one that a test covers shows the analysis to be wrong") {
    const Model model = compile_text(R"((checkpoint "a") (checkpoint "b") (checkpoint "c"))");
    REQUIRE(model.program);
    Suite suite;
    suite.targets = {{TargetStatus::covered, 0}, {TargetStatus::unreached}, {TargetStatus::unreached}};
    prove_by_flow(*model.program, {TargetId{0}, TargetId{1}}, suite);
    CHECK(suite.targets[0].status == TargetStatus::covered);
    CHECK_FALSE(suite.targets[0].proof);
    CHECK(suite.targets[1].status == TargetStatus::infeasible);
    REQUIRE(suite.targets[1].proof);
    CHECK(std::holds_alternative<proof::Flow>(*suite.targets[1].proof));
    CHECK(suite.targets[2].status == TargetStatus::unreached);
    CHECK(suite.not_replayed ==
          std::vector<std::string>{"the flow analysis calls cp:a unreachable, and a test covers it"});
}
