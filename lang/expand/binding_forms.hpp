// The forms of Scheme that bind and assign names: let and its kind, do, set!.
#pragma once

#include "lang/expand/part.hpp"

namespace espalier {

// The names of let-values and define-values. With a rest, the last name takes a list of the values that are left.
struct Formals {
    std::vector<DatumId> names;
    bool rest = false;
};

class BindingForms : Part {
public:
    explicit BindingForms(Expansion& all) : Part(all) {}

    CoreId expand(Form form, DatumId d, const Context& ctx); // of FormGroup::binding
    std::optional<Formals> value_names(DatumId formals) const;
    // The i-th of `count` names bound to the values in `packed`.
    CoreId unpack(LocalId packed, uint32_t i, uint32_t count, bool rest, Span span);

private:
    using Parts = std::span<const DatumId>;
    struct Bindings { // ((name init) …)
        std::vector<DatumId> names, inits;
    };
    struct ValuesRow { // ((name …) init)
        LocalId packed;
        CoreId init;
        std::vector<LocalId> locals;
        bool rest;
    };
    struct Loop { // (do ((name init step) …) …)
        std::vector<DatumId> names, steps;
        std::vector<LocalId> locals;
        std::vector<CoreId> inits;
    };
    std::optional<Bindings> bindings(DatumId d);
    CoreId expand_let(DatumId d, Form form, const Context& ctx);
    CoreId parallel_let(const Bindings& bound, Parts body, bool recursive, Span span, const Context& ctx);
    CoreId sequential_let(const Bindings& bound, Parts body, Span span, const Context& ctx);
    CoreId expand_named_let(DatumId d, Parts parts, const Context& ctx);
    CoreId expand_do(DatumId d, const Context& ctx);
    CoreId do_bindings(Parts specs, Loop& loop, const Context& ctx); // no_core: nothing is wrong
    CoreId assign(const Binding& b, DatumId name, CoreId value, Span span);
    CoreId not_assignable(const Binding& b, DatumId name);
    CoreId expand_set(DatumId d, const Context& ctx);
    CoreId expand_let_values(DatumId d, bool sequential, const Context& ctx);
    CoreId bind_values(const ValuesRow& row, CoreId body, Span span);
    CoreId expand_let_syntax(DatumId d, bool recursive, const Context& ctx);
};

} // namespace espalier
