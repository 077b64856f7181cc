// Heap objects and their collector.
//
// Mark and sweep, objects never move. Allocation never collects: an engine calls `collect_if_due` where all
// its live values are in places it can enumerate (the interpreter: at calls, so every loop passes one), and
// so primitives in C++ need no rooting at all. Sweeping is lazy, block by block, in the allocator.
//
//   Heap heap;
//   Value list = heap.cons(Value::fixnum(1), Value::null());
//   if (heap.due()) heap.collect(roots);       // roots.mark_roots(marker) calls marker.mark(list)
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/values/value.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace espalier {

enum class LambdaId : uint32_t {};
enum class RecordId : uint32_t {};
enum class MessageId : uint32_t {};
enum class TypeId : uint32_t {};

enum class ObjectType : uint8_t {
    free, // a cell of a block that holds nothing
    pair,
    bignum,
    rational,
    string,
    vector,
    bytevector,
    closure,
    box,
    record,
    message,
    hash_table,
    channel,
    timer,
    values,
    fresh,
};

struct Object {
    ObjectType type;
    uint8_t mark;   // owned by the heap
    uint16_t flags; // by type, see below
    uint32_t count; // of elements, where the type has a variable number
};

// Set on what a program's text denotes: lives as long as the program, and may not be changed.
inline constexpr uint16_t literal_flag = 1;
inline constexpr uint16_t wide_flag = 2; // strings: four bytes a character, not one

struct Pair : Object {
    Value car, cdr;
};
struct Box : Object {
    Value content;
};
struct Vector : Object {
    Value elements[1];
}; // `count` of them
struct Bytevector : Object {
    uint8_t bytes[1];
}; // `count` of them
struct Values : Object {
    Value elements[1];
}; // what (values a b …) returns; never of count 1
struct Closure : Object {
    LambdaId lambda;
    uint32_t unused;
    Value captures[1];
};
struct Record : Object {
    RecordId record;
    uint32_t unused;
    Value fields[1];
};
struct Message : Object {
    MessageId message;
    uint32_t unused;
    Value fields[1];
};
// Latin-1 or, with wide_flag, UTF-32; `count` characters. Immutable. Wide only where some character needs it,
// so that equal strings have equal bytes.
struct String : Object {
    const uint8_t* narrow() const { return reinterpret_cast<const uint8_t*>(this + 1); }
    const char32_t* wide() const { return reinterpret_cast<const char32_t*>(this + 1); }
    bool is_wide() const { return (flags & wide_flag) != 0; }
    char32_t at(uint32_t i) const { return is_wide() ? wide()[i] : narrow()[i]; }
};
// The fresh values that a run took to differ, two by two, by their numbers, the smaller one first: those that it
// compared, and each that (fresh type list) made with those in the list.
using FreshPairs = std::set<std::pair<uint32_t, uint32_t>>;
// A value that the system under test chooses: opaque, equal to itself only. See `(fresh type)`.
struct Fresh : Object { // `count`: its number; binding name "x<count>"
    TypeId of;
    uint32_t distinct_from_all; // made by (fresh type), without a list
    Value differs_from;         // the list, else ()
    FreshPairs* told_apart;     // of the run that made it, where they are asked for; else null
};

struct Bignum;    // number.cpp: a Boost.Multiprecision integer
struct Rational;  // number.cpp: a Boost.Multiprecision rational
struct HashTable; // table.hpp
struct Channel;   // channel.hpp
struct Timer;     // channel.hpp

class Marker;

// Something that holds values between collections.
class RootSet {
public:
    virtual ~RootSet() = default;
    virtual void mark_roots(Marker& marker) = 0;
};

class Heap {
public:
    enum class Lifetime { collected, immortal }; // immortal: a program's literals
    explicit Heap(Lifetime lifetime = Lifetime::collected);
    ~Heap();
    Heap(const Heap&) = delete;
    Heap& operator=(const Heap&) = delete;

    // `bytes` includes the header; the rest is uninitialised. Never collects.
    Object* allocate(ObjectType type, size_t bytes, uint32_t count) {
        Object* o;
        if (bytes <= largest_cell) [[likely]] {
            const size_t size_class = class_of(bytes);
            FreeCell* cell = free_lists_[size_class];
            if (cell == nullptr) [[unlikely]]
                cell = refill(size_class);
            reveal(cell, bytes);
            free_lists_[size_class] = cell->next;
            o = cell;
        } else {
            o = allocate_large(bytes);
        }
        o->type = type;
        o->mark = new_mark_;
        o->flags = new_flags_;
        o->count = count;
        return o;
    }

    Value cons(Value car, Value cdr) {
        auto* p = static_cast<Pair*>(allocate(ObjectType::pair, sizeof(Pair), 0));
        p->car = car;
        p->cdr = cdr;
        return Value::object(p);
    }
    Value box(Value content);
    Value vector(size_t count, Value fill);
    Value vector(std::span<const Value> elements);
    Value bytevector(std::span<const uint8_t> bytes);
    Value values(std::span<const Value> elements); // one element: itself
    Value list(std::span<const Value> elements, Value tail = Value::null());
    Closure* closure(LambdaId lambda, size_t captures); // captures uninitialised
    Record* record(RecordId record, size_t fields);
    Message* message(MessageId message, size_t fields);
    Value string(std::string_view utf8);
    Value string(std::u32string_view text);
    String* string(size_t count, bool wide); // content uninitialised

    // Memory held outside the cells (big numbers, tables, queues), so that collections come in time.
    void note_external(int64_t bytes) { since_collection_ += bytes > 0 ? static_cast<size_t>(bytes) : 0; }

    bool due() const { return since_collection_ >= threshold_; }
    void collect_if_due(RootSet& roots) {
        if (due()) [[unlikely]]
            collect(roots);
    }
    void collect(RootSet& roots); // of an immortal heap: does nothing
    // Live at the last collection, and handed to the allocator since, a block at a time.
    size_t live_bytes() const { return live_bytes_ + since_collection_; }
    size_t reserved_bytes() const; // of blocks and large objects: what the process holds for this heap
    size_t collections() const { return collections_; }
    uint32_t next_channel_id() { return ++channels_; }
    uint32_t next_timer_id() { return ++timers_; }

private:
    friend class Marker;
    struct FreeCell : Object {
        FreeCell* next;
    };
    struct Space;
    static constexpr size_t class_count = 32; // cells of 16, 24, … bytes; larger ones stand alone
    static constexpr size_t smallest_cell = 16;
    static constexpr size_t largest_cell = smallest_cell + 8 * (class_count - 1);
    static constexpr uint8_t immortal_mark = 255;
    static constexpr size_t class_of(size_t bytes) {
        return bytes <= smallest_cell ? 0 : (bytes - smallest_cell + 7) / 8;
    }
    static constexpr size_t cell_size(size_t size_class) { return smallest_cell + 8 * size_class; }
    // AddressSanitizer sees a cell as unreadable while it is free.
    static void reveal([[maybe_unused]] void* cell, [[maybe_unused]] size_t bytes) {
#ifdef __SANITIZE_ADDRESS__
        ASAN_UNPOISON_MEMORY_REGION(cell, bytes);
#endif
    }

    FreeCell* refill(size_t size_class);
    Object* allocate_large(size_t bytes);
    size_t sweep_block(std::byte* block, size_t size_class, FreeCell*& head);
    void sweep_rest();
    void sweep_large();
    void destroy(Object* object);

    FreeCell* free_lists_[class_count] = {};
    // What new objects carry. An object is live when its mark is that of the last collection (or immortal); a
    // mark that changes with each collection saves clearing them all.
    uint8_t new_mark_;
    uint16_t new_flags_;
    size_t since_collection_ = 0;
    size_t threshold_;
    std::unique_ptr<Space> space_;
    size_t live_bytes_ = 0;
    size_t collections_ = 0;
    uint32_t channels_ = 0;
    uint32_t timers_ = 0;
};

class Marker {
public:
    void mark(Value value) {
        if (!value.is_object()) return;
        Object* object = value.as_object();
        assert(object->type != ObjectType::free && "a root holds an object that an earlier collection freed");
        if (object->mark == live_ || object->mark == Heap::immortal_mark) return;
        object->mark = live_;
        pending_.push_back(object);
    }
    void mark(std::span<const Value> values) {
        for (Value v : values) mark(v);
    }

private:
    friend class Heap;
    explicit Marker(uint8_t live) : live_(live) {}
    void drain();
    void trace(Object* object);
    uint8_t live_;
    size_t bytes_ = 0;             // of what was marked
    std::vector<Object*> pending_; // marked, but not what they refer to
};

inline bool is_type(Value v, ObjectType type) { return v.is_object() && v.as_object()->type == type; }
inline bool is_pair(Value v) { return is_type(v, ObjectType::pair); }
inline Pair& as_pair(Value v) { return *static_cast<Pair*>(v.as_object()); }
inline Vector& as_vector(Value v) { return *static_cast<Vector*>(v.as_object()); }
inline Closure& as_closure(Value v) { return *static_cast<Closure*>(v.as_object()); }
inline String& as_string(Value v) { return *static_cast<String*>(v.as_object()); }
inline Box& as_box(Value v) { return *static_cast<Box*>(v.as_object()); }
inline Record& as_record(Value v) { return *static_cast<Record*>(v.as_object()); }
inline Message& as_message(Value v) { return *static_cast<Message*>(v.as_object()); }
inline Bytevector& as_bytevector(Value v) { return *static_cast<Bytevector*>(v.as_object()); }

} // namespace espalier
