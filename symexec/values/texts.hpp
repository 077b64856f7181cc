// Strings and symbols, and primitives that take constants only.
//
// Equality and length of symbolic strings are exact; where the characters matter, a string must be known, or one of
// few.
#pragma once

#include <span>
#include <vector>

#include "symexec/values/collections.hpp"

namespace espalier::sym {

class Texts {
public:
    Texts(Context& context, SymbolicValues& values, Sequences& sequences)
        : context_(context), terms_(context.terms), values_(values), few_(values.few), sequences_(sequences) {}
    Value compute(State& s, Prim prim, std::span<const Value> args);
    // Of what has few values, or is known by now, each is taken by itself. An operand in the store is a mistake of the
    // author, which the concrete meaning names; so is one that is of the wrong kind whatever its value.
    Value of_constants(State& s, Prim prim, std::vector<Value> operands);

private:
    Value list_of_constants(State& s, Prim prim, Value list);
    Value constant_bytes(State& s, Value bytevector);

    Context& context_;
    Terms& terms_;
    SymbolicValues& values_;
    FewValues& few_;
    Sequences& sequences_;
};

} // namespace espalier::sym
