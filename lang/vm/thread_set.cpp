#include "lang/vm/thread_set.hpp"

#include <algorithm>

namespace espalier::vm {

// The last chunk that begins no later; the first where none does.
size_t ThreadSet::chunk_of(uint32_t number) const {
    if (chunks_.size() <= 1) return 0;
    const auto later = std::upper_bound(chunks_.begin() + 1, chunks_.end(), number,
                                        [](uint32_t n, const Chunk& chunk) { return n < chunk.front(); });
    return static_cast<size_t>(later - chunks_.begin()) - 1;
}

bool ThreadSet::insert(uint32_t number) {
    if (chunks_.empty()) chunks_.emplace_back();
    const size_t i = chunk_of(number);
    Chunk& chunk = chunks_[i];
    const auto at = std::lower_bound(chunk.begin(), chunk.end(), number);
    if (at != chunk.end() && *at == number) return false;
    chunk.insert(at, number);
    if (chunk.size() <= most) return true;
    // Numbers mostly come in ascending order: then what stays behind is nearly full.
    const auto keep = chunk.back() == number ? most : most / 2;
    Chunk rest(chunk.begin() + static_cast<std::ptrdiff_t>(keep), chunk.end());
    chunk.resize(keep);
    chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(rest));
    return true;
}

bool ThreadSet::erase(uint32_t number) {
    if (empty()) return false;
    const size_t i = chunk_of(number);
    Chunk& chunk = chunks_[i];
    const auto at = std::lower_bound(chunk.begin(), chunk.end(), number);
    if (at == chunk.end() || *at != number) return false;
    chunk.erase(at);
    if (chunk.empty() && chunks_.size() > 1) chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
}

std::vector<uint32_t> ThreadSet::all() const {
    std::vector<uint32_t> numbers;
    for (const Chunk& chunk : chunks_) numbers.insert(numbers.end(), chunk.begin(), chunk.end());
    return numbers;
}

std::optional<uint32_t> ThreadSet::first() const {
    return empty() ? std::nullopt : std::optional(chunks_.front().front());
}

std::optional<uint32_t> ThreadSet::last() const {
    return empty() ? std::nullopt : std::optional(chunks_.back().back());
}

std::optional<uint32_t> ThreadSet::after(uint32_t number) const {
    if (empty()) return std::nullopt;
    const size_t i = chunk_of(number);
    const Chunk& chunk = chunks_[i];
    const auto at = std::upper_bound(chunk.begin(), chunk.end(), number);
    if (at != chunk.end()) return *at;
    return i + 1 < chunks_.size() ? std::optional(chunks_[i + 1].front()) : std::nullopt;
}

std::optional<uint32_t> ThreadSet::before(uint32_t number) const {
    if (empty()) return std::nullopt;
    const size_t i = chunk_of(number);
    const Chunk& chunk = chunks_[i];
    const auto at = std::lower_bound(chunk.begin(), chunk.end(), number);
    if (at != chunk.begin()) return *(at - 1);
    return i > 0 ? std::optional(chunks_[i - 1].back()) : std::nullopt;
}

} // namespace espalier::vm
