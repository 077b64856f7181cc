// Blocks of a clause's test in which a mark never counts.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/lang.hpp"

namespace espalier::flow {

inline constexpr uint32_t no_clause = UINT32_MAX;

// By block: does it lie in a test on the way to a refusal after which no clause takes the message? What is marked there
// never counts. `clause_of` says in which clause's test a block lies.
std::vector<bool> idle_blocks(const Program& program, const std::vector<uint32_t>& clause_of);

} // namespace espalier::flow
