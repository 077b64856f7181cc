// A pruner says that a state need not be followed: one small interface for all pruners.
//
// The search asks its pruners in order, the cheapest first, at each stable state and for each way on from a fork. What
// a pruner remembers of a state is a record of its own (side_records.hpp). Whatever it says must lose nothing: each
// pruner's header says why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "symexec/prune/moment.hpp"
#include "symexec/prune/reasons.hpp"
#include "symexec/state/state.hpp"

namespace espalier::sym {

enum class Advice : uint8_t { follow, drop, postpone };

class Pruner {
public:
    virtual ~Pruner() = default;
    virtual Advice ask(State& state, Moment moment) = 0;
    virtual Dropped reason() const = 0; // of what it drops
    // A path ends, or is doubtful, for that reason. A pruner is told of the paths that it dropped itself, too.
    virtual void path_dropped(const State&, Dropped) {}
    // The same of a way on from a state, before anything was run on it. `way`: where the state stands before it;
    // nothing where the state has taken it.
    virtual void way_dropped(const State& state, Dropped why, const std::optional<Turn>&) { path_dropped(state, why); }
    // Of a postponed state: does the reason to postpone it hold no longer?
    virtual bool must_be_explored(const State&) const { return false; }
    // Is the state followed against this pruner's advice? That is done to put the advice to the test.
    virtual bool is_doubted(const State&) const { return false; }
    virtual void doubt(State&) const {}
    // What it has done so far, in VM steps that take about as long.
    virtual uint64_t steps_worth() const { return 0; }
    virtual size_t bytes() const { return 0; }                           // that it holds
    virtual void each(const std::function<void(const State&)>&) const {} // of the states that it keeps
    virtual void forget() {} // the search is over: what it keeps is not needed any more
};

} // namespace espalier::sym
