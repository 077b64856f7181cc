// What the text of a program says before anything is analysed, as tables.
#pragma once

#include <cstdint>
#include <vector>

#include "flowanalysis/shape/clauses.hpp"
#include "flowanalysis/shape/lists.hpp"
#include "flowanalysis/shape/uses.hpp"
#include "lang/lang.hpp"

namespace espalier::flow {

struct Shape {
    explicit Shape(const Program& program);

    Lists jumps;        // by block: the blocks that jump to it with arguments
    Lists predecessors; // by block: the blocks that go on to it, in ascending order
    Lists writers;      // by λ: its blocks that write mutable content, in ascending order
    Uses uses;
    Clauses clauses;
    std::vector<LambdaId> jump_sites; // by label: the procedure without parameters that a tail call there goes to,
                                      // where the text says which; such calls share a variant, see VariantId
    std::vector<int64_t> integers;    // in the text, sorted, with their neighbours
};

} // namespace espalier::flow
