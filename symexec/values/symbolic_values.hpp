// What operations on symbolic values are made of: each part with a job of its own, and none that knows a later one.
#pragma once

#include "symexec/values/equality.hpp"

namespace espalier::sym {

struct SymbolicValues {
    explicit SymbolicValues(Context& context)
        : fresh(context), inputs(context), decider(context, inputs), few(context, decider, fresh),
          fractions(context, decider, few), equality(context, decider, fresh, fractions) {}
    SymbolicValues(const SymbolicValues&) = delete;
    SymbolicValues& operator=(const SymbolicValues&) = delete;

    FreshValues fresh;
    Inputs inputs;
    Decider decider;
    FewValues few;
    Fractions fractions;
    Equality equality;

    Value forced(State& s, Value v) { return decider.forced(s, v); }
    Value resolved(State& s, Value v) { return fresh.resolved(s, decider.forced(s, v)); }
};

} // namespace espalier::sym
