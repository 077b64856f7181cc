// Bounds: most branches of a protocol model compare one field with a constant, and need no solver.
//
// When every condition on a variable is a bound, an equation or an inequation of that variable alone, the question is
// answered exactly, with a solution. Otherwise the bounds may still refute the condition.
#include <algorithm>
#include <optional>

#include "symexec/solver.hpp"

namespace espalier::sym {

namespace {

constexpr int64_t far = Value::fixnum_max / 4; // beyond is unbounded; sums of a few stay in range

struct Bounds {
    int64_t low = -far, high = far;
    std::vector<int64_t> excluded;
    bool alone = true; // nothing else is said of the variable
};

// k·x + c, with small k and c.
struct Linear {
    int64_t k, c;
};

class Intervals : public Solver {
public:
    Intervals(std::unique_ptr<Solver> next, Terms& terms, Statistics& statistics)
        : next_(std::move(next)), terms_(terms), statistics_(statistics) {}

    Answer ask(const Question& q) override {
        if (q.known == nullptr || !q.condition.is_term()) return next_->ask(q);
        const auto vars = terms_.variables(q.condition);
        vars_ = vars;
        bounds_.assign(vars.size(), Bounds{});
        for (Value c : q.path) note(c);
        if (vars.size() == 1 && bounds_[0].alone) {
            Bounds& b = bounds_[0];
            if (narrow(b, q.condition)) return answer(q, vars[0], b);
        } else if (range_excludes(q.condition)) {
            ++statistics_.answered_by_intervals;
            return {Verdict::unsat, {}};
        }
        return next_->ask(q);
    }

private:
    Answer answer(const Question& q, uint32_t v, const Bounds& b) {
        const auto value = nearest_to_zero(b);
        if (!value && (b.low <= -far || b.high >= far)) return next_->ask(q);
        ++statistics_.answered_by_intervals;
        if (!value) return {Verdict::unsat, {}};
        Answer a{Verdict::sat, *q.known};
        if (a.model.size() <= v) a.model.resize(v + 1, Value::unbound());
        a.model[v] = Value::fixnum(*value);
        return a;
    }

    static std::optional<int64_t> nearest_to_zero(const Bounds& b) {
        if (b.low > b.high) return std::nullopt;
        const auto free = [&](int64_t n) {
            return n >= b.low && n <= b.high && std::find(b.excluded.begin(), b.excluded.end(), n) == b.excluded.end();
        };
        const int64_t start = std::clamp<int64_t>(0, b.low, b.high);
        for (int64_t d = 0; d <= static_cast<int64_t>(b.excluded.size()); ++d) {
            if (free(start + d)) return start + d;
            if (free(start - d)) return start - d;
        }
        return std::nullopt;
    }

    void note(Value condition) {
        const auto vars = terms_.variables(condition);
        for (uint32_t v : vars) {
            Bounds* b = bounds_of(v);
            if (b == nullptr) continue;
            if (vars.size() > 1 || !narrow(*b, condition)) b->alone = false;
        }
    }

    // Of a variable of the question, of which there are few; else null.
    Bounds* bounds_of(uint32_t v) {
        const auto at = std::lower_bound(vars_.begin(), vars_.end(), v);
        return at == vars_.end() || *at != v ? nullptr : &bounds_[static_cast<size_t>(at - vars_.begin())];
    }

    std::optional<Linear> linear(Value v) const {
        if (terms_[v].op == Op::variable) return Linear{1, 0};
        const auto parts = terms_.operands(v);
        if (terms_[v].op != Op::sum || parts.size() != 3 || terms_[parts[2]].op != Op::variable) return std::nullopt;
        if (!small(parts[0]) || !small(parts[1])) return std::nullopt;
        return Linear{parts[1].as_fixnum(), parts[0].as_fixnum()};
    }
    static bool small(Value v) { return v.is_fixnum() && v.as_fixnum() > -far && v.as_fixnum() < far; }

    // Takes a condition on one variable into its bounds. False: it is not of that kind, and nothing was changed for
    // sure but parts of a conjunction, which only narrow what is true anyway.
    bool narrow(Bounds& b, Value condition) const {
        const Op op = terms_[condition].op;
        const auto parts = terms_.operands(condition);
        if (op == Op::conjunction) {
            bool all = true;
            for (Value part : parts) all = narrow(b, part) && all;
            return all;
        }
        const bool negated = op == Op::negation;
        const Value atom = negated ? parts[0] : condition;
        const Op kind = terms_[atom].op;
        if (kind != Op::at_most_zero && kind != Op::is_zero) return false;
        const auto l = linear(terms_.operands(atom)[0]);
        if (!l || (l->k != 1 && l->k != -1)) return false;
        const int64_t at = l->k == 1 ? -l->c : l->c; // where it is zero
        if (kind == Op::at_most_zero) {
            if (l->k == 1)
                b.high = std::min(b.high, at);
            else
                b.low = std::max(b.low, at);
        } else if (negated) {
            b.excluded.push_back(at);
        } else {
            b.low = std::max(b.low, at);
            b.high = std::min(b.high, at);
        }
        return true;
    }

    // The range of c + Σ k·x lies outside what the condition wants.
    bool range_excludes(Value condition) {
        const Op op = terms_[condition].op;
        if (op != Op::at_most_zero && op != Op::is_zero) return false;
        const Value sum = terms_.operands(condition)[0];
        if (terms_[sum].op != Op::sum) return false;
        const auto parts = terms_.operands(sum);
        if (!small(parts[0])) return false;
        std::optional<int64_t> low = parts[0].as_fixnum(), high = low;
        for (size_t i = 1; i < parts.size(); i += 2) {
            if (terms_[parts[i + 1]].op != Op::variable || !small(parts[i])) return false;
            const Bounds& b = *bounds_of(terms_.ordinal(parts[i + 1]));
            const int64_t k = parts[i].as_fixnum();
            low = plus(low, k > 0 ? b.low : b.high, k);
            high = plus(high, k > 0 ? b.high : b.low, k);
        }
        return (low && *low > 0) || (op == Op::is_zero && high && *high < 0);
    }

    // Nothing where it is unbounded.
    static std::optional<int64_t> plus(std::optional<int64_t> sum, int64_t bound, int64_t k) {
        int64_t product = 0, result = 0;
        if (!sum || bound <= -far || bound >= far) return std::nullopt;
        if (__builtin_mul_overflow(bound, k, &product) || __builtin_add_overflow(*sum, product, &result))
            return std::nullopt;
        return result;
    }

    std::unique_ptr<Solver> next_;
    Terms& terms_;
    Statistics& statistics_;
    std::span<const uint32_t> vars_; // of the question, ascending
    std::vector<Bounds> bounds_;     // theirs
};

} // namespace

std::unique_ptr<Solver> make_intervals(std::unique_ptr<Solver> next, Terms& terms, Statistics& statistics) {
    return std::make_unique<Intervals>(std::move(next), terms, statistics);
}

} // namespace espalier::sym
