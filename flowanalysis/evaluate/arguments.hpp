// Arguments of a call, from variables or from a list, and back to the list that a rest parameter takes.
#pragma once

#include <span>
#include <vector>

#include "flowanalysis/evaluate/knowledge.hpp"
#include "flowanalysis/state/memory.hpp"

namespace espalier::flow {

// Arguments: what stands at each of the first positions, what stands at all later ones, and where they may end.
struct Spread {
    std::vector<ValueId> elements;
    ValueId more = bottom;
    std::vector<bool> may_end; // after that many elements; beyond: where `more` is not bottom
    friend bool operator==(const Spread&, const Spread&) = default;
    bool may_end_after(size_t count) const { return count < may_end.size() ? may_end[count] : more != bottom; }
};

class Arguments {
public:
    Arguments(Context& context, Memory& memory, Knowledge& knowledge)
        : domain_(context.domain), memory_(memory), knowledge_(knowledge) {}
    Spread spread(std::span<const VarId> args, bool last_is_list);
    void spread_list(ValueId list, Spread& into);
    // The arguments from a position on, as the list that a rest parameter takes.
    ValueId list_of(const Spread& args, size_t from, Label label);

private:
    Domain& domain_;
    Memory& memory_;
    Knowledge& knowledge_;
};

} // namespace espalier::flow
