// Lists of numbers, one for each key below a bound, side by side in one vector.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace espalier::flow {

class Lists {
public:
    Lists() = default;
    // `each(add)` calls add(key, member) for every member; it is called twice. Members keep that order.
    template <typename Each>
    Lists(size_t keys, const Each& each) : first_(keys + 1, 0) {
        each([&](uint32_t key, uint32_t) { ++first_[key + 1]; });
        for (size_t k = 0; k < keys; ++k) first_[k + 1] += first_[k];
        members_.resize(first_.back());
        std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
        each([&](uint32_t key, uint32_t member) { members_[next[key]++] = member; });
    }
    std::span<const uint32_t> operator[](uint32_t key) const {
        return {members_.data() + first_[key], members_.data() + first_[key + 1]};
    }

private:
    std::vector<uint32_t> first_, members_;
};

} // namespace espalier::flow
