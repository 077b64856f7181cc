// Hash tables that remember the order of insertion.
//
// Entries stand in a vector, in order; an index of open addressing finds them. Deleting leaves a gap in the
// entries, closed when gaps outnumber the rest, so order costs nothing on the common path and iteration is a
// walk over memory. Keys compare with equal?. Replacing a value keeps its key's place.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/values/heap.hpp"

namespace espalier {

struct HashTable : Object {
    struct Entry {
        Value key; // unbound: a gap
        Value value;
        uint64_t hash;
        bool live() const { return !key.is_unbound(); }
    };

    size_t size() const { return live_; }
    const Value* find(Value key) const; // its value, or null
    void set(Heap& heap, Value key, Value value);
    bool erase(Value key); // was it there?
    void clear();
    const std::vector<Entry>& entries() const { return entries_; } // in order, gaps included
    size_t external_bytes() const;

private:
    static constexpr uint32_t empty_slot = 0;
    static constexpr uint32_t deleted_slot = 1;
    static constexpr uint32_t first_entry = 2; // slot s ≥ 2 is entry s − 2

    size_t slot_of(Value key, uint64_t hash) const; // npos where it is not there
    void rebuild(size_t capacity);
    static constexpr size_t npos = SIZE_MAX;

    std::vector<Entry> entries_;
    std::vector<uint32_t> slots_; // a power of two of them, or none yet
    size_t live_ = 0;
    size_t used_slots_ = 0; // that are not empty
};

inline HashTable& as_hash_table(Value v) { return *static_cast<HashTable*>(v.as_object()); }

HashTable* make_hash_table(Heap& heap);

} // namespace espalier
