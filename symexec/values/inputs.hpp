// Inputs: symbolic values of each type of the language.
//
// A number, truth value, symbol or string is a variable. What has parts, or a choice of shapes, is lazy: it is looked
// into only where the model does (decider.hpp).
#pragma once

#include <optional>
#include <vector>

#include "symexec/values/context.hpp"

namespace espalier::sym {

class Inputs {
public:
    explicit Inputs(Context& context);
    Value symbolic(State& s, TypeId type, uint32_t depth);
    Value symbolic_message(State& s, MessageId message, uint32_t depth);
    Value new_lazy(State& s, TypeId type, uint32_t bound);
    Value new_byte(State& s) { return new_variable(s, byte_); }
    Value new_natural(State& s) { return new_variable(s, natural_); }
    // What a value that no path looked into may as well be: the smallest of its type.
    Value fallback(TypeId type, Heap& heap, uint32_t depth) const;

private:
    Value new_variable(State& s, DomainId domain);
    DomainId domain_of(TypeId type);
    // Is there a value of the type that no condition of a message's definition speaks of?
    bool has_fallback(TypeId type, uint32_t depth) const;
    bool has_fallback(MessageId message, uint32_t depth) const;

    const Program& program_;
    Terms& terms_;
    Heap& heap_;
    std::vector<std::optional<DomainId>> domains_; // by type
    DomainId byte_, natural_;
};

} // namespace espalier::sym
