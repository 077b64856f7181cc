// The persistent store: what a state's mutable objects hold.
//
// A 32-way trie of cells, shared between forked states: copying a store is copying a pointer, a write copies the nodes
// on the way to its cell where another state shares them, and writes in place where none does. So forking costs the
// same for a small and a large state. Addresses are handed out in order and never reused on a path.
//
// Objects are runs of cells. A box is one cell, for only the λ-IR's box operations see it; others begin with a header:
//   vector, bytevector, record   header, elements or fields
//   channel                      header, front list, back list reversed (a queue of two immutable lists), number
//   timer                        header, state, deadline, early?
//   table                        header, entries in use, live entries, block, capacity; see table.cpp
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "lang/lang.hpp"

namespace espalier::sym {

class Store {
public:
    Store() = default;
    Store(const Store& other) : root_(other.root_), height_(other.height_), size_(other.size_) {
        if (root_ != nullptr) ++root_->refs;
    }
    Store(Store&& other) noexcept
        : root_(std::exchange(other.root_, nullptr)), height_(std::exchange(other.height_, 0)),
          size_(std::exchange(other.size_, 0)) {}
    Store& operator=(Store other) noexcept {
        std::swap(root_, other.root_);
        std::swap(height_, other.height_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Store() { release(root_, height_); }

    uint32_t size() const { return size_; }
    // `count` new cells; the address of the first.
    uint32_t allocate(uint32_t count, Value fill);

    Value get(uint32_t address) const {
        const Node* node = root_;
        for (uint32_t shift = bits * height_; shift > 0; shift -= bits) node = node->child[(address >> shift) & mask];
        return node->cell[address & mask];
    }
    void set(uint32_t address, Value v) {
        Node** at = &root_;
        for (uint32_t shift = bits * height_;; shift -= bits) {
            if ((*at)->refs > 1) *at = copy(*at, shift == 0);
            if (shift == 0) break;
            at = &(*at)->child[(address >> shift) & mask];
        }
        (*at)->cell[address & mask] = v;
    }

    // Marks the objects in all cells; nodes seen in this round already are skipped.
    void mark(Marker& marker, uint32_t round) const { mark(root_, height_, marker, round); }
    static size_t nodes_alive();
    static constexpr size_t node_bytes = 8 + 32 * 8;

private:
    static constexpr uint32_t bits = 5, fanout = 32, mask = 31;
    struct Node {
        uint32_t refs;
        uint32_t round;
        union {
            Node* child[fanout];
            Value cell[fanout];
        };
        Node() {}
    };
    static Node* copy(Node* node, bool leaf);
    static Node* make_node();
    static void release(Node* node, uint32_t height);
    static void mark(Node* node, uint32_t height, Marker& marker, uint32_t round);
    void grow_to(uint32_t size, Value fill);

    Node* root_ = nullptr;
    uint32_t height_ = 0; // levels above the leaves
    uint32_t size_ = 0;
};

// A box's address says that it is one: its cell has no header.
inline constexpr uint64_t box_bit = 8;
inline Value box_at(uint32_t address) { return Value::from_bits(Value::address(address).bits() | box_bit); }
inline bool is_box(Value v) { return v.is_address() && (v.bits() & box_bit) != 0; }

enum class Kind : uint8_t { vector, bytevector, record, channel, timer, table };
// A header is a small integer: the kind, then the number of elements or the record's id.
inline Value header(Kind kind, uint32_t n) { return Value::fixnum(int64_t{n} << 4 | static_cast<int64_t>(kind)); }
inline Kind kind_of(Value header) { return static_cast<Kind>(header.as_fixnum() & 15); }
inline uint32_t number_of(Value header) { return static_cast<uint32_t>(header.as_fixnum() >> 4); }
inline bool is_kind(const Store& store, Value v, Kind kind) {
    return v.is_address() && kind_of(store.get(v.payload())) == kind;
}

} // namespace espalier::sym
