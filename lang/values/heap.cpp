// The collector. Small objects live in cells of equal size within blocks of 32 KB; a collection only marks,
// and each block is swept when the allocator next wants a cell of its size. What the allocator did not get to
// before the next collection is swept then, and blocks found empty serve any size, or go back to the system.
#include "lang/values/heap.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "lang/values/channel.hpp"
#include "lang/values/number.hpp"
#include "lang/values/table.hpp"

namespace espalier {
namespace {

constexpr size_t page = 4096;
constexpr size_t block_bytes = 32 * 1024;
constexpr size_t chunk_bytes = 32 * block_bytes;
// Bytes between two collections, at least. From 16 to 64 MB, garbage beside little that lives costs about the
// same; a growing list costs more with 16, where the whole of it is marked more often.
constexpr size_t least_threshold = 32 * 1024 * 1024;
// Empty blocks kept at hand; the memory of others goes back to the system.
constexpr size_t spare_blocks = least_threshold / block_bytes;

void hide([[maybe_unused]] void* memory, [[maybe_unused]] size_t bytes) {
#ifdef __SANITIZE_ADDRESS__
    ASAN_POISON_MEMORY_REGION(memory, bytes);
#endif
}

constexpr size_t bytes_with(size_t fixed, size_t elements, size_t each) { return fixed + elements * each; }

size_t bytes_of(const Object* o) {
    switch (o->type) {
    case ObjectType::free: return 0;
    case ObjectType::pair: return sizeof(Pair);
    case ObjectType::bignum:
    case ObjectType::rational: return 40 + number::external_bytes(o);
    case ObjectType::string: return bytes_with(sizeof(String), o->count, (o->flags & wide_flag) != 0 ? 4 : 1);
    case ObjectType::vector:
    case ObjectType::values: return bytes_with(sizeof(Object), o->count, sizeof(Value));
    case ObjectType::bytevector: return bytes_with(sizeof(Object), o->count, 1);
    case ObjectType::closure:
    case ObjectType::record:
    case ObjectType::message: return bytes_with(sizeof(Object) + 8, o->count, sizeof(Value));
    case ObjectType::box: return sizeof(Box);
    case ObjectType::hash_table: return sizeof(HashTable) + static_cast<const HashTable*>(o)->external_bytes();
    case ObjectType::channel: return sizeof(Channel) + static_cast<const Channel*>(o)->external_bytes();
    case ObjectType::timer: return sizeof(Timer);
    case ObjectType::fresh: return sizeof(Fresh);
    }
    return 0;
}

bool owns_memory(ObjectType type) {
    return type == ObjectType::bignum || type == ObjectType::rational || type == ObjectType::hash_table ||
           type == ObjectType::channel;
}

} // namespace

struct Heap::Space {
    struct SizeClass {
        std::vector<std::byte*> blocks;
        size_t next = 0; // the first block not swept since the last collection
    };
    struct Large {
        Object* object;
        size_t bytes;
    };
    SizeClass classes[class_count];
    std::vector<Large> large;
    std::vector<std::byte*> spare;    // empty blocks with memory behind them
    std::vector<std::byte*> returned; // empty blocks whose memory the system has back
    std::vector<std::byte*> chunks;   // what the blocks are cut from
    size_t large_bytes = 0;

    std::byte* take_block() {
        if (spare.empty() && returned.empty()) {
            auto* chunk = static_cast<std::byte*>(::operator new (chunk_bytes, std::align_val_t{page}));
            hide(chunk, chunk_bytes);
            chunks.push_back(chunk);
            for (size_t at = chunk_bytes; at > 0; at -= block_bytes) returned.push_back(chunk + at - block_bytes);
        }
        std::vector<std::byte*>& from = spare.empty() ? returned : spare;
        std::byte* block = from.back();
        from.pop_back();
        return block;
    }
    void give_back(std::byte* block) {
        hide(block, block_bytes);
        if (spare.size() < spare_blocks) {
            spare.push_back(block);
            return;
        }
        madvise(block, block_bytes, MADV_DONTNEED);
        returned.push_back(block);
    }
};

Heap::Heap(Lifetime lifetime)
    : new_mark_(lifetime == Lifetime::immortal ? immortal_mark : 1),
      new_flags_(lifetime == Lifetime::immortal ? literal_flag : 0),
      threshold_(lifetime == Lifetime::immortal ? SIZE_MAX : least_threshold), space_(std::make_unique<Space>()) {}

Heap::~Heap() {
    for (size_t c = 0; c < class_count; ++c) {
        for (std::byte* block : space_->classes[c].blocks) {
            for (size_t i = 0; i < block_bytes / cell_size(c); ++i) {
                auto* o = reinterpret_cast<Object*>(block + i * cell_size(c));
                if (owns_memory(o->type)) destroy(o);
            }
        }
    }
    for (const Space::Large& l : space_->large) {
        destroy(l.object);
        ::operator delete(l.object);
    }
    for (std::byte* chunk : space_->chunks) {
        reveal(chunk, chunk_bytes);
        ::operator delete (chunk, std::align_val_t{page});
    }
}

// ── Allocation
// ──────────────────────────────────────────────────────────────────────────────────────────────────

Heap::FreeCell* Heap::refill(size_t size_class) {
    Space::SizeClass& c = space_->classes[size_class];
    const size_t size = cell_size(size_class);
    FreeCell* head = nullptr;
    while (c.next < c.blocks.size()) {
        const size_t cells = sweep_block(c.blocks[c.next++], size_class, head);
        since_collection_ += cells * size;
        if (cells > 0) return head;
    }
    std::byte* block = space_->take_block();
    for (size_t i = 0; i < block_bytes / size; ++i) {
        auto* cell = reinterpret_cast<Object*>(block + i * size);
        reveal(cell, sizeof(FreeCell));
        cell->type = ObjectType::free;
    }
    c.blocks.push_back(block);
    c.next = c.blocks.size();
    since_collection_ += sweep_block(block, size_class, head) * size;
    return head;
}

Object* Heap::allocate_large(size_t bytes) {
    auto* o = static_cast<Object*>(::operator new(bytes));
    space_->large.push_back({o, bytes});
    space_->large_bytes += bytes;
    since_collection_ += bytes;
    return o;
}

size_t Heap::reserved_bytes() const {
    return space_->chunks.size() * chunk_bytes - space_->returned.size() * block_bytes + space_->large_bytes;
}

// ── Sweeping
// ────────────────────────────────────────────────────────────────────────────────────────────────────

void Heap::destroy(Object* o) {
    switch (o->type) {
    case ObjectType::bignum:
    case ObjectType::rational: number::destroy(o); break;
    case ObjectType::hash_table: static_cast<HashTable*>(o)->~HashTable(); break;
    case ObjectType::channel: static_cast<Channel*>(o)->~Channel(); break;
    default: break;
    }
}

// Chains the block's dead and free cells, in order of address; how many they are.
size_t Heap::sweep_block(std::byte* block, size_t size_class, FreeCell*& head) {
    const size_t size = cell_size(size_class);
    const std::byte* end = block + block_bytes / size * size;
    size_t cells = 0;
    FreeCell** link = &head;
    for (std::byte* at = block; at != end; at += size) {
        auto* o = reinterpret_cast<Object*>(at);
        if (o->type != ObjectType::free) {
            if (o->mark == new_mark_ || o->mark == immortal_mark) continue;
            if (owns_memory(o->type)) destroy(o);
            o->type = ObjectType::free;
        }
        auto* cell = static_cast<FreeCell*>(o);
        hide(at + sizeof(FreeCell), size - sizeof(FreeCell));
        *link = cell;
        link = &cell->next;
        ++cells;
    }
    *link = nullptr;
    return cells;
}

// What the allocator did not need since the last collection, so that no memory stays behind after a peak.
void Heap::sweep_rest() {
    for (size_t size_class = 0; size_class < class_count; ++size_class) {
        Space::SizeClass& c = space_->classes[size_class];
        const size_t all = block_bytes / cell_size(size_class);
        auto keep = c.blocks.begin() + static_cast<std::ptrdiff_t>(c.next);
        for (auto block = keep; block != c.blocks.end(); ++block) {
            FreeCell* ignored = nullptr;
            if (sweep_block(*block, size_class, ignored) < all)
                *keep++ = *block;
            else
                space_->give_back(*block);
        }
        c.blocks.erase(keep, c.blocks.end());
    }
}

void Heap::sweep_large() {
    std::erase_if(space_->large, [this](const Space::Large& l) {
        if (l.object->mark == new_mark_) return false;
        destroy(l.object);
        space_->large_bytes -= l.bytes;
        ::operator delete(l.object);
        return true;
    });
}

// ── Marking
// ─────────────────────────────────────────────────────────────────────────────────────────────────────

void Heap::collect(RootSet& roots) {
    if (new_mark_ == immortal_mark) return;
    sweep_rest();
    new_mark_ = new_mark_ % 2 + 1;
    Marker marker(new_mark_);
    roots.mark_roots(marker);
    marker.drain();
    for (size_t c = 0; c < class_count; ++c) {
        space_->classes[c].next = 0;
        free_lists_[c] = nullptr;
    }
    sweep_large();
    live_bytes_ = marker.bytes_;
    since_collection_ = 0;
    threshold_ = std::max(least_threshold, live_bytes_);
    ++collections_;
}

void Marker::drain() {
    while (!pending_.empty()) {
        Object* o = pending_.back();
        pending_.pop_back();
        trace(o);
    }
}

void Marker::trace(Object* o) {
    bytes_ += bytes_of(o);
    switch (o->type) {
    case ObjectType::free:
    case ObjectType::bignum:
    case ObjectType::rational:
    case ObjectType::string:
    case ObjectType::bytevector: break;
    case ObjectType::timer: mark(static_cast<Timer*>(o)->deadline); break;
    case ObjectType::pair:
        mark(static_cast<Pair*>(o)->cdr);
        mark(static_cast<Pair*>(o)->car);
        break;
    case ObjectType::vector: mark({static_cast<Vector*>(o)->elements, o->count}); break;
    case ObjectType::values: mark({static_cast<Values*>(o)->elements, o->count}); break;
    case ObjectType::closure: mark({static_cast<Closure*>(o)->captures, o->count}); break;
    case ObjectType::record: mark({static_cast<Record*>(o)->fields, o->count}); break;
    case ObjectType::message: mark({static_cast<Message*>(o)->fields, o->count}); break;
    case ObjectType::box: mark(static_cast<Box*>(o)->content); break;
    case ObjectType::hash_table:
        for (const HashTable::Entry& e : static_cast<HashTable*>(o)->entries()) {
            mark(e.key);
            mark(e.value);
        }
        break;
    case ObjectType::channel: mark(static_cast<Channel*>(o)->content()); break;
    case ObjectType::fresh: mark(static_cast<Fresh*>(o)->differs_from); break;
    }
}

} // namespace espalier
