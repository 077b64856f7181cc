// Mixing words into a hash, for the tables of values and objects.
#pragma once

#include <cstdint>

namespace espalier::flow {

inline uint64_t mix(uint64_t hash, uint64_t word) {
    hash ^= word + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2);
    hash *= 0xff51afd7ed558ccdU;
    return hash ^ hash >> 32;
}

} // namespace espalier::flow
