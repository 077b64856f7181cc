#include "flowanalysis/state/worklist.hpp"

#include <algorithm>
#include <functional>

namespace espalier::flow {

void Worklist::reach(Slot slot) {
    BlockState& block = variants_[slot];
    VariantState& v = variants_[block.variant];
    block.reached = true;
    v.reached = std::max(v.reached, index(slot) - index(v.first_slot) + 1);
    mark(slot);
}

void Worklist::mark(Slot slot) {
    BlockState& block = variants_[slot];
    ++marked_;
    if (!block.reached || block.dirty) return;
    block.dirty = true;
    VariantState& v = variants_[block.variant];
    const uint32_t b = index(slot) - index(v.first_slot);
    if (block.variant == running_ && slot > at_) {
        round_.push_back(b);
        std::push_heap(round_.begin(), round_.end(), std::greater<>());
        return;
    }
    v.pending.push_back(b);
    if (!v.queued) {
        v.queued = true;
        queue_.push_back(block.variant);
    }
}

void Worklist::mark(std::span<const Slot> slots) {
    for (const Slot slot : slots) mark(slot);
}

std::optional<Slot> Worklist::take() {
    if (round_.empty() && !begin_round()) return std::nullopt;
    std::pop_heap(round_.begin(), round_.end(), std::greater<>());
    at_ = Slot{index(variants_[running_].first_slot) + round_.back()};
    round_.pop_back();
    variants_[at_].dirty = false;
    ++taken_;
    return at_;
}

// Another round of the running variant, or the first one of the variant that has waited longest.
bool Worklist::begin_round() {
    if (running_ != no_variant && variants_[running_].pending.empty()) {
        variants_[running_].queued = false;
        running_ = no_variant;
    }
    if (running_ == no_variant) {
        if (queue_.empty()) return false;
        running_ = queue_.front();
        queue_.pop_front();
    }
    std::swap(round_, variants_[running_].pending);
    std::make_heap(round_.begin(), round_.end(), std::greater<>());
    return true;
}

} // namespace espalier::flow
