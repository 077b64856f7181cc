// The order in which waiting states are taken up: a tiny interface.
//
// Every order is one that dropping states cannot disturb: it depends on the states themselves, never on how many wait.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "symexec/state.hpp"

namespace espalier::sym {

class Frontier {
public:
    virtual ~Frontier() = default;
    virtual void add(std::vector<State> siblings) = 0; // in source order
    virtual State take() = 0;
    virtual size_t size() const = 0;
    virtual void each(const std::function<void(const State&)>& visit) const = 0;
};

std::unique_ptr<Frontier> make_frontier(Search search, uint64_t seed);

} // namespace espalier::sym
