// eqv? and equal? of values that may be symbolic, and whether a value belongs to a type: as conditions.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "symexec/values/fractions.hpp"

namespace espalier::sym {

// Of a vector or bytevector, in the store or in the program's text; nothing where v is none.
std::optional<std::vector<Value>> elements(const State& s, Value v, Kind kind);

class Equality {
public:
    Equality(Context& context, Decider& decider, FreshValues& fresh, Fractions& fractions)
        : context_(context), terms_(context.terms), decider_(decider), fresh_(fresh), fractions_(fractions) {}
    // `deep`: equal?, else eqv?.
    Value condition(State& s, Value a, Value b, bool deep);
    bool belongs(State& s, TypeId type, Value v);

private:
    Value of_term(State& s, Value a, Value b, bool deep);
    Value belongs_condition(State& s, TypeId type, Value v);
    Value belongs_list(State& s, const type::ListOf& type, Value v);
    Value belongs_term(State& s, TypeId type, Value v);

    Context& context_;
    Terms& terms_;
    Decider& decider_;
    FreshValues& fresh_;
    Fractions& fractions_;
};

} // namespace espalier::sym
