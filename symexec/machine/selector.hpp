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
          calls_(calls), carrier_(program_.clauses.size(), PortId{UINT32_MAX}) {}
    void begin_wait(State& s, Thread& t, const terminator::Select& select, BlockId block);
    // The clauses again, from the first, with what is queued or due; or with what the tester sends.
    void try_queues(State& s, Thread& t) { try_all(s, t, Thread::Trial::queues); }
    void try_delivery(State& s, Thread& t) { try_all(s, t, Thread::Trial::delivery); }
    void next_test(State& s, Thread& t);
    void accept(State& s, Thread& t, const terminator::Accept& a);
    uint64_t source_looks() const { return source_looks_; } // at a source, what it has for clauses, so far

private:
    void try_all(State& s, Thread& t, Thread::Trial trial);
    Wait wait_for(State& s, const SelectClause& clause, Value source);
    void complete_wait(State& s, Wait& w);
    bool can_give(const State& s, const ClauseIndex& index, const SelectClause* clauses, uint32_t source, Value value);
    bool is_carried(const SelectClause& clause, PortId port) const;
    void check_port(const SelectClause& clause, PortId port) const;
    uint32_t next_candidate(const State& s, const Thread& t, uint32_t from);
    uint32_t next_from(const State& s, const Thread& t, uint32_t source, uint32_t from) const;
    static uint32_t next_queued(const State& s, const Thread& t, uint32_t from);
    bool is_candidate(State& s, Thread& t, uint32_t clause);
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
    std::vector<PortId> carrier_; // by the first clause of a source: a port that carries what all its clauses take
    uint64_t source_looks_ = 0;
};

} // namespace espalier::sym
