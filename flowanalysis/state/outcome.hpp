// What a block does, as far as the analysis can tell.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

#include "flowanalysis/domain/objects.hpp"

namespace espalier::flow {

// Variants in the order in which they were found, each once.
class VariantSet {
public:
    void add(VariantId v);
    void clear();
    bool empty() const { return all_.empty(); }
    auto begin() const { return all_.begin(); }
    auto end() const { return all_.end(); }

private:
    std::vector<VariantId> all_;
    std::unordered_set<uint32_t> members_; // once they are many
};

// What a clause of a select may wait for, in one variant.
struct ClauseOutcome {
    bool live = false;         // its test can be reached
    bool from_outside = false; // the source may be a port, or is a timer
    bool from_channel = false; // the source may be a channel
};

struct Outcome {
    uint32_t completed = 0;          // operations; all of them where the terminator is reached
    bool terminates = false;         // the terminator is reached
    std::vector<BlockId> successors; // of jumps, branches, choices, accepts; a call's return block where it returns
    VariantSet callees;              // of the terminator
    std::vector<std::pair<uint32_t, VariantId>> spawns; // by position of the operation
    std::vector<std::pair<uint32_t, ObjectId>> sends;   // channels, by position of the operation
    std::vector<uint32_t> excluded;                     // positions of marks whose condition cannot hold
    std::vector<ClauseOutcome> clauses;                 // of a select
    VariantSet demands;                                 // predicates on messages that the tester may send here
    // Positions of operations that may end in a model error. The position after the last operation is the terminator's.
    std::vector<uint32_t> fallible;

    void clear();
    // May the operation, or terminator, at which control ends here end the run with a model error?
    bool ends_fallible() const { return !fallible.empty() && fallible.back() == completed; }
};

} // namespace espalier::flow
