// The provers of a suite: each marks targets that no run reaches as infeasible, with its proof.
#pragma once

#include <vector>

#include "testgen/explain/left_out.hpp"
#include "testgen/suite/suite.hpp"

namespace espalier {

// By the analysis: `unreachable` are the targets that no path of its automaton leads to. One that a test covers all the
// same would show the analysis to be wrong: it stays covered, and is named in `not_replayed`.
void prove_by_flow(const Program& program, const std::vector<TargetId>& unreachable, Suite& suite);

// By the search, of the targets that were `sought` (by TargetId) and not found: nothing that it left out leads there.
void prove_by_exhaustion(const LeftOuts& left_out, const Exploration& found, const std::vector<bool>& sought,
                         Suite& suite);

} // namespace espalier
