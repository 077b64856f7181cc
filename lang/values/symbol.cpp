// The table of names. Looking a name up takes a lock; asking for the name of a symbol, which every comparison
// and every message does, takes none: names live in chunks that never move, each twice as large as all before
// it.
#include "lang/values/symbol.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace espalier {
namespace {

class SymbolTable {
public:
    SymbolTable() { intern(""); } // Symbol{} is the empty name

    Symbol intern(std::string_view name) {
        const auto hash = static_cast<uint32_t>(std::hash<std::string_view>{}(name));
        const std::lock_guard lock(mutex_);
        size_t slot = hash & (slots_.size() - 1);
        for (; slots_[slot].next_symbol != 0; slot = (slot + 1) & (slots_.size() - 1)) {
            const Symbol symbol{slots_[slot].next_symbol - 1};
            if (slots_[slot].hash == hash && name_of(symbol) == name) return symbol;
        }
        const Symbol symbol = append(name);
        slots_[slot] = {hash, count_};
        if (count_ > slots_.size() / 2) grow();
        return symbol;
    }

    // The symbol came from `intern`, here or in a thread that handed it over, so its entry was written
    // before.
    std::string_view name_of(Symbol symbol) const {
        const auto [chunk, offset] = place_of(static_cast<uint32_t>(symbol));
        const std::string_view* names = chunks_[chunk].load(std::memory_order_acquire);
        assert(names != nullptr && "a Symbol comes from intern()");
        return names[offset];
    }

private:
    struct Slot {
        uint32_t hash = 0;
        uint32_t next_symbol = 0; // one more than the symbol; 0 where the slot is free
    };
    struct Place {
        size_t chunk;
        size_t offset;
    };
    static constexpr uint32_t first_chunk = 1024;
    static constexpr size_t block_size = 64 * 1024;

    // Chunk k holds first_chunk << k names, so a symbol's chunk is told by its highest bit.
    static Place place_of(uint32_t index) {
        const uint64_t shifted = uint64_t{index} + first_chunk;
        const auto chunk = static_cast<size_t>(std::bit_width(shifted) - std::bit_width(uint64_t{first_chunk}));
        return {chunk, shifted - (uint64_t{first_chunk} << chunk)};
    }

    Symbol append(std::string_view name) {
        if (count_ == UINT32_MAX) throw std::length_error("more than 4294967295 symbols");
        const auto [chunk, offset] = place_of(count_);
        std::string_view* names = chunks_[chunk].load(std::memory_order_relaxed);
        if (names == nullptr) {
            names = new std::string_view[size_t{first_chunk} << chunk];
            chunks_[chunk].store(names, std::memory_order_release);
        }
        names[offset] = keep(name);
        return Symbol{count_++};
    }

    std::string_view keep(std::string_view name) {
        if (name.empty()) return {};
        if (name.size() > room_) {
            room_ = std::max(block_size, name.size());
            blocks_.push_back(std::make_unique_for_overwrite<char[]>(room_));
            free_ = blocks_.back().get();
        }
        char* const kept = free_;
        std::memcpy(kept, name.data(), name.size());
        free_ += name.size();
        room_ -= name.size();
        return {kept, name.size()};
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& entry : old) {
            if (entry.next_symbol == 0) continue;
            size_t slot = entry.hash & (slots_.size() - 1);
            while (slots_[slot].next_symbol != 0) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = entry;
        }
    }

    std::mutex mutex_;
    std::vector<Slot> slots_ = std::vector<Slot>(4096); // a power of two, at most half full
    std::array<std::atomic<std::string_view*>, 33> chunks_{};
    uint32_t count_ = 0;
    std::vector<std::unique_ptr<char[]>> blocks_;
    char* free_ = nullptr;
    size_t room_ = 0;
};

// Never destroyed: names must outlive every static object that could still ask for one.
SymbolTable& table() {
    static auto* const the_table = new SymbolTable;
    return *the_table;
}

} // namespace

Symbol intern(std::string_view name) { return table().intern(name); }

std::string_view name_of(Symbol symbol) { return table().name_of(symbol); }

} // namespace espalier
