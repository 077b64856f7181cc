// Values for a test that is kept: small and natural ones, distinct where the path allows, chosen by the solutions
// alone.
//
// A solver's own solution depends on what it was asked before, and would make suites depend on the search's history. So
// variables are fixed one after the other. What the path leaves no choice about comes first; then each integer is the
// least natural number that no other input of the test has, or else the value nearest to zero; a string is a letter of
// its own, or the shortest that the path allows; booleans and enums take their first value, for they mean what they
// say. Mostly the first guess is right, and costs one question that bounds answer; bisection is for the rest.
#include <algorithm>
#include <numeric>

#include "symexec/solver/solver.hpp"

namespace espalier::sym {

namespace {

constexpr Value zero = Value::fixnum(0), one = Value::fixnum(1);

Value half_of(Heap& heap, Value a, Value b) {
    return number::floor_quotient(heap, number::add(heap, a, b), Value::fixnum(2));
}

class Chooser {
public:
    Chooser(Solver& solver, Terms& terms, std::span<const Value> conditions, std::span<const Value> implied,
            const std::function<bool()>& stop)
        : solver_(solver), terms_(terms), stop_(stop), looked_into_(terms.size(), false) {
        for (const auto& list : {conditions, implied})
            for (Value c : list) {
                const auto vars = terms_.variables(c);
                mentioned_.insert(mentioned_.end(), vars.begin(), vars.end());
                collect_strings(c);
            }
        std::sort(mentioned_.begin(), mentioned_.end());
        mentioned_.erase(std::unique(mentioned_.begin(), mentioned_.end()), mentioned_.end());
        group(conditions);
    }

    Answer run(std::span<const Value> variables, const Assignment* known) {
        if (known != nullptr) {
            model_ = *known;
        } else {
            const std::vector<Value> all = all_conditions();
            Answer first = solver_.ask({all, Value::boolean(true), nullptr});
            if (first.verdict != Verdict::sat) return first;
            model_ = std::move(first.model);
        }
        for (Value v : variables)
            if (is_number(v) && is_mentioned(v) && is_forced(v)) taken_.push_back(terms_.evaluate(v, model_));
        for (Value v : variables) {
            if (is_stopped()) break;
            switch (terms_[v].sort) {
            case Sort::boolean: fix_boolean(v); break;
            case Sort::integer: terms_.domain(v).values.empty() ? fix_integer(v) : fix_listed(v); break;
            case Sort::symbol: fix_listed(v); break;
            case Sort::string: terms_.domain(v).values.empty() ? fix_string(v) : fix_listed(v); break;
            case Sort::rational:
            case Sort::lazy: break;
            }
        }
        // What was tried on the way is not part of it.
        Assignment chosen;
        for (Value v : variables) {
            const uint32_t n = terms_.ordinal(v);
            if (chosen.size() <= n) chosen.resize(n + 1, Value::unbound());
            chosen[n] = is_mentioned(v) ? terms_.evaluate(v, model_) : terms_.evaluate(v, free_);
        }
        return {Verdict::sat, std::move(chosen)};
    }

private:
    bool is_number(Value v) const { return terms_[v].sort == Sort::integer && terms_.domain(v).values.empty(); }
    bool is_mentioned(Value v) const {
        return std::binary_search(mentioned_.begin(), mentioned_.end(), terms_.ordinal(v));
    }

    bool is_stopped() {
        stopped_ = stopped_ || (stop_ && stop_());
        return stopped_;
    }

    // ── Groups ──

    // Conditions that no variable connects have nothing to do with each other, and every question is about one
    // variable.
    struct Group {
        std::vector<Value> conditions;
        std::vector<uint32_t> variables;
    };

    void group(std::span<const Value> conditions) {
        const auto place = [&](uint32_t variable) {
            return static_cast<size_t>(std::lower_bound(mentioned_.begin(), mentioned_.end(), variable) -
                                       mentioned_.begin());
        };
        std::vector<size_t> above(mentioned_.size()); // union-find
        std::iota(above.begin(), above.end(), size_t{0});
        const auto top = [&](size_t of) {
            while (above[of] != of) of = above[of] = above[above[of]];
            return of;
        };
        for (Value c : conditions)
            for (const uint32_t v : terms_.variables(c)) above[top(place(v))] = top(place(terms_.variables(c)[0]));
        groups_.resize(mentioned_.size());
        group_of_.resize(mentioned_.size());
        for (size_t i = 0; i < mentioned_.size(); ++i) {
            group_of_[i] = top(i);
            groups_[top(i)].variables.push_back(mentioned_[i]);
        }
        for (Value c : conditions) group_of(c).conditions.push_back(c);
    }

    // Of a condition on variables that are mentioned.
    Group& group_of(Value condition) {
        const auto at = std::lower_bound(mentioned_.begin(), mentioned_.end(), terms_.variables(condition)[0]);
        return groups_[group_of_[static_cast<size_t>(at - mentioned_.begin())]];
    }

    std::vector<Value> all_conditions() const {
        std::vector<Value> all;
        for (const Group& g : groups_) all.insert(all.end(), g.conditions.begin(), g.conditions.end());
        return all;
    }

    void demand(Value condition) {
        if (condition.is_term()) group_of(condition).conditions.push_back(condition);
    }

    // ── Questions ──

    bool can(Value condition) {
        if (!condition.is_term()) return condition.is_true();
        // Where the solver keeps giving up, values are left as it found them: each answer would cost all its resources.
        if (given_up_ == most_given_up || is_stopped()) return terms_.evaluate(condition, model_).is_true();
        const Group& g = group_of(condition);
        const Question q{g.conditions, condition, &model_};
        const Answer a = solver_.ask(q);
        if (a.verdict == Verdict::unknown) ++given_up_;
        if (a.verdict != Verdict::sat) return false;
        const Assignment& found = solution(q, a);
        for (const uint32_t n : g.variables) {
            if (model_.size() <= n) model_.resize(n + 1, Value::unbound());
            model_[n] = n < found.size() ? found[n] : Value::unbound();
        }
        return true;
    }
    bool fix_if_possible(Value condition) {
        if (!can(condition)) return false;
        demand(condition);
        return true;
    }
    // Of a variable that no condition speaks of, any value will do.
    void set(Value v, Value to) {
        const uint32_t n = terms_.ordinal(v);
        if (free_.size() <= n) free_.resize(n + 1, Value::unbound());
        free_[n] = to;
    }

    // Has it the same value in every solution? The question may bring another solution, which is as good as the last.
    bool is_forced(Value v) { return !can(terms_.negation(terms_.equal_integers(v, terms_.evaluate(v, model_)))); }

    void fix_boolean(Value v) {
        if (!is_mentioned(v)) return set(v, Value::boolean(false));
        if (!fix_if_possible(terms_.negation(v))) demand(v);
    }

    void fix_listed(Value v) {
        if (!is_mentioned(v)) return;
        const std::vector<Value> values = terms_.domain(v).values;
        const auto is = [&](Value each) {
            return terms_[v].sort == Sort::integer ? terms_.equal_integers(v, each) : terms_.same(v, each);
        };
        if (values.size() > very_many) { // the only one that is left is not looked for among all of them
            const Value now = is(terms_.evaluate(v, model_));
            if (!can(terms_.negation(now))) return demand(now);
        }
        for (Value each : values)
            if (fix_if_possible(is(each))) return;
    }

    // ── Integers ──

    bool is_taken(Value n) const {
        return std::any_of(taken_.begin(), taken_.end(), [&](Value t) { return number::equal(t, n); });
    }

    void fix_integer(Value v) {
        Value guess = zero;
        if (const auto& low = terms_.domain(v).low; low && number::compare(*low, zero, ">") > 0) guess = *low;
        while (is_taken(guess)) guess = number::add(terms_.heap(), guess, one);
        if (!is_mentioned(v)) {
            set(v, guess);
        } else if (!fix_if_possible(terms_.equal_integers(v, guess))) {
            Value distinct = Value::boolean(true);
            for (Value t : taken_) distinct = terms_.both(distinct, terms_.negation(terms_.equal_integers(v, t)));
            if (!can(distinct)) distinct = Value::boolean(true);
            fix_nearest_to_zero(v, distinct);
        }
        const Value n = terms_.evaluate(v, is_mentioned(v) ? model_ : free_);
        if (!is_taken(n)) taken_.push_back(n);
    }

    // The least distance from zero, then the positive one, among values that satisfy the condition, as the current
    // solution does. Which distances are tried does not depend on that solution, so neither does the number of
    // questions.
    void fix_nearest_to_zero(Value v, Value condition) {
        Heap& heap = terms_.heap();
        const auto can_be_within = [&](Value distance) {
            const Value within =
                terms_.both(terms_.at_most(v, distance), terms_.at_most(number::sub(heap, zero, distance), v));
            return can(terms_.both(within, condition));
        };
        const auto is_beyond = [&](Value distance) { // in the current solution
            const Value now = terms_.evaluate(v, model_);
            const Value from_zero = number::compare(now, zero, "<") < 0 ? number::sub(heap, zero, now) : now;
            return number::compare(from_zero, distance, ">") > 0;
        };
        Value none = Value::fixnum(-1), some = one; // no solution within `none`; one within `some`, in the end
        while (!can_be_within(some) && is_beyond(some)) {
            none = some;
            some = number::mul(heap, some, Value::fixnum(16));
        }
        while (number::compare(number::sub(heap, some, none), one, ">") > 0) {
            const Value middle = half_of(heap, none, some);
            (can_be_within(middle) ? some : none) = middle;
        }
        for (const Value at : {some, number::sub(heap, zero, some)})
            if (fix_if_possible(terms_.both(terms_.equal_integers(v, at), condition))) return;
    }

    // ── Strings ──

    // Equality and length are all that conditions say of strings. So among those of one length, one that occurs nowhere
    // is as good as any other, unless the path equates the string with one that does occur.
    void fix_string(Value v) {
        if (!is_mentioned(v)) {
            strings_.push_back(unused_string(1));
            return set(v, strings_.back());
        }
        if (!try_string(v, unused_string(1))) {
            const Value length = terms_.length(v);
            if (const Value some = terms_.at_most(one, length); can(some)) demand(some);
            fix_nearest_to_zero(length, Value::boolean(true));
            const uint32_t n = terms_.evaluate(v, model_).as_object()->count;
            if (n == 0 || !try_string(v, unused_string(n))) try_known_strings(v, n);
        }
        const Value text = terms_.evaluate(v, model_);
        if (std::none_of(strings_.begin(), strings_.end(), [&](Value s) { return equal(s, text); }))
            strings_.push_back(text);
    }

    bool try_string(Value v, Value text) { return fix_if_possible(terms_.same(v, text)); }

    void try_known_strings(Value v, uint32_t length) {
        std::vector<Value> known;
        for (Value s : strings_)
            if (s.as_object()->count == length) known.push_back(s);
        std::sort(known.begin(), known.end(),
                  [](Value a, Value b) { return to_utf8(as_string(a)) < to_utf8(as_string(b)); });
        for (Value s : known)
            if (try_string(v, s)) return;
        try_string(v, terms_.evaluate(v, model_)); // the empty one, which occurs nowhere
    }

    Value unused_string(int64_t length) {
        for (uint64_t i = 0;; ++i) {
            const Value s = terms_.constant(terms_.heap().string(nth_string(length, i)));
            if (std::none_of(strings_.begin(), strings_.end(), [&](Value t) { return equal(s, t); })) return s;
        }
    }

    void collect_strings(Value v) {
        if (is_type(v, ObjectType::string) &&
            std::none_of(strings_.begin(), strings_.end(), [&](Value s) { return equal(s, v); }))
            strings_.push_back(v);
        if (!v.is_term() || looked_into_[v.payload()]) return; // terms share parts
        looked_into_[v.payload()] = true;
        for (Value part : terms_.operands(v)) collect_strings(part);
    }

    Solver& solver_;
    Terms& terms_;
    std::vector<Group> groups_;    // some are empty: those that were joined to others
    std::vector<size_t> group_of_; // by place in mentioned_
    const std::function<bool()>& stop_;
    bool stopped_ = false;
    static constexpr uint32_t most_given_up = 3;
    static constexpr size_t very_many = 64; // values of an enum
    uint32_t given_up_ = 0;
    std::vector<bool> looked_into_;   // by term
    std::vector<uint32_t> mentioned_; // variables that conditions speak of, ascending
    std::vector<Value> taken_;        // integers that inputs of the test have
    std::vector<Value> strings_;      // that occur in conditions or in the test
    Assignment model_;
    Assignment free_; // values of variables that are not mentioned
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
                          std::span<const Value> implied, std::span<const Value> variables, const Assignment* known,
                          const std::function<bool()>& stop) {
    return Chooser(solver, terms, conditions, implied, stop).run(variables, known);
}

// A model names no longer delay than that of so many bits.
constexpr int64_t bits_of_any_delay = 4096;

PositiveRange positive_range(Solver& solver, Terms& terms, std::span<const Value> conditions, const Assignment* known,
                             Value v) {
    Heap& heap = terms.heap();
    const char* undecided = nullptr;
    const auto ask = [&](Value condition) {
        if (condition.is_false()) return Answer{Verdict::unsat};
        Answer answer = solver.ask({conditions, condition, known});
        if (answer.verdict == Verdict::unknown)
            undecided = answer.beyond != nullptr ? answer.beyond : "a delay that the solver does not decide";
        return answer;
    };
    const auto can_be_from = [&](Value low) { return ask(terms.at_most(low, v)).verdict == Verdict::sat; };
    const Answer some = ask(terms.at_most(one, v));
    if (some.verdict == Verdict::unsat) return {};
    if (some.verdict == Verdict::unknown) return {.undecided = undecided};
    const Value top = terms.evaluate(v, some.is_known ? *known : some.model);
    // Where the solver gives up, what was found first will do.
    const auto is_below = [&](Value high) {
        const Value condition = terms.both(terms.at_most(one, v), terms.at_most(v, high));
        return ask(condition).verdict != Verdict::sat && number::compare(high, top, "<") < 0;
    };
    // The last of which `holds` is true, where it is true of `yes` and once false stays so.
    const auto last = [&](Value yes, const auto& holds) {
        Value no = number::mul(heap, yes, Value::fixnum(2));
        for (; holds(no); no = number::mul(heap, no, Value::fixnum(2))) yes = no;
        while (number::compare(number::sub(heap, no, yes), one, ">") > 0) {
            const Value middle = half_of(heap, yes, no);
            (holds(middle) ? yes : no) = middle;
        }
        return yes;
    };
    const Value least = is_below(one) ? number::add(heap, last(one, is_below), one) : one;
    // Beyond what this program makes there may be greater ones; and what can be as great as this has no greatest.
    const char* const so_far = undecided;
    const Answer large = ask(terms.at_most(number::arithmetic_shift(heap, one, Value::fixnum(bits_of_any_delay)), v));
    if (large.verdict == Verdict::sat || large.beyond != nullptr) return {.least = least, .undecided = so_far};
    const Value greatest = last(least, can_be_from);
    return {.least = least, .greatest = greatest, .undecided = undecided};
}

} // namespace espalier::sym
