// Finds numbered things by their hash: an open table with linear probing. Each slot holds a thing's number and half of
// its hash, so that looking for one mostly touches one line of memory; things are never taken out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier {

class HashIndex {
public:
    static constexpr uint32_t none = UINT32_MAX;

    // The first thing of that hash for which `is_it` holds.
    template <typename IsIt>
    uint32_t find(uint64_t hash, IsIt is_it) const {
        for (size_t at = hash & mask();; at = (at + 1) & mask()) {
            const Slot slot = slots_[at];
            if (slot.number == none) return none;
            if (slot.half == half_of(hash) && is_it(slot.number)) return slot.number;
        }
    }
    // Things are numbered from 0, as they are added.
    void add(uint64_t hash) {
        if ((hashes_.size() + 1) * 2 > slots_.size()) grow();
        put(hash, static_cast<uint32_t>(hashes_.size()));
        hashes_.push_back(hash);
    }

private:
    struct Slot {
        uint32_t half = 0, number = none;
    };
    static uint32_t half_of(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }
    size_t mask() const { return slots_.size() - 1; }
    void put(uint64_t hash, uint32_t number) {
        size_t at = hash & mask();
        while (slots_[at].number != none) at = (at + 1) & mask();
        slots_[at] = {half_of(hash), number};
    }
    void grow() {
        slots_.assign(slots_.size() * 2, Slot{});
        for (uint32_t number = 0; number < hashes_.size(); ++number) put(hashes_[number], number);
    }

    std::vector<Slot> slots_ = std::vector<Slot>(2048);
    std::vector<uint64_t> hashes_; // by number, for a larger table
};

} // namespace espalier
