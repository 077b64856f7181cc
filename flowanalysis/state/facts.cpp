// Big-endian Patricia trees with counted references; see facts.hpp. A tree of given keys has one shape only, and is
// never deeper than a key is long.
#include "flowanalysis/state/facts.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace espalier::flow {

struct FactMap::Node {
    mutable uint32_t references = 1;
    uint32_t earliest;  // last use of any fact below
    uint64_t bit;       // that tells the children apart; 0: a leaf
    uint64_t prefix;    // of all keys below: their bits above that one; of a leaf, its key
    const Node* low{};  // the keys without the bit
    const Node* high{}; // and with it
    Fact fact{};

    bool is_leaf() const { return bit == 0; }
    bool covers(uint64_t key) const { return (key & ~(bit | (bit - 1))) == prefix; }
};

namespace {

using Node = FactMap::Node;

thread_local uint64_t steps_taken = 0;

const Node* kept(const Node* n) {
    if (n != nullptr) ++n->references;
    return n;
}

void release(const Node* n) {
    if (n == nullptr || --n->references > 0) return;
    if (!n->is_leaf()) {
        release(n->low);
        release(n->high);
    }
    delete n;
}

// The functions below take a node that they only look at, and give one that the caller owns.

const Node* leaf(const Fact& fact) {
    const uint64_t key = fact.key.packed();
    return new Node{.earliest = fact.last, .bit = 0, .prefix = key, .fact = fact};
}

const Node* branch(uint64_t bit, const Node* low, const Node* high) {
    if (low == nullptr || high == nullptr) return low == nullptr ? high : low;
    return new Node{.earliest = std::min(low->earliest, high->earliest),
                    .bit = bit,
                    .prefix = low->prefix & ~(bit | (bit - 1)),
                    .low = low,
                    .high = high};
}

// The same branch with other children.
const Node* changed(const Node* n, const Node* low, const Node* high) {
    if (low != n->low || high != n->high) return branch(n->bit, low, high);
    release(low);
    release(high);
    return kept(n);
}

const Node* insert(const Node* n, const Fact& fact) {
    ++steps_taken;
    if (n == nullptr) return leaf(fact);
    const uint64_t key = fact.key.packed();
    if (n->is_leaf() && n->prefix == key) return n->fact == fact ? kept(n) : leaf(fact);
    if (!n->is_leaf() && n->covers(key))
        return (key & n->bit) != 0 ? changed(n, kept(n->low), insert(n->high, fact))
                                   : changed(n, insert(n->low, fact), kept(n->high));
    const uint64_t bit = std::bit_floor(key ^ n->prefix);
    return (key & bit) != 0 ? branch(bit, kept(n), leaf(fact)) : branch(bit, leaf(fact), kept(n));
}

const Node* expired(const Node* n, uint32_t block) {
    ++steps_taken;
    if (n == nullptr || n->earliest >= block) return kept(n);
    if (n->is_leaf()) return nullptr;
    const Node* low = expired(n->low, block);
    return changed(n, low, expired(n->high, block));
}

template <typename Left>
const Node* mapped(const Node* n, const Left& left) {
    ++steps_taken;
    if (n == nullptr) return nullptr;
    if (n->is_leaf()) {
        const std::optional<Fact> rest = left(n->fact);
        if (!rest) return nullptr;
        return *rest == n->fact ? kept(n) : leaf(*rest);
    }
    const Node* low = mapped(n->low, left);
    return changed(n, low, mapped(n->high, left));
}

// `other` has keys of n's range only.
template <typename Left>
const Node* weakened(const Node* n, const Node* other, const Left& left) {
    ++steps_taken;
    if (n == other) return kept(n);
    if (n == nullptr || other == nullptr) return mapped(n, left);
    // Down the other one, to where it has the range of this one.
    while (!other->is_leaf() && other->bit > n->bit && other->covers(n->prefix))
        other = (n->prefix & other->bit) != 0 ? other->high : other->low;
    if (n == other) return kept(n);
    if (n->is_leaf() || !n->covers(other->prefix)) return mapped(n, left);
    const bool same = n->bit == other->bit;
    const bool in_high = (other->prefix & n->bit) != 0;
    const Node* low = weakened(n->low, same ? other->low : in_high ? nullptr : other, left);
    return changed(n, low, weakened(n->high, same ? other->high : in_high ? other : nullptr, left));
}

bool equal(const Node* a, const Node* b) {
    ++steps_taken;
    if (a == b) return true;
    if (a == nullptr || b == nullptr || a->bit != b->bit || a->prefix != b->prefix || a->earliest != b->earliest)
        return false;
    return a->is_leaf() ? a->fact == b->fact : equal(a->low, b->low) && equal(a->high, b->high);
}

} // namespace

uint64_t FactMap::steps() { return steps_taken; }

FactMap::FactMap(const FactMap& other) : root_(kept(other.root_)) {}

FactMap::~FactMap() { release(root_); }

const Fact* FactMap::find(const Key& key) const {
    const uint64_t packed = key.packed();
    const Node* n = root_;
    while (n != nullptr && !n->is_leaf()) n = (packed & n->bit) != 0 ? n->high : n->low;
    return n != nullptr && n->prefix == packed ? &n->fact : nullptr;
}

void FactMap::set(const Fact& fact) {
    assert(fact.key.field < 1U << 29 && "a field's number fits");
    release(std::exchange(root_, insert(root_, fact)));
}

void FactMap::expire(uint32_t block) {
    if (root_ != nullptr && root_->earliest < block) release(std::exchange(root_, expired(root_, block)));
}

void FactMap::erase_if(const std::function<bool(const Fact&)>& predicate) {
    const auto left = [&](const Fact& f) { return predicate(f) ? std::nullopt : std::optional(f); };
    release(std::exchange(root_, mapped(root_, left)));
}

void FactMap::visit_unlike(const FactMap& other, const std::function<void(const Fact&)>& each) const {
    const auto keep = [&](const Fact& f) {
        each(f);
        return std::optional(f);
    };
    const FactMap there = other; // which `each` may change
    release(weakened(root_, there.root_, keep));
}

void FactMap::weaken(const FactMap& other, const std::function<std::optional<Fact>(const Fact&)>& left) {
    release(std::exchange(root_, weakened(root_, other.root_, left)));
}

bool operator==(const FactMap& a, const FactMap& b) { return equal(a.root_, b.root_); }

} // namespace espalier::flow
