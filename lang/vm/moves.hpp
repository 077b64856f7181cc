// Moves between slots. What a jump or call passes on is moved all at once in meaning, one by one in fact.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/vm/virtual.hpp"

namespace espalier::vm {

// Slots that only moves need; they get a place at the end of the frame where they occur.
inline constexpr int32_t spare = outgoing - 1;
inline constexpr int32_t spare_callee = outgoing - 2;

struct Move {
    int32_t to, from;
};

// An order with the same effect: a move waits until no other move needs what it overwrites, and a cycle is broken with
// one spare slot.
std::vector<Move> in_sequence(const std::vector<Move>& together);

} // namespace espalier::vm
