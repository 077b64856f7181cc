#include "symexec/terms/projection.hpp"

#include <algorithm>
#include <optional>

namespace espalier::sym {

namespace {

class Projection {
public:
    Projection(Terms& terms, std::vector<Value> conditions, uint32_t live)
        : terms_(terms), conditions_(std::move(conditions)), live_(live) {}

    std::vector<Value> run() {
        while (substitute_one() || drop_one()) {
        }
        return std::move(conditions_);
    }

private:
    bool is_dead(Value v) const {
        return v.is_term() && terms_[v].op == Op::variable && terms_.ordinal(v) >= live_ &&
               (terms_[v].sort == Sort::integer || terms_[v].sort == Sort::symbol);
    }
    bool mentions(Value v, uint32_t ordinal) const {
        const auto all = terms_.variables(v);
        return std::binary_search(all.begin(), all.end(), ordinal);
    }

    // What the variable must be where the sum is zero, and it has the factor 1 or −1 there and occurs nowhere else.
    std::optional<Value> solved(Value sum, Value variable) {
        if (sum == variable) return Value::fixnum(0);
        if (!sum.is_term() || terms_[sum].op != Op::sum) return std::nullopt;
        const auto operands = terms_.operands(sum);
        const std::vector<Value> parts(operands.begin(), operands.end());
        Value rest = parts[0];
        std::optional<Value> factor;
        for (size_t i = 1; i + 1 < parts.size(); i += 2) {
            if (parts[i + 1] == variable)
                factor = parts[i];
            else if (mentions(parts[i + 1], terms_.ordinal(variable)))
                return std::nullopt;
            else
                rest = terms_.add(rest, terms_.mul(parts[i], parts[i + 1]));
        }
        if (factor == Value::fixnum(-1)) return rest;
        if (factor == Value::fixnum(1)) return terms_.mul(Value::fixnum(-1), rest);
        return std::nullopt;
    }
    // The same of a condition that says that two things are equal.
    std::optional<Value> equal_to(Value condition, Value variable) {
        if (!condition.is_term()) return std::nullopt;
        const Op op = terms_[condition].op;
        if (op == Op::is_zero) return solved(terms_.operands(condition)[0], variable);
        if (op != Op::same) return std::nullopt;
        const Value a = terms_.operands(condition)[0], b = terms_.operands(condition)[1];
        if (a == variable && !mentions(b, terms_.ordinal(variable))) return b;
        if (b == variable && !mentions(a, terms_.ordinal(variable))) return a;
        return std::nullopt;
    }
    std::vector<Value> dead_in(Value condition) const {
        std::vector<Value> dead;
        const auto all = terms_.variables(condition);
        if (all.empty() || all.back() < live_) return dead; // of most conditions; ordinals ascend
        const std::vector<uint32_t> ordinals(all.begin(), all.end());
        for (const uint32_t n : ordinals)
            if (const Value v = terms_.variable_in(condition, n); is_dead(v)) dead.push_back(v);
        return dead;
    }

    // The value is in the domain, too.
    bool substitute_one() {
        for (size_t i = 0; i < conditions_.size(); ++i)
            for (const Value variable : dead_in(conditions_[i])) {
                const auto value = equal_to(conditions_[i], variable);
                if (!value) continue;
                conditions_.erase(conditions_.begin() + static_cast<ptrdiff_t>(i));
                conditions_.push_back(terms_.domain_condition(variable));
                for (Value& c : conditions_)
                    if (c.is_term() && mentions(c, terms_.ordinal(variable)))
                        c = terms_.substitute(c, [&](Value v) { return v == variable ? *value : v; });
                // What always holds says nothing; what never does is kept.
                std::erase_if(conditions_, [](Value c) { return !c.is_term() && c.is_true(); });
                return true;
            }
        return false;
    }

    // Bounds of a variable, and how many values it must differ from.
    struct Freedom {
        std::optional<int64_t> low, high;
        size_t values = 0; // of a domain that lists them, and then there are no bounds
        size_t taken = 0;
        bool is_enough() const {
            if (values != 0) return values > taken;
            return !low || !high || (*high >= *low && static_cast<uint64_t>(*high - *low) >= taken);
        }
    };
    std::optional<Freedom> freedom(Value variable) const {
        Freedom f;
        const Domain& d = terms_.domain(variable);
        f.values = d.values.size();
        if (terms_[variable].sort == Sort::symbol && f.values == 0) return std::nullopt;
        if ((d.low && !d.low->is_fixnum()) || (d.high && !d.high->is_fixnum())) return std::nullopt;
        if (d.low) f.low = d.low->as_fixnum();
        if (d.high) f.high = d.high->as_fixnum();
        if (f.values != 0 && (f.low || f.high)) return std::nullopt;
        return f;
    }
    // Does the condition only bound the variable, or say that it differs from something?
    bool restrict(Freedom& f, Value condition, Value variable) {
        const Op op = terms_[condition].op;
        if (op == Op::negation) {
            ++f.taken;
            return equal_to(terms_.operands(condition)[0], variable).has_value();
        }
        if (op == Op::conjunction) {
            const auto all = terms_.operands(condition);
            const std::vector<Value> parts(all.begin(), all.end());
            return std::all_of(parts.begin(), parts.end(), [&](Value c) { return restrict(f, c, variable); });
        }
        if (op != Op::at_most_zero || f.values != 0) return false;
        const auto bound = solved(terms_.operands(condition)[0], variable);
        if (!bound || !bound->is_fixnum()) return false;
        const bool from_below = // of −x + low ≤ 0 the variable has the factor −1
            terms_[terms_.operands(condition)[0]].op == Op::sum &&
            terms_.operands(terms_.operands(condition)[0])[1] == Value::fixnum(-1);
        if (from_below)
            f.low = std::max(f.low.value_or(INT64_MIN), bound->as_fixnum());
        else
            f.high = std::min(f.high.value_or(INT64_MAX), bound->as_fixnum());
        return true;
    }

    bool drop_one() {
        for (const Value condition : conditions_)
            for (const Value variable : dead_in(condition)) {
                auto free = freedom(variable);
                const uint32_t n = terms_.ordinal(variable);
                const auto concerns = [&](Value c) { return mentions(c, n); };
                const bool only_so = free && std::all_of(conditions_.begin(), conditions_.end(), [&](Value c) {
                                         return !concerns(c) || restrict(*free, c, variable);
                                     });
                if (!only_so || !free->is_enough()) continue;
                std::erase_if(conditions_, concerns);
                return true;
            }
        return false;
    }

    Terms& terms_;
    std::vector<Value> conditions_;
    uint32_t live_;
};

} // namespace

std::vector<Value> project(Terms& terms, std::vector<Value> conditions, uint32_t live) {
    return Projection(terms, std::move(conditions), live).run();
}

} // namespace espalier::sym
