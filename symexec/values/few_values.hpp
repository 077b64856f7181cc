// What a term is worth on its path: one value that the path determines, or one of few, each a way of its own.
//
// Where the solver layer has no term for the result of a primitive, the primitive takes constants. What the path says
// of a term is looked up in its facts, which costs little; where they do not say enough, the solver is asked, a few
// times.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "symexec/solver/path_facts.hpp"
#include "symexec/values/decider.hpp"
#include "symexec/values/fresh.hpp"

namespace espalier::sym {

class FewValues {
public:
    static constexpr int64_t most_values = 256;

    FewValues(Context& context, Decider& decider, FreshValues& fresh)
        : context_(context), terms_(context.terms), decider_(decider), fresh_(fresh), facts_(context.terms) {}
    // The only value that the path's own words leave.
    std::optional<Value> known_value(State& s, Value v);
    // A constant, where v has at most `most` values on this path; else v itself.
    Value settled(State& s, Value v, int64_t most = most_values);
    // What the path says, and the conditions that it says it by, until the next question.
    PathFacts& facts_of(const State& s);
    std::span<const Value> said() const { return said_; }

private:
    void list_values(Value v, int64_t most, Fork& fork);
    void list_range(Value v, int64_t low, int64_t high, Fork& fork);
    void list_solutions(State& s, Value v, int64_t most, Fork& fork);
    Value is_condition(Value v, Value constant);

    Context& context_;
    Terms& terms_;
    Decider& decider_;
    FreshValues& fresh_;
    PathFacts facts_;         // of the path that was asked about last
    std::vector<Value> said_; // its conditions
};

} // namespace espalier::sym
