// What learning asks of the search: is there nothing wanted in what comes of a state?
#pragma once

#include <functional>

#include "symexec/state/state.hpp"

namespace espalier::sym {

class Confirmer {
public:
    virtual ~Confirmer() = default;
    // Explores what comes of a state aside, within limits. True: nothing wanted does, and why is among the
    // interpolants.
    virtual bool confirm(const State& state) = 0;
    // What it has done so far, in VM steps that take about as long, beyond those of the machine.
    virtual uint64_t steps_worth() const = 0;
    virtual void each(const std::function<void(const State&)>& visit) const = 0; // of the states that it holds
};

} // namespace espalier::sym
