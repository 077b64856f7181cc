// Hygienic macros: syntax-rules as R7RS 4.3.2 has them, with nested ellipses, tail patterns after an ellipsis, vector
// patterns, literals, (... ...) and a custom ellipsis.
#pragma once

#include "lang/expand/part.hpp"
#include "lang/names/names.hpp"

namespace espalier {

class Macros : Part {
public:
    explicit Macros(Expansion& all) : Part(all) {}

    void define_syntax(DatumId d, Scope* scope);
    std::optional<Macro> parse_syntax_rules(DatumId spec, Symbol name, Scope* scope);
    DatumId expand(const Macro& macro, DatumId use, Scope* scope);
    DatumId expand_head(DatumId form, Scope* scope); // macro uses at its head, until it is none

private:
    bool parse_rules(std::span<const DatumId> rules, Macro& macro);
};

} // namespace espalier
