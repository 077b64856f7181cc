// A state had again, by its signature: the machine takes the same ways, and the solver is not asked.
//
// What the solver said on the way is in the signature where it matters: which ways there were, which condition the path
// implied, and a solution at the end. The counter and the records of the search's parts are not: the caller knows them.
#pragma once

#include <functional>

#include "symexec/machine/machine.hpp"

namespace espalier::sym {

// The signature of the state: its events so far, and what is known of its path. Its values are made in `heap`.
Signature signature_of(const State& state, Heap& heap);

// A way on from a fork, or from a stable state by the tester's choice: the child's own signature and decisions. What
// comes of the condition is the caller's.
void enter_way(State& child, const Fork& fork, uint32_t way, bool is_implied);
// Where a fork decides a branch or a choice, the block that this way leads to; else none.
BlockId decided_block(const Program& program, const Machine& machine, const State& state, const Fork& fork,
                      uint32_t way);
State leave_stable(Machine& machine, const State& stable, const std::vector<Offer>& offers, uint32_t way);

// Where a followed state stands: as it waits to be run after its last choice, or as it was run on from there, to the
// next stable state, fork or end.
enum class StandsAt : uint8_t { last_choice, rest };

// The state that the signature names. `collect` frees what none of the caller's states holds,
// nor the given one. Throws std::logic_error where the program does not go that way: the signature is another
// program's, or the schedules are others.
State follow(Machine& machine, Terms& terms, const Signature& signature, StandsAt where,
             const std::function<void(const State&)>& collect);

// Of a state that waits: only the ways that its path took and what is known of the path are kept. Paths share these, so
// that is little. Every state that waits has a thread, until it is packed.
void pack(State& state);
inline bool is_packed(const State& state) { return state.threads.empty(); }
// The state again, by following its ways, to where it stood.
void unpack(State& state, Machine& machine, Terms& terms, StandsAt where,
            const std::function<void(const State&)>& collect);

} // namespace espalier::sym
