// When a pruner, or an oracle, is asked about a state.
#pragma once

#include <cstdint>

namespace espalier::sym {

enum class Moment : uint8_t {
    stable,    // a stable state that has not been left
    taken,     // the same later, where it has waited and its turn has come
    offered,   // the tester has just made a choice at one
    forked,    // a path has come to a fork, and nothing was decided yet
    first_way, // a way on from a fork; the state itself is made later
    other_way, // a further way on from the same fork: the same state, but for the block that it goes to next
    same_way,  // and that block is the same, too: as good as the way before
};

constexpr bool is_at_stable_state(Moment moment) { return moment == Moment::stable || moment == Moment::taken; }

} // namespace espalier::sym
