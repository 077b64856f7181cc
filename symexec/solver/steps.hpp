// The steps of the solver chain, and what they count.
#pragma once

#include <cstdint>
#include <string_view>

namespace espalier {

// Steps of the solver chain before Z3; each can be left out. Folding is part of how terms are built.
struct SolverChain {
    bool models = true;       // the path's current model already satisfies one side
    bool intervals = true;    // bounds and equalities known on the path
    bool independence = true; // only constraints that share variables with the question
    bool cache = true;        // answers, models and unsat cores
    bool enumeration = true;  // products and divisions of few values, by trying them
    bool validate = false;    // for tests: every answer is checked against plain Z3
};
// From a list of steps: "models,intervals,independence,cache,enumeration,z3", "z3", "all" (these six), with or without
// "validate". The order in which they are asked is fixed, Z3 always the last. Throws std::invalid_argument that says
// what is wrong with the list.
SolverChain parse_solver_chain(std::string_view list);

struct SolverStatistics {
    uint64_t sat_queries = 0, z3_queries = 0, sat_unknown = 0;
    uint64_t answered_by_model = 0, answered_by_intervals = 0, answered_by_equalities = 0;
    uint64_t conditions_left_out = 0; // by independence: it answers nothing itself, but makes questions smaller
    uint64_t answered_by_cache = 0, answered_by_cached_model = 0, answered_by_core = 0, answered_by_enumeration = 0;
    uint64_t asked_again = 0;     // of Z3, in a fresh context
    uint64_t sat_interrupted = 0; // questions that `stop` left without an answer
    double sat_seconds = 0;
};

} // namespace espalier
