// Waits: read, receive and select, each a core form with one clause for each trigger.
#pragma once

#include "lang/expand/part.hpp"

namespace espalier {

class Waits : Part {
public:
    explicit Waits(Expansion& all) : Part(all) {}

    CoreId expand(Form form, DatumId d, const Context& ctx); // of FormGroup::wait
    CoreId select(std::vector<CoreClause> clauses, Span span);
    void warn_shadowed(std::span<const CoreClause> clauses); // by earlier ones, so that they are never taken

private:
    CoreId expand_read(DatumId d, const Context& ctx);
    CoreId expand_receive(DatumId d, const Context& ctx);
    CoreId expand_select(DatumId d, const Context& ctx);
    CoreClause else_clause(DatumId d);
    CoreId wait_for_one(CoreClause clause, DatumId place); // its value is the message
};

} // namespace espalier
