// A set of threads, by number: mostly of one or two, sometimes of a hundred thousand. Chunks of sorted numbers, in
// order, so that a small set is one short array, and a large one moves few numbers where one comes or goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace espalier::vm {

class ThreadSet {
public:
    bool insert(uint32_t number); // false: it was there
    bool erase(uint32_t number);  // false: it was not
    bool empty() const { return chunks_.empty() || chunks_.front().empty(); }
    std::vector<uint32_t> all() const; // in ascending order

    std::optional<uint32_t> first() const;
    std::optional<uint32_t> last() const;
    std::optional<uint32_t> after(uint32_t number) const;  // the next one
    std::optional<uint32_t> before(uint32_t number) const; // the one before it

private:
    using Chunk = std::vector<uint32_t>;
    static constexpr size_t most = 512;
    size_t chunk_of(uint32_t number) const; // where it is, or belongs

    std::vector<Chunk> chunks_; // none is empty but for the only one
};

} // namespace espalier::vm
