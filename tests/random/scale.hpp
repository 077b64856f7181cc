// How many random things a test tries: as many as it says, twenty times as many with ESPALIER_LONG=1, and a tenth under
// the sanitizers, where each is ten times as slow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace espalier::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

inline bool long_run() { return std::getenv("ESPALIER_LONG") != nullptr; }

inline uint32_t scaled(uint32_t count) {
    if (long_run()) return count * 20;
    return sanitized ? std::max<uint32_t>(count / 10, 1) : count;
}

// Whether a law has seen as much as it should have: at least `least` in a usual run. Of the one model that
// ESPALIER_SEED asks for there is nothing to count, and of the few that are tried under the sanitizers the counts say
// little: that the law sees enough is what the usual run checks.
inline bool enough(uint64_t seen, uint32_t least) {
    return std::getenv("ESPALIER_SEED") != nullptr || sanitized || seen >= scaled(least);
}

} // namespace espalier::test
