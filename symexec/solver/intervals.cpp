// Bounds and equalities: most branches of a protocol model compare one field with a constant, and need no solver.
//
// When every condition on a variable is a bound, an equation, an inequation or a choice among listed values of that
// variable alone, the question is answered exactly, with a solution. Otherwise what the path equates is put into the
// condition, which may then be constant, and the ranges of its variables may decide it.
#include "symexec/solver/path_facts.hpp"
#include "symexec/solver/solver.hpp"

namespace espalier::sym {

namespace {

class Intervals : public Solver {
public:
    Intervals(std::unique_ptr<Solver> next, Terms& terms, SolverStatistics& statistics)
        : next_(std::move(next)), terms_(terms), statistics_(statistics), facts_(terms) {}

    Answer ask(const Question& q) override {
        if (!q.condition.is_term()) return next_->ask(q);
        facts_.follow(q.path);
        if (q.known != nullptr)
            if (const auto solved = facts_.solve(q.condition)) return answer(q, *solved);
        if (const auto stated = facts_.stated(q.condition))
            return decided(q, *stated, statistics_.answered_by_equalities);
        const Value reduced = facts_.reduce(q.condition);
        if (!reduced.is_term()) return decided(q, reduced.is_true(), statistics_.answered_by_equalities);
        if (const auto truth = facts_.truth(reduced)) return decided(q, *truth, statistics_.answered_by_intervals);
        return next_->ask(q);
    }

private:
    Answer answer(const Question& q, const PathFacts::Solved& solved) {
        ++statistics_.answered_by_intervals;
        if (!solved.satisfiable) return {Verdict::unsat, {}, {}};
        Answer a{Verdict::sat, *q.known, {}};
        const uint32_t v = terms_.variables(q.condition)[0];
        if (a.model.size() <= v) a.model.resize(v + 1, Value::unbound());
        a.model[v] = solved.value;
        return a;
    }

    // What the path implies holds in every solution of it, so in the known one.
    Answer decided(const Question& q, bool holds, uint64_t& counter) {
        if (holds && q.known == nullptr) return next_->ask(q);
        ++counter;
        return holds ? Answer{.verdict = Verdict::sat, .is_known = true} : Answer{.verdict = Verdict::unsat};
    }

    std::unique_ptr<Solver> next_;
    Terms& terms_;
    SolverStatistics& statistics_;
    PathFacts facts_;
};

} // namespace

std::unique_ptr<Solver> make_intervals(std::unique_ptr<Solver> next, Terms& terms, SolverStatistics& statistics) {
    return std::make_unique<Intervals>(std::move(next), terms, statistics);
}

} // namespace espalier::sym
