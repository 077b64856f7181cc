// Bodies: definitions and expressions in one scope, as a letrec*.
#pragma once

#include "lang/expand/part.hpp"

namespace espalier {

// (define name value) or (define (name parameter …) body …)
struct Definition {
    DatumId name;
    DatumId value;
    bool procedure;
    DatumId params;
    std::vector<DatumId> body;
};

class Bodies : Part {
public:
    explicit Bodies(Expansion& all) : Part(all) {}

    CoreId expand(std::span<const DatumId> forms, const Context& ctx, Span span);
    std::optional<Definition> parse_define(DatumId d);
    std::optional<DatumId> machine_name(DatumId d); // of (define-machine (name parameter …) …)
};

} // namespace espalier
