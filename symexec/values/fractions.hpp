// Fractions that arise from inputs: n/d with d > 0 on this path, and never an integer.
//
// Whether a quotient comes out even is decided where it is made, so what is left is known to be no integer: `integer?`
// is false of it, no index, no value of an integer type, and equal to no integer. Comparisons multiply out, so the
// solver sees integers only, and everything stays exact.
#pragma once

#include <utility>

#include "symexec/values/few_values.hpp"

namespace espalier::sym {

// Numerator and denominator of any number.
std::pair<Value, Value> as_fraction(Terms& terms, Value v);

class Fractions {
public:
    Fractions(Context& context, Decider& decider, FewValues& few)
        : program_(context.program), terms_(context.terms), decider_(decider), few_(few) {}
    Value make(State& s, Value n, Value d); // n/d, for d that is not zero
    // Of two numbers, one of them a fraction.
    Value arithmetic(State& s, Prim prim, Value a, Value b);
    Value rounded(State& s, Prim prim, Value v);

private:
    Value in_lowest_terms(State& s, Prim prim, Value n, Value d);

    const Program& program_;
    Terms& terms_;
    Decider& decider_;
    FewValues& few_;
};

} // namespace espalier::sym
