#include "symexec/prune/portrait_set.hpp"

#include <algorithm>

namespace espalier::sym {

namespace {

constexpr uint32_t no_number = UINT32_MAX;

template <size_t length>
uint64_t hash_of(const std::array<uint64_t, length>& line) {
    uint64_t h = length;
    for (uint64_t word : line) {
        h = (h ^ word ^ (word >> 32)) * 0x9E3779B97F4A7C15U;
        h ^= h >> 29;
    }
    h *= 0xBF58476D1CE4E5B9U;
    return h ^ (h >> 32);
}

uint64_t pair_of(uint32_t a, uint32_t b) { return uint64_t{a} << 32 | b; }

} // namespace

template <size_t length>
uint32_t LineTable<length>::number_of(const Line& line) {
    if (lines_.size() * 3 >= slots_.size() * 2) grow();
    const size_t mask = slots_.size() - 1;
    size_t at = hash_of(line) & mask;
    for (; slots_[at] != no_number; at = (at + 1) & mask)
        if (lines_[slots_[at]] == line) return slots_[at];
    slots_[at] = size();
    lines_.push_back(line);
    return slots_[at];
}

template <size_t length>
void LineTable<length>::grow() {
    slots_.assign(slots_.empty() ? 1024 : slots_.size() * 2, no_number);
    const size_t mask = slots_.size() - 1;
    for (uint32_t n = 0; n < size(); ++n) {
        size_t at = hash_of(lines_[n]) & mask;
        while (slots_[at] != no_number) at = (at + 1) & mask;
        slots_[at] = n;
    }
}

// The shape of the tree depends on the count of words alone, so equal roots of equal counts are equal lists.
uint32_t PortraitSet::add(std::span<const uint64_t> words) {
    level_.clear();
    for (size_t from = 0; from < words.size(); from += words_of_line) {
        std::array<uint64_t, words_of_line> line{};
        const std::span<const uint64_t> part = words.subspan(from, std::min(words_of_line, words.size() - from));
        std::copy(part.begin(), part.end(), line.begin());
        level_.push_back(lines_.number_of(line));
    }
    while (level_.size() > 1) {
        size_t to = 0;
        for (size_t i = 0; i + 1 < level_.size(); i += 2)
            level_[to++] = pairs_.number_of({pair_of(level_[i], level_[i + 1])});
        if (level_.size() % 2 == 1) level_[to++] = level_.back();
        level_.resize(to);
    }
    const uint32_t root = level_.empty() ? 0 : level_[0];
    return lists_.number_of({pair_of(root, static_cast<uint32_t>(words.size()))});
}

// From the root down, one level at a time: the sizes of the levels are known from the count of words.
std::vector<uint64_t> PortraitSet::operator[](uint32_t number) const {
    const auto root = static_cast<uint32_t>(lists_[number][0] >> 32);
    const auto count = static_cast<uint32_t>(lists_[number][0]);
    if (count == 0) return {};
    std::vector<size_t> sizes{(count + words_of_line - 1) / words_of_line};
    while (sizes.back() > 1) sizes.push_back((sizes.back() + 1) / 2);
    std::vector<uint32_t> level{root};
    for (size_t below = sizes.size() - 1; below-- > 0;) {
        std::vector<uint32_t> next;
        for (size_t i = 0; i < level.size(); ++i) {
            if (2 * i + 1 == sizes[below]) { // carried up as it was
                next.push_back(level[i]);
                continue;
            }
            next.push_back(static_cast<uint32_t>(pairs_[level[i]][0] >> 32));
            next.push_back(static_cast<uint32_t>(pairs_[level[i]][0]));
        }
        level = std::move(next);
    }
    std::vector<uint64_t> words;
    words.reserve(count + words_of_line);
    for (uint32_t n : level) words.insert(words.end(), lines_[n].begin(), lines_[n].end());
    words.resize(count);
    return words;
}

} // namespace espalier::sym
