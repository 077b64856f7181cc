// Threads: which one runs, and when the model is stable.
//
// Threads run one at a time until they wait, the lowest number first. A stable state is one where every live thread
// waits, none can go on by itself, and at least one waits on a port or a running timer.
#pragma once

#include <optional>
#include <vector>

#include "symexec/machine/selector.hpp"

namespace espalier::sym {

class Scheduler {
public:
    Scheduler(Context& context, SymbolicValues& values, Calls& calls, Selector& selector)
        : context_(context), program_(context.program), code_(context.code), values_(values), calls_(calls),
          selector_(selector) {}
    // Gives a thread its turn; an outcome where there is none.
    std::optional<Outcome> schedule(State& s);
    // An operation looked into a message: its conditions are asked first, then the operation begins again.
    void resume(State& s);
    void spawn(State& s, Value procedure, bool service, Label site);
    bool is_concurrent() const { return concurrent_; } // several turns were possible at some time

private:
    struct Turn {
        uint32_t thread; // index
        uint32_t timer;  // clause, or UINT32_MAX
    };
    std::vector<Turn> turns(State& s) const;
    static void add_turns(const State& s, uint32_t thread, std::vector<Turn>& all);
    static bool is_ready(const State& s, const Thread& t);
    std::optional<Outcome> offer_around(State& s);
    void start_asking(State& s);
    Outcome settle(State& s);
    Outcome deadlock(const State& s);

    Context& context_;
    const Program& program_;
    const Code& code_;
    SymbolicValues& values_;
    Calls& calls_;
    Selector& selector_;
    bool concurrent_ = false;
};

} // namespace espalier::sym
