// Errors in the automaton: operations that fail on every run are targets, and those that may fail are told with the
// node before them.
#pragma once

#include <optional>
#include <vector>

#include "flowanalysis/automaton/building.hpp"
#include "flowanalysis/errors/mistakes.hpp"

namespace espalier::flow {

class ErrorNodes {
public:
    explicit ErrorNodes(Building& building);
    // Of the block that was just evaluated: does it always end with a model error at an operation that is not there for
    // that? Not by a number that is too large, nor by a global before its definition: those are not `fallible`.
    static bool fails(const Outcome& outcome, const std::optional<Mistake>& mistake) {
        return mistake && outcome.ends_fallible();
    }
    // The node of such an end, which is a target.
    pda::NodeId add_failing(const Block& block, BlockId id, const Outcome& outcome);
    void note(const Block& block, BlockId id, const Outcome& outcome); // a block that has its nodes
    void finish();                                                     // when all are noted

private:
    // A wait that only another thread can end.
    struct Deadlock {
        VariantId variant;
        FlowTables::Fallible at;
    };
    void note_fallible(const Block& block, BlockId id, const Outcome& outcome);
    void note_callees(const Block& block, const Outcome& outcome);
    void note_deadlock(const Block& block, BlockId id, const Outcome& outcome);

    Building& b_;
    const Program& program_;
    std::vector<Deadlock> deadlocks_;
    std::vector<std::vector<VariantId>> callees_; // by variant
    std::vector<VariantId> spawned_;              // not as services
};

} // namespace espalier::flow
