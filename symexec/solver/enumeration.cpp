// Trying out all values: for products and divisions of inputs that can be few things, where an SMT solver is at a loss,
// and for listed strings, where it is slow.
//
// Such a question is decided by backtracking over the variables' values, each condition looked at as soon as its last
// variable has one. Questions that Z3 is good at go to Z3; where it gives up, more values are tried than before it was
// asked. How many is counted, not timed, so that answers do not depend on the machine.
#include <algorithm>
#include <unordered_set>

#include "symexec/solver/path_facts.hpp"
#include "symexec/solver/solver.hpp"

namespace espalier::sym {

namespace {

class Enumeration : public Solver {
public:
    Enumeration(std::unique_ptr<Solver> next, Terms& terms, SolverStatistics& statistics)
        : next_(std::move(next)), terms_(terms), statistics_(statistics), facts_(terms) {}

    Answer ask(const Question& q) override {
        const bool hard =
            is_hard(q.condition) || std::any_of(q.path.begin(), q.path.end(), [&](Value c) { return is_hard(c); });
        if (hard && prepare(q, few))
            if (auto answer = enumerate(little)) return std::move(*answer);
        Answer answer = next_->ask(q);
        if (answer.verdict != Verdict::unknown || !prepare(q, many)) return answer;
        if (auto found = enumerate(much)) return std::move(*found);
        return answer;
    }

private:
    static constexpr uint64_t few = 1 << 12, many = 1 << 20;    // combinations of values
    static constexpr uint64_t little = 1 << 18, much = 1 << 22; // parts of conditions evaluated

    struct Variable {
        uint32_t ordinal;
        std::vector<Value> values;
        std::vector<Value> conditions; // that speak of this one, and otherwise of those before it
        uint64_t parts = 0;            // of these
    };

    // Terms share parts, and are asked about again and again.
    bool is_hard(Value v) {
        if (!v.is_term()) return false;
        if (hard_.size() < terms_.size()) hard_.resize(terms_.size(), unknown);
        if (hard_[v.payload()] != unknown) return hard_[v.payload()] == yes;
        const Op op = terms_[v].op;
        const auto parts = terms_.operands(v);
        bool is = op == Op::product || ((op == Op::quotient || op == Op::floor_quotient) && parts[1].is_term()) ||
                  (op == Op::same && terms_.is_sort(parts[0], Sort::string)) || op == Op::length;
        if (op != Op::variable && op != Op::lazy)
            for (size_t i = 0; i < parts.size() && !is; ++i) is = is_hard(parts[i]);
        hard_[v.payload()] = is ? yes : no;
        return is;
    }

    // The variables with what they can be; false where those are more than `most` combinations, or no list of values.
    bool prepare(const Question& q, uint64_t most) {
        variables_.clear();
        facts_.follow(q.path);
        std::unordered_set<uint32_t> seen;
        uint64_t combinations = 1;
        const auto add = [&](Value condition) {
            for (uint32_t n : terms_.variables(condition)) {
                if (!seen.insert(n).second) continue;
                auto values = values_of(terms_.variable_in(condition, n), most);
                if (!values) return false;
                combinations *= std::max<size_t>(values->size(), 1);
                if (combinations > most) return false;
                variables_.push_back({n, std::move(*values), {}});
            }
            return true;
        };
        if (!add(q.condition) || !std::all_of(q.path.begin(), q.path.end(), add)) return false;
        // The fewest values first: where they do not do, the others need not be tried.
        std::stable_sort(variables_.begin(), variables_.end(),
                         [](const Variable& a, const Variable& b) { return a.values.size() < b.values.size(); });
        for (Value c : q.path) place(c);
        place(q.condition);
        return true;
    }

    void place(Value condition) {
        const auto used = terms_.variables(condition);
        for (size_t i = variables_.size(); i-- > 0;) {
            if (!std::binary_search(used.begin(), used.end(), variables_[i].ordinal)) continue;
            variables_[i].conditions.push_back(condition);
            variables_[i].parts += parts_of(condition);
            return;
        }
    }

    uint64_t parts_of(Value condition) const {
        std::unordered_set<uint32_t> seen{condition.payload()};
        std::vector<Value> todo{condition};
        while (!todo.empty()) {
            const Value v = todo.back();
            todo.pop_back();
            for (Value part : terms_.operands(v))
                if (part.is_term() && seen.insert(part.payload()).second) todo.push_back(part);
        }
        return seen.size();
    }

    std::optional<std::vector<Value>> values_of(Value variable, uint64_t most) {
        const Domain& domain = terms_.domain(variable);
        if (!domain.values.empty()) return domain.values;
        if (domain.sort == Sort::boolean) return std::vector{Value::boolean(false), Value::boolean(true)};
        if (domain.sort != Sort::integer) return std::nullopt;
        Range range = facts_.range(variable);
        if (!range.low && domain.low && PathFacts::is_moderate(*domain.low)) range.low = domain.low->as_fixnum();
        if (!range.high && domain.high && PathFacts::is_moderate(*domain.high)) range.high = domain.high->as_fixnum();
        if (!range.low || !range.high || *range.high - *range.low >= static_cast<int64_t>(most)) return std::nullopt;
        std::vector<Value> values;
        for (int64_t n = *range.low; n <= *range.high; ++n) values.push_back(Value::fixnum(n));
        return values;
    }

    // Nothing where that is more work than it may be.
    std::optional<Answer> enumerate(uint64_t most) {
        if (variables_.empty()) return std::nullopt;
        Assignment model;
        for (const Variable& v : variables_)
            model.resize(std::max<size_t>(model.size(), v.ordinal + 1), Value::unbound());
        std::vector<size_t> next(variables_.size(), 0);
        uint64_t work = 0;
        for (size_t at = 0;;) {
            const Variable& v = variables_[at];
            if (next[at] == v.values.size()) {
                if (at == 0) return ended({Verdict::unsat, {}, {}});
                next[at--] = 0;
                continue;
            }
            model[v.ordinal] = v.values[next[at]++];
            if ((work += 1 + v.parts) > most) return std::nullopt;
            if (!std::all_of(v.conditions.begin(), v.conditions.end(),
                             [&](Value c) { return terms_.evaluate(c, model).is_true(); }))
                continue;
            if (++at == variables_.size()) return ended({Verdict::sat, std::move(model), {}});
        }
    }

    Answer ended(Answer answer) {
        ++statistics_.answered_by_enumeration;
        return answer;
    }

    std::unique_ptr<Solver> next_;
    Terms& terms_;
    SolverStatistics& statistics_;
    PathFacts facts_;
    std::vector<Variable> variables_;
    enum Known : uint8_t { unknown, no, yes };
    std::vector<Known> hard_; // by term
};

} // namespace

std::unique_ptr<Solver> make_enumeration(std::unique_ptr<Solver> next, Terms& terms, SolverStatistics& statistics) {
    return std::make_unique<Enumeration>(std::move(next), terms, statistics);
}

} // namespace espalier::sym
