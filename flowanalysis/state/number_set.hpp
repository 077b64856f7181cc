// A set of numbers that only grows: an open table with linear probing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace espalier::flow {

class NumberSet {
public:
    // False: it was there already. UINT64_MAX is no number of a set.
    bool insert(uint64_t number) {
        if (2 * (size_ + 1) > slots_.size()) grow();
        if (!put(number)) return false;
        ++size_;
        return true;
    }

private:
    static constexpr uint64_t none = UINT64_MAX;
    bool put(uint64_t number) {
        const uint64_t mixed = number * 0x9E3779B97F4A7C15U;
        for (size_t at = mixed >> 32 & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at] == number) return false;
            if (slots_[at] != none) continue;
            slots_[at] = number;
            return true;
        }
    }
    void grow() {
        const std::vector<uint64_t> old = std::exchange(slots_, std::vector<uint64_t>(2 * slots_.size(), none));
        for (const uint64_t number : old)
            if (number != none) put(number);
    }

    std::vector<uint64_t> slots_ = std::vector<uint64_t>(1024, none);
    size_t size_ = 0;
};

} // namespace espalier::flow
