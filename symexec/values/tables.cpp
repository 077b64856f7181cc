// Hash tables:
//
//   a      header        a+3   block: capacity × (key, value), then 2·capacity slots (entry + 1, or 0)
//   a+1    entries used  a+4   capacity
//   a+2    live entries  a+5   is some key not plain?
#include "symexec/values/collections.hpp"

#include "symexec/state/parts_once.hpp"

namespace espalier::sym {

namespace {

constexpr uint32_t used_at = 1, live_at = 2, block_at = 3, capacity_at = 4, symbolic_at = 5, size_of_table = 6;

uint32_t number_at(const State& s, uint32_t a) { return static_cast<uint32_t>(s.store.get(a).as_fixnum()); }

// Does equal? on it depend on nothing but the word and what hangs from it?
bool is_plain_key(const State& s, Value v) {
    if (v.is_fixnum()) return true;
    PartsOnce parts(v);
    while (parts.next(v))
        if (v.is_term() || is_kind(s.store, v, Kind::vector) || is_kind(s.store, v, Kind::bytevector)) return false;
    return true;
}

// The slot that holds the key, or the free one where it would go. A capacity is a power of two; the hash of a small
// integer is a product, whose lower bits know little of it.
struct Slot {
    uint32_t at;
    uint32_t entry; // that it holds, by its number from 1; 0: the slot is free
};
Slot find_slot(const State& s, uint32_t block, uint32_t capacity, Value key) {
    const uint32_t slots = 2 * capacity, first = block + 2 * capacity;
    const uint64_t hash = equal_hash(key);
    for (auto i = static_cast<uint32_t>(hash ^ hash >> 32);; ++i) {
        const uint32_t slot = first + (i & (slots - 1));
        const uint32_t entry = number_at(s, slot);
        if (entry == 0) return {slot, 0};
        const Value there = s.store.get(block + 2 * (entry - 1));
        if (!there.is_unbound() && equal(there, key)) return {slot, entry};
    }
}

void append(State& s, uint32_t a, Value key, Value value, bool plain) {
    const uint32_t block = number_at(s, a + block_at), used = number_at(s, a + used_at);
    if (plain) s.store.set(find_slot(s, block, number_at(s, a + capacity_at), key).at, Value::fixnum(used + 1));
    s.store.set(block + 2 * used, key);
    s.store.set(block + 2 * used + 1, value);
    s.store.set(a + used_at, Value::fixnum(used + 1));
    s.store.set(a + live_at, Value::fixnum(number_at(s, a + live_at) + 1));
}

void rebuild(State& s, uint32_t a) {
    const uint32_t old = number_at(s, a + block_at), used = number_at(s, a + used_at);
    uint32_t capacity = 8;
    while (capacity < 2 * number_at(s, a + live_at)) capacity *= 2;
    const uint32_t block = s.store.allocate(2 * capacity, Value::unbound());
    s.store.allocate(2 * capacity, Value::fixnum(0));
    s.store.set(a + block_at, Value::fixnum(block));
    s.store.set(a + capacity_at, Value::fixnum(capacity));
    s.store.set(a + used_at, Value::fixnum(0));
    s.store.set(a + live_at, Value::fixnum(0));
    for (uint32_t i = 0; i < used; ++i) {
        const Value key = s.store.get(old + 2 * i), value = s.store.get(old + 2 * i + 1);
        s.store.set(old + 2 * i, Value::unbound()); // so that nothing is kept alive by it
        s.store.set(old + 2 * i + 1, Value::unbound());
        if (!key.is_unbound()) append(s, a, key, value, is_plain_key(s, key));
    }
}

} // namespace

Value Tables::of_whole(State& s, Prim prim, uint32_t a) {
    const uint32_t block = number_at(s, a + block_at), used = number_at(s, a + used_at);
    const auto list = [&](uint32_t part) {
        Value all = Value::null();
        for (uint32_t i = used; i-- > 0;)
            if (!s.store.get(block + 2 * i).is_unbound()) all = heap_.cons(s.store.get(block + 2 * i + part), all);
        return all;
    };
    if (prim == Prim::hash_table_count) return s.store.get(a + live_at);
    if (prim == Prim::hash_table_keys) return list(0);
    if (prim == Prim::hash_table_values) return list(1);
    for (uint32_t i = 0; i < 2 * used; ++i) s.store.set(block + i, Value::unbound()); // hash-table-clear!
    for (uint32_t field : {used_at, live_at, block_at, capacity_at}) s.store.set(a + field, Value::fixnum(0));
    s.store.set(a + symbolic_at, Value::boolean(false));
    return Value::unspecified();
}

// The key's entry, by its number from 1; 0: it has none.
uint32_t Tables::find(State& s, uint32_t a, uint32_t block, Value key, bool plain) {
    const uint32_t used = number_at(s, a + used_at);
    if (used == 0) return 0;
    if (plain && s.store.get(a + symbolic_at).is_false())
        return find_slot(s, block, number_at(s, a + capacity_at), key).entry;
    for (uint32_t i = 0; i < used; ++i) {
        const Value there = s.store.get(block + 2 * i);
        if (!there.is_unbound() && decider_.decide(s, equality_.condition(s, key, there, true))) return i + 1;
    }
    return 0;
}

Value Tables::compute(State& s, Prim prim, std::span<const Value> args) {
    if (prim == Prim::make_hash_table) {
        const uint32_t a = s.store.allocate(size_of_table, Value::fixnum(0));
        s.store.set(a, header(Kind::table, 0));
        s.store.set(a + symbolic_at, Value::boolean(false));
        return Value::address(a);
    }
    if (!is_kind(s.store, args[0], Kind::table))
        throw Fault{author_name(prim) + ": " + describe(program_, s, args[0]) + " is not a hash table"};
    const uint32_t a = args[0].payload();
    if (prim == Prim::hash_table_count || prim == Prim::hash_table_keys || prim == Prim::hash_table_values ||
        prim == Prim::hash_table_clear)
        return of_whole(s, prim, a);
    const Value key = decider_.forced(s, args[1]);
    const bool plain = is_plain_key(s, key);
    const uint32_t block = number_at(s, a + block_at);
    const uint32_t entry = find(s, a, block, key, plain);
    const uint32_t at = block + 2 * (entry - 1);
    if (prim == Prim::hash_table_ref) return entry == 0 ? args[2] : s.store.get(at + 1);
    if (prim == Prim::hash_table_contains) return Value::boolean(entry != 0);
    if (prim == Prim::hash_table_delete) {
        if (entry == 0) return Value::unspecified();
        s.store.set(at, Value::unbound());
        s.store.set(at + 1, Value::unbound());
        s.store.set(a + live_at, Value::fixnum(number_at(s, a + live_at) - 1));
        return Value::unspecified();
    }
    if (entry != 0) { // hash-table-set!
        s.store.set(at + 1, args[2]);
        return Value::unspecified();
    }
    if (number_at(s, a + used_at) == number_at(s, a + capacity_at)) rebuild(s, a);
    if (!plain) s.store.set(a + symbolic_at, Value::boolean(true));
    append(s, a, key, args[2], plain);
    return Value::unspecified();
}

} // namespace espalier::sym
