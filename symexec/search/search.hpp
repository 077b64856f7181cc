// The order in which waiting states are taken up: a tiny interface.
//
// Every order is one that dropping states cannot disturb: it depends on the states themselves, never on how many wait.
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
    bool is_near = false; // a target is known to be at distance 0, for as long as no target is covered
};

class Frontier {
public:
    virtual ~Frontier() = default;
    virtual void add(std::vector<Successor> siblings) = 0; // in source order
    // It comes after all that are not postponed, in an order that knows which is the last.
    virtual void postpone(State state) = 0;
    virtual State take() = 0;
    virtual void target_covered() {} // distances may have grown
    virtual bool has_only_postponed() const { return false; }
    virtual size_t size() const = 0;
    virtual void each(const std::function<void(const State&)>& visit) const = 0;
};

// How far a state is from the nearest target. It grows when a target is covered, and never shrinks.
using DistanceOf = std::function<uint32_t(const State&)>;

// `distance` is asked by Search::distance only.
std::unique_ptr<Frontier> make_frontier(Search search, uint64_t seed, DistanceOf distance);

} // namespace espalier::sym
