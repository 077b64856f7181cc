// Values for a test that is kept: small and natural ones, chosen by the solutions alone.
//
// A solver's own solution depends on what it was asked before, and would make suites depend on the search's history. So
// variables are fixed one after the other, each at its nearest to zero (by bisection), its shortest, or its first.
#include <algorithm>

#include "symexec/solver.hpp"

namespace espalier::sym {

namespace {

class Chooser {
public:
    Chooser(Solver& solver, Terms& terms, std::span<const Value> conditions)
        : solver_(solver), terms_(terms), conditions_(conditions.begin(), conditions.end()) {}

    Answer run(std::span<const Value> variables, const Assignment* known) {
        Answer first =
            known != nullptr ? Answer{Verdict::sat, *known} : solver_.ask({conditions_, Value::boolean(true), nullptr});
        if (first.verdict != Verdict::sat) return first;
        model_ = std::move(first.model);
        for (Value v : variables) {
            switch (terms_[v].sort) {
            case Sort::boolean: fix_boolean(v); break;
            case Sort::integer: terms_.domain(v).values.empty() ? fix_integer(v) : fix_listed(v); break;
            case Sort::symbol: fix_listed(v); break;
            case Sort::string: fix_string(v); break;
            case Sort::lazy: break;
            }
            const uint32_t n = terms_.ordinal(v);
            if (model_.size() <= n) model_.resize(n + 1, Value::unbound());
            model_[n] = terms_.evaluate(v, model_);
        }
        // What no condition speaks of is the fallback of its domain, whatever the solver last tried.
        Assignment chosen(model_.size(), Value::unbound());
        for (Value v : variables) chosen[terms_.ordinal(v)] = model_[terms_.ordinal(v)];
        return {Verdict::sat, std::move(chosen)};
    }

private:
    bool can(Value condition) {
        if (!condition.is_term()) return condition.is_true();
        Answer a = solver_.ask({conditions_, condition, &model_});
        if (a.verdict != Verdict::sat) return false;
        model_ = std::move(a.model);
        return true;
    }
    bool fix_if_possible(Value condition) {
        if (!can(condition)) return false;
        if (condition.is_term()) conditions_.push_back(condition);
        return true;
    }

    void fix_boolean(Value v) {
        if (!fix_if_possible(terms_.negation(v))) conditions_.push_back(v);
    }

    void fix_listed(Value v) {
        const std::vector<Value> values = terms_.domain(v).values;
        for (Value each : values)
            if (fix_if_possible(terms_[v].sort == Sort::integer ? terms_.equal_integers(v, each)
                                                                : terms_.same(v, each)))
                return;
    }

    // The least distance from zero, then the positive one.
    void fix_integer(Value v) {
        Heap& heap = terms_.heap();
        const Value zero = Value::fixnum(0);
        if (fix_if_possible(terms_.equal_integers(v, zero))) return;
        const auto distance = [&] {
            const Value now = terms_.evaluate(v, model_);
            return number::compare(now, zero, "<") < 0 ? number::sub(heap, zero, now) : now;
        };
        Value none = zero, some = distance(); // no solution within `none`, one at `some`
        for (;;) {
            const Value gap = number::sub(heap, some, none);
            if (number::compare(gap, Value::fixnum(1), "<=") <= 0) break;
            const Value middle = number::add(heap, none, number::quotient(heap, gap, Value::fixnum(2)));
            const Value within =
                terms_.both(terms_.at_most(v, middle), terms_.at_most(number::sub(heap, zero, middle), v));
            if (can(within))
                some = distance();
            else
                none = middle;
        }
        if (fix_if_possible(terms_.equal_integers(v, some))) return;
        fix_if_possible(terms_.equal_integers(v, number::sub(heap, zero, some)));
    }

    void fix_string(Value v) {
        fix_integer(terms_.length(v));
        const Value now = terms_.evaluate(v, model_);
        const uint32_t length = now.as_object()->count;
        std::vector<std::string> candidates{std::string(length, 'a')};
        std::vector<std::string> constants;
        for (Value c : conditions_) collect_strings(c, length, constants);
        std::sort(constants.begin(), constants.end());
        candidates.insert(candidates.end(), constants.begin(), constants.end());
        for (char c = 'b'; c <= 'z' && length > 0; ++c) {
            candidates.emplace_back(length, 'a');
            candidates.back()[length - 1] = c;
        }
        for (const std::string& text : candidates)
            if (fix_if_possible(terms_.same(v, terms_.constant(terms_.heap().string(text))))) return;
        fix_if_possible(terms_.same(v, now));
    }

    void collect_strings(Value v, uint32_t length, std::vector<std::string>& out) const {
        if (is_type(v, ObjectType::string) && v.as_object()->count == length) {
            std::string text = to_utf8(as_string(v));
            if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(std::move(text));
        }
        if (!v.is_term()) return;
        for (Value part : terms_.operands(v)) collect_strings(part, length, out);
    }

    Solver& solver_;
    Terms& terms_;
    std::vector<Value> conditions_;
    Assignment model_;
};

} // namespace

// aa, ba, ca, … Past the letters and digits come 20,000 ideographs, so that there are always enough.
std::u32string nth_string(int64_t length, uint64_t n) {
    static constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyz0123456789";
    static constexpr uint64_t ideographs = 20'000, characters = plain.size() + ideographs;
    std::u32string text(static_cast<size_t>(length), U'a');
    for (size_t i = 0; i < text.size() && n > 0; ++i, n /= characters) {
        const uint64_t c = n % characters;
        text[i] = c < plain.size() ? static_cast<char32_t>(plain[c]) : static_cast<char32_t>(0x4E00 + c - plain.size());
    }
    return text;
}

Answer canonical_solution(Solver& solver, Terms& terms, std::span<const Value> conditions,
                          std::span<const Value> variables, const Assignment* known) {
    return Chooser(solver, terms, conditions).run(variables, known);
}

std::pair<std::optional<Value>, std::optional<Value>>
positive_range(Solver& solver, Terms& terms, std::span<const Value> conditions, const Assignment* known, Value v) {
    Heap& heap = terms.heap();
    // A solution with `low` ≤ v ≤ `high`: what v is in it.
    const auto within = [&](Value low, std::optional<Value> high) -> std::optional<Value> {
        const Value condition =
            terms.both(terms.at_most(low, v), high ? terms.at_most(v, *high) : Value::boolean(true));
        if (!condition.is_term()) return condition.is_true() ? std::optional(v) : std::nullopt;
        const Answer a = solver.ask({conditions, condition, known});
        return a.verdict == Verdict::sat ? std::optional(terms.evaluate(v, a.model)) : std::nullopt;
    };
    const auto half_of = [&](Value a, Value b) {
        return number::quotient(heap, number::add(heap, a, b), Value::fixnum(2));
    };
    const Value one = Value::fixnum(1);
    const auto some = within(one, std::nullopt);
    if (!some) return {};
    Value least = *some;
    for (Value none = Value::fixnum(0); number::compare(number::sub(heap, least, none), one, ">") > 0;) {
        const Value middle = half_of(none, least);
        if (const auto found = within(one, middle))
            least = *found;
        else
            none = middle;
    }
    Value greatest = *some, none = greatest;
    for (;;) {
        none = number::mul(heap, none, Value::fixnum(2));
        if (!none.is_fixnum()) return {least, std::nullopt};
        const auto found = within(none, std::nullopt);
        if (!found) break;
        none = greatest = *found;
    }
    while (number::compare(number::sub(heap, none, greatest), one, ">") > 0) {
        const Value middle = half_of(greatest, none);
        if (const auto found = within(middle, std::nullopt))
            greatest = *found;
        else
            none = middle;
    }
    return {least, greatest};
}

} // namespace espalier::sym
