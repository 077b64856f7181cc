// Select: trying the clauses of a wait, one after the other. A test runs in the waiting thread's own frame, whose
// variables are assigned once, so a refused test leaves nothing behind.
#pragma once

#include "symexec/machine/calls.hpp"
#include "symexec/machine/clocks.hpp"

namespace espalier::sym {

// Do they wait for the same timer?
bool is_same_timer(const Wait& a, const Wait& b);

class Selector {
public:
    Selector(Context& context, SymbolicValues& values, Clocks& clocks, Calls& calls)
        : context_(context), program_(context.program), code_(context.code), values_(values), clocks_(clocks),
          calls_(calls) {}
    void begin_wait(State& s, Thread& t, const terminator::Select& select, BlockId block);
    // The clauses again, from the first, with what is queued or due; or with what the tester sends.
    void try_queues(State& s, Thread& t) { try_all(s, t, Thread::Trial::queues); }
    void try_delivery(State& s, Thread& t) { try_all(s, t, Thread::Trial::delivery); }
    void next_test(State& s, Thread& t);
    void accept(State& s, Thread& t, const terminator::Accept& a);

private:
    void try_all(State& s, Thread& t, Thread::Trial trial);
    void complete_wait(State& s, Wait& w);
    void check_port(const SelectClause& clause, PortId port) const;
    bool is_candidate(State& s, Thread& t, uint32_t i);
    bool fits(State& s, const SelectClause& clause, Value message);
    bool has_turn(const State& s, const Thread& t, const Wait& wait) const;
    void enter_test(Thread& t, uint32_t clause, bool from_port);
    void give_up(State& s, Thread& t);
    void spend_timers(State& s, Thread& t);

    Context& context_;
    const Program& program_;
    const Code& code_;
    SymbolicValues& values_;
    Clocks& clocks_;
    Calls& calls_;
};

} // namespace espalier::sym
