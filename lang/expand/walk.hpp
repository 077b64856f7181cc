// The walk over data: finds out what each datum is, and has the part that knows its form expand it.
#pragma once

#include "lang/expand/part.hpp"

namespace espalier {

class Walk : Part {
public:
    explicit Walk(Expansion& all) : Part(all) {}

    CoreId expand(DatumId d, const Context& ctx);
    CoreId expand_sequence(std::span<const DatumId> forms, const Context& ctx, Span span);

private:
    CoreId expand_inner(DatumId d, const Context& ctx);
    CoreId expand_identifier(DatumId d, const Context& ctx);
    CoreId unknown(DatumId name, const Context& ctx);
    CoreId expand_form(Form form, DatumId d, const Context& ctx);
    CoreId misplaced(Form form, DatumId d); // a form that is no expression
};

} // namespace espalier
