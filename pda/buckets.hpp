// A priority queue of nodes for shortest paths with small integer lengths.
//
// Dial's buckets (R. B. Dial, Algorithm 360, CACM 12(11), 1969): a list for each length, taken in order, O(1)
// for each operation. Searches are capped at a small bound, so a few lists do. A limit given by hand may be a
// billion: lengths beyond the lists go to a heap, so that memory does not depend on the limit.
#pragma once

#include <algorithm>
#include <optional>
#include <queue>
#include <vector>

#include "pda/pda.hpp"

namespace espalier::pda {

class Buckets {
public:
    struct Entry {
        Distance length;
        NodeId node;
    };

    explicit Buckets(Distance limit) : near_(size_t{std::min(limit, nearest - 1)} + 1) {}

    // Not shorter than the entry taken last, unless the queue has run empty since.
    void push(Distance length, NodeId node) {
        if (length < near_.size())
            near_[length].push_back(node);
        else
            far_.push({length, node});
    }

    // The shortest entry; none where the queue is empty.
    std::optional<Entry> take() {
        for (; level_ < near_.size(); ++level_) {
            if (near_[level_].empty()) continue;
            const NodeId node = near_[level_].back();
            near_[level_].pop_back();
            return Entry{static_cast<Distance>(level_), node};
        }
        if (far_.empty()) {
            level_ = 0;
            return std::nullopt;
        }
        const Entry entry = far_.top();
        far_.pop();
        return entry;
    }

private:
    static constexpr Distance nearest = 256;
    struct Longer {
        bool operator()(const Entry& a, const Entry& b) const { return a.length > b.length; }
    };
    std::vector<std::vector<NodeId>> near_;
    size_t level_ = 0;
    std::priority_queue<Entry, std::vector<Entry>, Longer> far_;
};

} // namespace espalier::pda
