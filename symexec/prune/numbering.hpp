// Numbers for things, in the order in which they are met. It begins anew for each portrait, and that costs nothing.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace espalier::sym {

class Numbering {
public:
    void begin() {
        ++round_;
        count_ = 0;
    }
    // The number of a thing; true: it is met for the first time.
    std::pair<uint32_t, bool> number_of(uint64_t thing) {
        if (2 * size_t{count_} >= slots_.size()) grow();
        Slot& slot = slot_of(thing);
        if (slot.round == round_) return {slot.number, false};
        slot = {thing, count_, round_};
        return {count_++, true};
    }

private:
    struct Slot {
        uint64_t thing = 0;
        uint32_t number = 0, round = 0; // the round that it was met in; older ones are free
    };
    Slot& slot_of(uint64_t thing) {
        const size_t mask = slots_.size() - 1;
        size_t at = (thing ^ (thing >> 32)) * 0x9E3779B97F4A7C15U >> 20 & mask;
        while (slots_[at].round == round_ && slots_[at].thing != thing) at = (at + 1) & mask;
        return slots_[at];
    }
    void grow() {
        const std::vector<Slot> before =
            std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 256 : slots_.size() * 2));
        for (const Slot& s : before)
            if (s.round == round_) slot_of(s.thing) = s;
    }

    std::vector<Slot> slots_; // their count is a power of two
    uint32_t count_ = 0, round_ = 0;
};

} // namespace espalier::sym
