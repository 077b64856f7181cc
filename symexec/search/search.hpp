// The order in which waiting states are taken up: a tiny interface.
//
// Every named order is one that dropping states cannot disturb: it depends on the states themselves, never on how many
// wait. The mixture of orders (mixed.hpp) is for searches without a bound, where each state is explored once, in
// whatever order.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "symexec/search/exploration.hpp"
#include "symexec/state/state.hpp"

namespace espalier::sym {

// A state that waits to be followed.
struct Successor {
    State state;
    bool is_near = false;   // a target is known to be at distance 0, for as long as no target is covered
    bool is_stable = false; // a stable state that has not been left: its ways on are made when its turn comes
};

class Frontier {
public:
    virtual ~Frontier() = default;
    virtual void add(std::vector<Successor> siblings) = 0; // in source order
    // It comes after all that are not postponed, in an order that knows which is the last.
    virtual void postpone(State state) = 0;
    virtual Successor take() = 0;
    // Do stable states wait as they are? Else their ways on do.
    virtual bool takes_stable_states() const { return false; }
    virtual void target_covered() {} // distances may have grown
    virtual bool has_only_postponed() const { return false; }
    // Memory is short: waiting states are packed (follow.hpp), where the order can do so.
    virtual void pack() {}
    virtual size_t size() const = 0;
    // Of memory that the waiting states take, without their frames and stores: roughly, but the same on every machine.
    virtual size_t bytes() const { return size() * sizeof(Successor); }
    virtual void each(const std::function<void(const State&)>& visit) const = 0;
};

// How far a state is from the nearest target. It grows when a target is covered, and never shrinks.
using DistanceOf = std::function<uint32_t(const State&)>;

// What an order may ask about the search.
struct SearchView {
    DistanceOf distance;             // of Search::distance and Search::mixed; none where there is no automaton
    std::function<uint64_t()> steps; // the effort so far
};

std::unique_ptr<Frontier> make_frontier(Search search, uint64_t seed, const SearchView& view);
// A number for a state, of seed and signature alone.
uint64_t rank(uint64_t seed, const SignatureHash& signature);

} // namespace espalier::sym
