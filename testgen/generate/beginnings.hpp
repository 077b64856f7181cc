// Which tests are the beginnings of others? Where a search goes on from its last target, most are: their ways are parts
// of another's way.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "symexec/symexec.hpp"

namespace espalier {

class Beginnings {
public:
    // Of the tests so far: those that this one goes on from, and that none before it went on from. Takes time in
    // proportion to its way.
    std::vector<uint32_t> add(const std::vector<FoundTest>& tests, uint32_t number);

private:
    using ByHash = std::unordered_map<uint64_t, uint32_t>;
    std::map<size_t, ByHash> ends_; // tests that none goes on from, by the length of their way and its hash
};

} // namespace espalier
