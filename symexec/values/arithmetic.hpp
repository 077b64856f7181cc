// Arithmetic on symbolic numbers, and operations on their bits.
//
// Bits with a constant mask are sums and quotients, which the solver knows. Bits of two symbolic integers are terms of
// their own, where both are bounded.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>

#include "symexec/values/symbolic_values.hpp"

namespace espalier::sym {

class Arithmetic {
public:
    Arithmetic(Context& context, SymbolicValues& values)
        : context_(context), program_(context.program), terms_(context.terms), values_(values),
          decider_(values.decider), few_(values.few) {}
    Value compute(State& s, Prim prim, Value a, Value b);
    // The greatest r with r² ≤ v, as an input of its own that the path binds to v. Nothing: the path cannot be.
    std::optional<Value> square_root(State& s, Value v);

private:
    Value divided(State& s, Prim prim, Value a, Value b);
    Value bits(State& s, Prim prim, Value a, Value b);
    Value shifted(State& s, Value a, Value by);
    std::optional<Value> bits_of_two(State& s, Prim prim, Value a, Value b);
    Value masked(Prim prim, Value x, Value mask);
    Value ones(Value x, Value mask);

    Context& context_;
    const Program& program_;
    Terms& terms_;
    SymbolicValues& values_;
    Decider& decider_;
    FewValues& few_;
    std::unordered_map<uint32_t, std::pair<Value, Value>> masked_; // by term: what it is the exclusive or of
};

} // namespace espalier::sym
