// Computing with constants: where the operands of a primitive are a few constants each, its concrete meaning is applied
// to all combinations of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flowanalysis/evaluate/literals.hpp"
#include "flowanalysis/state/context.hpp"

namespace espalier::flow {

class Folding {
public:
    Folding(Context& context, Literals& literals);
    // What the primitive gives on these operands; nothing where they are not a few constants.
    std::optional<ValueId> fold(Prim prim, std::span<const ValueId> operands);
    // What the primitive says of operands that are one constant each, where it always fails; else empty.
    std::string complaint(Prim prim, std::span<const ValueId> operands);

private:
    std::optional<std::vector<Value>> constants(Prim prim, ValueId v);
    std::optional<ValueId> applied(Prim prim, std::span<const Value> operands);

    const Program& program_;
    Domain& domain_;
    Literals& literals_;
    Heap scratch_{Heap::Lifetime::immortal};
};

} // namespace espalier::flow
