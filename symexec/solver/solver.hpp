// Questions about path conditions, and the chain of steps that answers them.
//
// One small interface; each step of the chain is a decorator on the next, assembled in build_chain.cpp (as KLEE's
// ConstructSolverChain). A step answers, or passes on a question that is no larger.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "symexec/solver/steps.hpp"
#include "symexec/terms/chain.hpp"
#include "symexec/terms/term.hpp"

namespace espalier::sym {

enum class Verdict : uint8_t { sat, unsat, unknown };

// Is there a solution of all `path` conditions and of `condition`?
struct Question {
    std::span<const Value> path;       // conditions; known to be satisfiable together where `known` is there
    Value condition;                   // a boolean term, or #t
    const Assignment* known = nullptr; // a solution of `path`
};

struct Answer {
    Verdict verdict = Verdict::unknown;
    Assignment model{};        // of sat; `unbound` for variables that do not occur
    std::vector<Value> core{}; // of unsat: conditions that already contradict each other; empty where that is not known
    bool is_known = false;     // of sat: the known solution of the path is one, and `model` is left empty
    // Of unknown: what every solution would have to hold, where that is beyond what this program makes or expresses.
    // It stays so whatever else is demanded.
    const char* beyond = nullptr;
};
inline const Assignment& solution(const Question& q, const Answer& a) { return a.is_known ? *q.known : a.model; }

class Solver {
public:
    virtual ~Solver() = default;
    virtual Answer ask(const Question& question) = 0;
};

// `cores`: whether an unsat answer says which conditions it needs, at some cost. `stop`: see ExploreOptions; a question
// that it interrupts, and every one after that, is unknown, and is not counted as such.
std::unique_ptr<Solver> make_z3(Terms& terms, uint32_t resources, bool cores, SolverStatistics& statistics,
                                std::function<bool()> stop = {});
std::unique_ptr<Solver> make_model_reuse(std::unique_ptr<Solver> next, Terms& terms, SolverStatistics& statistics);
std::unique_ptr<Solver> make_intervals(std::unique_ptr<Solver> next, Terms& terms, SolverStatistics& statistics);
std::unique_ptr<Solver> make_independence(std::unique_ptr<Solver> next, Terms& terms, SolverStatistics& statistics);
std::unique_ptr<Solver> make_cache(std::unique_ptr<Solver> next, Terms& terms, SolverStatistics& statistics);
std::unique_ptr<Solver> make_enumeration(std::unique_ptr<Solver> next, Terms& terms, SolverStatistics& statistics);
// Throws std::logic_error where an answer of `next` is wrong: another verdict than the judge's, a model that is no
// solution, a core that is no part of the question or can be satisfied.
std::unique_ptr<Solver> make_validator(std::unique_ptr<Solver> next, std::unique_ptr<Solver> judge, Terms& terms);

std::unique_ptr<Solver> make_chain(const SolverChain& chain, Terms& terms, uint32_t resources,
                                   SolverStatistics& statistics, std::function<bool()> stop = {});

// The n-th string of a length greater than zero, in an order a person might use; different n, different strings.
std::u32string nth_string(int64_t length, uint64_t n);

// The solution of all conditions that a person would write down: variables in order, each as near to zero, as short or
// as early in its enum as the ones before allow. A function of the solutions alone, not of the solver's history.
// `implied` are conditions that hold in every solution, and were left out for that: an input that only they speak of is
// no free one, so that a test does not show which conditions were left out. `known`: some solution, where there is one
// at hand. `stop`, where given, is asked before each question; from when it says so, values are left as they were
// found, which is a solution too.
Answer canonical_solution(Solver& solver, Terms& terms, std::span<const Value> conditions,
                          std::span<const Value> implied, std::span<const Value> variables, const Assignment* known,
                          const std::function<bool()>& stop = {});

// The positive values that an integer term has in solutions: the least and the greatest.
struct PositiveRange {
    std::optional<Value> least{};    // none: there is no positive one, or the solver does not tell
    std::optional<Value> greatest{}; // none: there is no greatest
    const char* undecided = nullptr; // why the solver does not tell, or does not tell that these are the ones
};
PositiveRange positive_range(Solver& solver, Terms& terms, std::span<const Value> conditions, const Assignment* known,
                             Value v);

} // namespace espalier::sym
