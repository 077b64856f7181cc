// Questions about paths to the solver, and what becomes of its answers.
//
// An answer is a value: the path takes the condition, excludes it, or needs something that this program does not make.
// Where the solver does not say, the path is followed all the same, and the ledger has a doubt.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "symexec/machine/machine.hpp"
#include "symexec/prune/ledger.hpp"
#include "symexec/solver/solver.hpp"
#include "symexec/state/path_conditions.hpp"

namespace espalier::sym {

struct Admission {
    enum class Kind : uint8_t { yes, no, beyond } kind = Kind::yes;
    const char* beyond = nullptr; // what every solution would have to hold: see Answer

    bool is_yes() const { return kind == Kind::yes; }
    bool is_no() const { return kind == Kind::no; }
};

class PathSolver {
public:
    PathSolver(std::unique_ptr<Solver> solver, Terms& terms, const Machine& machine, Ledger& ledger)
        : solver_(std::move(solver)), terms_(terms), machine_(machine), ledger_(ledger) {}

    Solver& solver() { return *solver_; }
    std::span<const Value> conditions(const State& s) { return conditions_.of(s); }
    // Takes the condition into the path, unless it cannot be.
    Admission admit(State& s, Value condition);
    // The same where the answer is known: of this state, or of one with the same path. The condition is a term.
    Admission admit(State& s, Value condition, Answer&& answer);
    // Can the condition, a term, hold?
    Answer ask(const State& s, Value condition);
    // Is the path known to be satisfiable, or shown to be now?
    enum class Verified : uint8_t { yes, no, unknown };
    Verified verify(State& s);
    // What questions about long paths have taken so far, in VM steps that take about as long: it grows with the
    // conditions that are looked at, and more with those that are taken up when the search turns to another path.
    uint64_t steps_worth() const { return looked_at_ / looked_at_in_step + conditions_.turned() / turned_in_step; }
    // The answers to these are written down in the state: its ways depend on them.
    SolverWord positive_range(State& s, Value integer);
    SolverWord few_values(State& s, Value term, int64_t most);
    // The solution that a test gets (solver.hpp); from when `stop` says so, one that was found before.
    Answer canonical(const State& s, const std::function<bool()>& stop);

private:
    bool may_hold(State& s, Value condition) { // false: the path excludes it
        return condition.is_term() ? ask(s, condition).verdict != Verdict::unsat : condition.is_true();
    }
    SolverWord values_around(State& s, Value term, int64_t most);
    SolverWord write_down(State& s, const SolverWord& word);

    std::unique_ptr<Solver> solver_;
    Terms& terms_;
    const Machine& machine_;
    Ledger& ledger_;
    PathConditions conditions_;
    static constexpr uint64_t looked_at_in_step = 256, turned_in_step = 2;
    uint64_t looked_at_ = 0;
};

} // namespace espalier::sym
