// A mixture of orders, for searches without a bound.
//
// No single order is good on every model, and which one is good changes while a search goes on. So the waiting states
// stand in several orders at once, and the orders take turns: one takes its first state, which is run to where it
// divides or waits. What an order's turns cost is counted in VM steps, and each order's share of the steps grows with
// the targets that its turns have found of late (stride scheduling: Waldspurger and Weihl 1995). Everything is counted,
// nothing is timed: the same search takes the same turns on every machine.
//
//   tight     the least distance to an uncovered target; but first come states that have left at most one stable state
//             between their path's last new target and the next target that the automaton knows of, which is what a
//             search with the bound 2 looks at, and then the others, by how many they have left
//   young     the fewest stable states since the path's last new target
//   random    the least rank
//   rare      the places of all threads from which the fewest states were taken (groups.hpp)
//
// States that are equal in an order are taken by their rank, which is as good as by chance: of many states that are
// alike but for what does not matter, the next one is mostly not a neighbour of the last. The first order needs the
// automaton.
//
// Why nothing is lost: a state leaves an order only when it is taken, and one that was taken by another order is passed
// over. Every order is a list of all waiting states, so the search ends when there are none.
#pragma once

#include <memory>

#include "symexec/search/search.hpp"

namespace espalier::sym {

std::unique_ptr<Frontier> make_mixed(uint64_t seed, const SearchView& view);

} // namespace espalier::sym
