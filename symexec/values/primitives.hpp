// The symbolic meaning of each primitive.
//
// Operands without symbolic parts and outside the store take the concrete meaning. What the solver layer cannot express
// ends the path, under the primitive's name.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "symexec/values/arithmetic.hpp"
#include "symexec/values/texts.hpp"

namespace espalier::sym {

class Primitives {
public:
    Primitives(Context& context, SymbolicValues& values)
        : context_(context), terms_(context.terms), heap_(context.heap), values_(values), arithmetic_(context, values),
          sequences_(context, values), tables_(context, values), texts_(context, values, sequences_) {}
    // Nothing: the path cannot be.
    std::optional<Value> compute(State& s, Prim prim, std::span<const Value> args);

private:
    std::optional<Value> symbolic(State& s, Prim prim, std::span<const Value> args);
    Value of_two_numbers(State& s, Prim prim, Value a, Value b);
    std::optional<Value> of_number(State& s, Prim prim, std::span<const Value> args);
    Value part_of_pair(State& s, Prim prim, Value pair);
    Value list_to_values(State& s, Value list);
    Value make_channel(State& s);
    Value make_timer(State& s, bool early);
    Value is_of_kind(State& s, Prim prim, Value v);
    std::string error_text(std::span<const Value> args);

    Context& context_;
    Terms& terms_;
    Heap& heap_;
    SymbolicValues& values_;
    Arithmetic arithmetic_;
    Sequences sequences_;
    Tables tables_;
    Texts texts_;
};

} // namespace espalier::sym
