// The worklist: which blocks must be evaluated, and in which order.
//
// Control reaches a slot, or something that its block looked at has grown: then the slot is marked. A variant whose
// slots are marked waits in a queue. When its turn comes, its marked blocks are evaluated in rounds, each in
// topological order, so that one round sees every change that an earlier block makes. What concerns earlier blocks (a
// clause that refuses, a call of itself) waits for the next round: it comes together.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "flowanalysis/state/variants.hpp"

namespace espalier::flow {

class Worklist {
public:
    explicit Worklist(Variants& variants) : variants_(variants) {}
    void reach(Slot slot); // control gets there
    void mark(Slot slot);  // its block must be evaluated again, if control gets there at all
    void mark(std::span<const Slot> slots);
    // The next slot to evaluate; nothing: this is the fixpoint.
    std::optional<Slot> take();

    bool is_fixpoint() const { return running_ == no_variant; } // `take` has given nothing
    uint64_t taken() const { return taken_; }
    uint64_t marked() const { return marked_; }

private:
    bool begin_round();

    Variants& variants_;
    std::deque<VariantId> queue_;
    VariantId running_ = no_variant; // the variant of the slot that was taken last
    Slot at_{};                      // that slot
    std::vector<uint32_t> round_;    // blocks of the running variant that are still to come: a heap, the first on top
    uint64_t taken_ = 0;
    uint64_t marked_ = 0;
};

} // namespace espalier::flow
