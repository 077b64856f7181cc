#include "symexec/search/path_solver.hpp"

namespace espalier::sym {

Answer PathSolver::ask(const State& s, Value condition) {
    looked_at_ += conditions_beyond_usual(s);
    return solver_->ask({conditions(s), condition, s.verified ? s.model.get() : nullptr});
}

Admission PathSolver::admit(State& s, Value condition) {
    if (!condition.is_term()) return {condition.is_true() ? Admission::Kind::yes : Admission::Kind::no};
    return admit(s, condition, ask(s, condition));
}

Admission PathSolver::admit(State& s, Value condition, Answer&& answer) {
    if (answer.verdict == Verdict::unsat) return {Admission::Kind::no};
    if (answer.beyond != nullptr) return {Admission::Kind::beyond, answer.beyond};
    s.path.push(condition);
    s.verified = answer.verdict == Verdict::sat;
    if (!s.verified) {
        s.undecided = machine_.author_label(s);
        ledger_.doubt(s, Dropped::undecided, s.undecided);
    }
    if (s.verified && !answer.is_known) {
        // A cousin's solution may know more variables than this path has yet.
        if (answer.model.size() > s.variables) answer.model.resize(s.variables);
        s.model = std::make_shared<const Assignment>(std::move(answer.model));
    }
    return {};
}

PathSolver::Verified PathSolver::verify(State& s) {
    if (s.verified) return Verified::yes;
    Answer answer = ask(s, Value::boolean(true));
    if (answer.verdict == Verdict::unsat) return Verified::no;
    if (answer.verdict == Verdict::unknown) {
        if (answer.beyond != nullptr) ledger_.doubt_unsupported(s, machine_.author_label(s), answer.beyond);
        return Verified::unknown;
    }
    s.verified = true;
    s.model = std::make_shared<const Assignment>(std::move(answer.model));
    return Verified::yes;
}

SolverWord PathSolver::positive_range(State& s, Value integer) {
    const PositiveRange range =
        sym::positive_range(*solver_, terms_, conditions(s), s.verified ? s.model.get() : nullptr, integer);
    if (range.undecided != nullptr) ledger_.doubt_unsupported(s, machine_.author_label(s), range.undecided);
    const auto width = [&] { return number::sub(terms_.heap(), *range.greatest, *range.least); };
    if (range.least && (!range.greatest || number::compare(width(), Value::fixnum(1), ">") > 0))
        ledger_.doubt(s, Dropped::delay, machine_.author_label(s));
    return write_down(s, {range.least, range.greatest});
}

SolverWord PathSolver::few_values(State& s, Value term, int64_t most) {
    return write_down(s, s.verified ? values_around(s, term, most) : SolverWord{});
}

SolverWord PathSolver::write_down(State& s, const SolverWord& word) {
    const auto lasting = [&](const std::optional<Value>& v) { return v ? std::optional(terms_.constant(*v)) : v; };
    s.words.push({lasting(word.low), lasting(word.high)});
    return s.words.last()->item;
}

// Around the one of the solution at hand.
SolverWord PathSolver::values_around(State& s, Value v, int64_t most) {
    const Value some = terms_.constant(terms_.evaluate(v, *s.model));
    if (!terms_.is_sort(v, Sort::integer)) { // a string, of which there are many or one
        if (may_hold(s, terms_.negation(terms_.same(v, some)))) return {};
        return {some, some};
    }
    if (!PathFacts::is_moderate(some)) return {};
    // The farthest that it can be from there in one direction; `most` where that is as far or farther.
    const auto farthest = [&](int64_t direction) {
        int64_t can = 0, cannot = most;
        const auto may_be_from = [&](int64_t distance) {
            const Value at = Value::fixnum(some.as_fixnum() + direction * distance);
            return may_hold(s, direction > 0 ? terms_.at_most(at, v) : terms_.at_most(v, at));
        };
        if (may_be_from(most)) return most;
        while (cannot - can > 1) {
            const int64_t middle = (can + cannot) / 2;
            (may_be_from(middle) ? can : cannot) = middle;
        }
        return can;
    };
    const int64_t above = farthest(1);
    if (above >= most) return {};
    const int64_t below = farthest(-1);
    if (above + below >= most) return {};
    return {Value::fixnum(some.as_fixnum() - below), Value::fixnum(some.as_fixnum() + above)};
}

Answer PathSolver::canonical(const State& s, const std::function<bool()>& stop) {
    const std::vector<Value> path = s.path.to_vector();
    return canonical_solution(*solver_, terms_, path, s.implied.to_vector(), machine_.concretiser().variables(s),
                              s.verified ? s.model.get() : nullptr, stop);
}

} // namespace espalier::sym
