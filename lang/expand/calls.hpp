// Calls. A call of a primitive, of what a record or message definition gives, or of a prelude procedure that comes down
// to primitives becomes operations; everything else stays a call.
#pragma once

#include "lang/expand/part.hpp"
#include "lang/names/names.hpp"

namespace espalier {

class Calls : Part {
public:
    explicit Calls(Expansion& all) : Part(all) {}

    CoreId expand(DatumId d, const Context& ctx);
    // The procedure that an operator is as a value, made once and kept with the prelude's definitions.
    CoreId operator_value(uint32_t op, Span span);

private:
    CoreId apply_operator(uint32_t op, std::vector<CoreId> args, Span span);
    CoreId wrong_count(const Operator& op, size_t count, Span span);
    CoreId make_record(const Operator& op, std::span<const CoreId> args, Span span);
    CoreId make_message(const Operator& op, std::span<const CoreId> args, Span span);
    GlobalId define_procedure(uint32_t op);
};

// A call of a prelude procedure as operations, where it comes down to some: (+ a b c), (list a b), (cadr x) …
std::optional<CoreId> integrate(CoreProgram& program, CoreBuilder& core, std::string_view name,
                                std::span<const CoreId> args, Span span);

} // namespace espalier
