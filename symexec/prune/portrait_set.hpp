// Many portraits, each exactly and in little memory: tree compression (Laarman, van de Pol and Weber 2011, "Parallel
// recursive state compression for free").
//
// A list of words is cut into lines of a few words, and the lines are folded into a binary tree of pairs. Equal lines,
// and equal pairs, are kept once. States that come of one another differ in few words, so a further one costs the lines
// of these words and the pairs on the way from there to the root, and not its length. The number of a list is exact:
// two lists have one number only if they are the same. There is no hash to trust.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace espalier::sym {

// Lines of words, numbered in the order in which they are first met.
template <size_t length>
class LineTable {
public:
    using Line = std::array<uint64_t, length>;
    uint32_t number_of(const Line& line); // a new one, where there was none
    const Line& operator[](uint32_t number) const { return lines_[number]; }
    uint32_t size() const { return static_cast<uint32_t>(lines_.size()); }
    bool is_full() const { return lines_.size() >= UINT32_MAX - 1; }
    size_t bytes() const { return lines_.capacity() * sizeof(Line) + slots_.capacity() * sizeof(uint32_t); }

private:
    void grow();
    std::vector<Line> lines_;
    std::vector<uint32_t> slots_; // numbers, by a hash of the line; their count is a power of two
};

class PortraitSet {
public:
    // Numbers are dense, from 0 on: a list that is new gets the number size().
    uint32_t add(std::span<const uint64_t> words);
    uint32_t size() const { return lists_.size(); }
    std::vector<uint64_t> operator[](uint32_t number) const; // the words again
    size_t bytes() const { return lines_.bytes() + pairs_.bytes() + lists_.bytes(); }
    bool is_full() const { return lines_.is_full() || pairs_.is_full(); }

private:
    static constexpr size_t words_of_line = 8; // what the processor fetches at a time
    LineTable<words_of_line> lines_;
    LineTable<1> pairs_;          // two numbers in one word
    LineTable<1> lists_;          // the number of the root, and the count of words
    std::vector<uint32_t> level_; // of the tree that is being folded
};

} // namespace espalier::sym
