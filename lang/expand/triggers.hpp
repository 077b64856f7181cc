// Triggers: what a clause of a select or of a machine waits for, and the `where` behind it.
#pragma once

#include "lang/expand/part.hpp"

namespace espalier {

class Triggers : Part {
public:
    explicit Triggers(Expansion& all) : Part(all) {}

    // Fills in source, filter, bindings and tests of a clause from its trigger, then from a `where` at the front of
    // `rest`, which it removes. Returns the scope that the body is to be expanded in, or null after an error.
    Scope* parse(DatumId trigger, std::span<const DatumId>& rest, const Context& ctx, CoreClause& clause);
    bool parse_where(std::span<const DatumId>& rest, const Context& ctx, CoreClause& clause); // false: an error

private:
    using Parts = std::span<const DatumId>;
    bool parse_time(DatumId trigger, Parts parts, bool timer, const Context& ctx, CoreClause& clause);
    bool parse_message(DatumId trigger, Parts parts, Scope* scope, const Context& ctx, CoreClause& clause);
    bool is_word(DatumId d, std::string_view word, const Context& ctx) const; // and not a name of the author's
    bool says_unknown(DatumId source, const Context& ctx);                    // true: it is, an error was said
    bool parse_pattern(DatumId pattern, const Context& ctx, CoreClause& clause, Scope* scope);
    bool parse_field(DatumId field, uint32_t i, const Context& ctx, CoreClause& clause, Scope* scope);
    void wrong_count(DatumId pattern, const MessageDef& def, size_t count);
    void bind_in_pattern(DatumId name, LocalId local, Scope* scope, const Context& ctx);
};

} // namespace espalier
