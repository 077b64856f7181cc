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
State leave_stable(Machine& machine, const State& stable, const std::vector<Offer>& offers, uint32_t way);

// The state that the signature names, as it waits to be run. `collect` frees what none of the caller's states holds,
// nor the given one. Throws std::logic_error where the program does not go that way: the signature is another
// program's, or the schedules are others.
State follow(Machine& machine, Terms& terms, const Signature& signature,
             const std::function<void(const State&)>& collect);

} // namespace espalier::sym
