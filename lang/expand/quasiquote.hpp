// Quasiquotation (R7RS 4.2.8). Parts without an unquote stay constants.
#pragma once

#include "lang/expand/part.hpp"

namespace espalier {

class Quasiquote : Part {
public:
    Quasiquote(Expansion& all, const Context& ctx) : Part(all), ctx_(ctx.not_tail()) {}

    CoreId expand(DatumId tmpl, int depth = 1); // depth: quasiquotes around it, less the unquotes

private:
    struct Item {
        CoreId value;
        bool spliced;
    };
    CoreId vector(DatumId d, int depth);
    CoreId list(DatumId d, int depth);
    std::optional<CoreId> tail(DatumId tail, int depth, Span at); // (unquote x) and its kind, as the rest of a list
    Item item(DatumId d, int depth);
    CoreId make_pair(CoreId a, CoreId b, Span at);
    CoreId prelude(std::string_view name, Span at);
    bool is_constant(CoreId id) const;
    Value value_of(CoreId id) const;

    const Context ctx_;
};

} // namespace espalier
