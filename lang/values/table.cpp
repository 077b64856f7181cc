// Linear probing over 32-bit slots that name entries. Rebuilding closes the gaps in the entries and drops the
// deleted slots, so both stay below half of what is live.
#include "lang/values/table.hpp"

#include <bit>

#include "lang/values/equality.hpp"

namespace espalier {
namespace {

constexpr size_t least_slots = 8;

uint64_t hash_of(Value key) {
    if (key.is_object()) return equal_hash(key);
    const uint64_t h = key.bits() * 0x9E3779B97F4A7C15U;
    return h ^ (h >> 32);
}

// The hashes are equal. Words that are no objects are equal only when they are the same.
bool same_key(Value a, Value b) { return a == b || (a.is_object() && b.is_object() && equal(a, b)); }

} // namespace

size_t HashTable::slot_of(Value key, uint64_t hash) const {
    if (slots_.empty()) return npos;
    const size_t mask = slots_.size() - 1;
    for (size_t s = hash & mask; slots_[s] != empty_slot; s = (s + 1) & mask) {
        if (slots_[s] == deleted_slot) continue;
        const Entry& e = entries_[slots_[s] - first_entry];
        if (e.hash == hash && same_key(e.key, key)) return s;
    }
    return npos;
}

const Value* HashTable::find(Value key) const {
    const size_t s = slot_of(key, hash_of(key));
    return s == npos ? nullptr : &entries_[slots_[s] - first_entry].value;
}

void HashTable::set(Heap& heap, Value key, Value value) {
    const uint64_t hash = hash_of(key);
    if (const size_t s = slot_of(key, hash); s != npos) {
        entries_[slots_[s] - first_entry].value = value;
        return;
    }
    if ((used_slots_ + 1) * 4 > slots_.size() * 3) {
        const size_t before = external_bytes();
        rebuild(std::max(least_slots, std::bit_ceil((live_ + 1) * 2)));
        heap.note_external(static_cast<int64_t>(external_bytes()) - static_cast<int64_t>(before));
    }
    const size_t mask = slots_.size() - 1;
    size_t s = hash & mask;
    while (slots_[s] > deleted_slot) s = (s + 1) & mask;
    if (slots_[s] == empty_slot) ++used_slots_;
    slots_[s] = static_cast<uint32_t>(entries_.size()) + first_entry;
    entries_.push_back({key, value, hash});
    heap.note_external(sizeof(Entry));
    ++live_;
}

bool HashTable::erase(Value key) {
    const size_t s = slot_of(key, hash_of(key));
    if (s == npos) return false;
    Entry& e = entries_[slots_[s] - first_entry];
    e.key = Value::unbound();
    e.value = Value::unspecified();
    slots_[s] = deleted_slot;
    --live_;
    if (live_ * 2 + least_slots < entries_.size()) rebuild(std::max(least_slots, std::bit_ceil(live_ * 2)));
    return true;
}

void HashTable::clear() {
    entries_.clear();
    slots_.clear();
    live_ = 0;
    used_slots_ = 0;
}

void HashTable::rebuild(size_t capacity) {
    std::erase_if(entries_, [](const Entry& e) { return !e.live(); });
    slots_.assign(capacity, empty_slot);
    const size_t mask = capacity - 1;
    for (size_t i = 0; i < entries_.size(); ++i) {
        size_t s = entries_[i].hash & mask;
        while (slots_[s] != empty_slot) s = (s + 1) & mask;
        slots_[s] = static_cast<uint32_t>(i) + first_entry;
    }
    used_slots_ = entries_.size();
}

size_t HashTable::external_bytes() const {
    return entries_.capacity() * sizeof(Entry) + slots_.capacity() * sizeof(uint32_t);
}

} // namespace espalier
