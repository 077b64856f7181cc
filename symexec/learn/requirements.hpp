// What the data of a state must satisfy, so that a run from it does not go where one from another state went not.
//
// A requirement comes with the conditions of its way: where they do not hold, nothing is required. It may mention
// inputs that come on the way, and has to hold for all of them. What is kept speaks of the data alone, and implies
// that: each step gives a condition that is at least as strong. The strongest is that some data are as they are.
//
// Most requirements mention no inputs. Then nothing is asked of the solver: that the condition holds where the way can
// be taken is known, for the state at hand, and that implication is kept.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "symexec/learn/veil.hpp"
#include "symexec/solver/path_facts.hpp"
#include "symexec/solver/solver.hpp"

namespace espalier::sym {

// A choice that leaves nothing out.
bool is_always_true(const Terms& terms, Value condition);

class Requirements {
public:
    // What is used again from state to state.
    struct Tools {
        Terms& terms;
        Solver& solver;
        PathFacts of_state, of_way;
    };
    // `veiled` is `state` veiled. Variables that are not its data are inputs.
    Requirements(Tools& tools, const State& state, const Veiled& veiled)
        : tools_(tools), terms_(tools.terms), state_(state), content_(veiled.content), variables_(veiled.variables) {}

    // On the way with those conditions, this one must hold; for the state at hand it does. False: it cannot be kept.
    bool add(std::span<const Value> way, Value condition);
    // The same of a condition that is required at the way's end, of data that have not changed on it.
    bool add_unchanged(std::span<const Value> way, Value condition);
    // The condition for the data at hand.
    Value of_content(Value condition);
    bool mentions_data(Value condition) const;
    const std::vector<Value>& all();

private:
    bool mentions_inputs(Value condition) const;
    bool is_at_least(Value stronger, Value weaker);
    bool keep(Value condition);
    bool add_without_inputs(std::span<const Value> way, Value condition);
    bool add_with_inputs(std::span<const Value> way, Value condition);
    Value narrowed(Value condition);
    bool surely_holds(Value condition);
    bool follows_from(std::span<const Value> way, Value condition);
    const std::vector<Value>& path();
    std::optional<Value> without_inputs(Value condition);
    std::optional<bool> for_each_value(std::span<const Value> way, Value condition);
    std::optional<Value> at_worst(Value condition);
    bool fix(std::span<const Value> way, Value condition);
    bool stay(const std::set<uint32_t>& data);
    std::optional<Value> equal(Value datum, Value content);

    static constexpr size_t most = 400, many = 10; // conditions
    static constexpr size_t most_values = 8;       // of an input, to be tried one by one
    Tools& tools_;
    Terms& terms_;
    const State& state_;
    const std::vector<Value>&content_, &variables_;
    std::optional<std::vector<Value>> path_; // of the state; made when first needed
    Terms::Rebuilt as_content_;              // terms over the data at hand
    std::vector<Value> all_;
};

} // namespace espalier::sym
