// What the searches of oracles v1 and v2 share: the helper structures of Lahola 2010, section 5.3.
#pragma once

#include <cstddef>
#include <functional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "pda/pda.hpp"

namespace espalier::pda {

// What is being searched for: any path within the limit, as the thesis asks ("true" or "false"), or a
// shortest one. The searches take the shortest item first, but find targets inside calls in no particular
// order; for a shortest path they go on after each find, with a limit below it.
enum class Wanted : uint8_t { any, shortest };

// ⟨v, S, n⟩. A search only ever pops frames of the stack it started from, so a frame stands for the stack
// below it.
struct Item {
    NodeId node;
    const PendingCall* stack;
    Distance length;
};

struct Longer {
    bool operator()(const Item& a, const Item& b) const { return a.length > b.length; }
};

// A priority queue with the path length as the key.
class Worklist {
public:
    void put(const Item& item) { queue_.push(item); }
    bool empty() const { return queue_.empty(); }
    Item take() {
        const Item item = queue_.top();
        queue_.pop();
        return item;
    }

private:
    std::priority_queue<Item, std::vector<Item>, Longer> queue_;
};

// The lengths at which nodes, with their stacks, have been met.
class Visited {
public:
    // UpdateVisited: is this the first or a shorter path to the node?
    bool update(NodeId node, const PendingCall* stack, Distance length) {
        const auto [found, is_new] = lengths_.try_emplace(Key{node, stack}, length);
        if (is_new) return true;
        if (found->second <= length) return false;
        found->second = length;
        return true;
    }
    void clear() { lengths_.clear(); }

private:
    struct Key {
        NodeId node;
        const PendingCall* stack;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Hash {
        size_t operator()(const Key& key) const {
            return std::hash<const void*>{}(key.stack) * 31 + size_t{raw(key.node)} * 0x9e3779b97f4a7c15U;
        }
    };
    std::unordered_map<Key, Distance, Hash> lengths_;
};

} // namespace espalier::pda
