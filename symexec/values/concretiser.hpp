// A path's inputs, concrete again: what becomes of them in a test.
#pragma once

#include <optional>
#include <vector>

#include "symexec/values/symbolic_values.hpp"
#include "symexec/values/test_step.hpp"

namespace espalier::sym {

class Concretiser {
public:
    Concretiser(Context& context, SymbolicValues& values)
        : terms_(context.terms), fresh_(values.fresh), inputs_(values.inputs) {}
    // A value of the path under a solution, made in `heap`: as the tester sends it.
    Value concretise(const State& state, Value v, const Assignment& model, Heap& heap) const;
    // Inputs of a message that the path compared with fresh values: where they stand, and how it went.
    std::vector<FreshUse> fresh_uses(const State& state, Value v) const;
    // Every variable of the path's inputs and conditions, in order.
    std::vector<Value> variables(const State& state) const;

private:
    std::optional<Value> concretise_leaf(const State& state, Value& v, const Assignment& model, Heap& heap) const;
    Value concrete_bytes(Value sent, const Assignment& model, Heap& heap) const;
    Value as_looked_into(const State& s, Value v) const;

    Terms& terms_;
    const FreshValues& fresh_;
    const Inputs& inputs_;
};

} // namespace espalier::sym
