// Timers and delays: when they are due, and whether their order depends on the moment at which the tester acted.
#pragma once

#include <optional>

#include "symexec/values/symbolic_values.hpp"

namespace espalier::sym {

inline bool is_before(Value a, Value b) { return number::compare(a, b, "<") < 0; }

class Clocks {
public:
    Clocks(Context& context, Decider& decider)
        : context_(context), terms_(context.terms), heap_(context.heap), decider_(decider) {}
    void start(State& s, Value timer, Value delay);
    void stop(State& s, Value timer);
    // When a delay that begins now is over; the operation's name is for the author's mistakes.
    Value later(State& s, Value delay, const char* operation);
    // A wait with a delay begins.
    void begin_delay(State& s) { note_other_clocks(s, UINT32_MAX); }
    // Timers that nothing waits for may become due while the tester does something else: then all of them are, and
    // their order is lost.
    static bool may_order_be_lost(const State& s);

private:
    Value chosen_delay(State& s, Value delay);
    bool is_another_running(const State& s, uint32_t timer) const; // since before the last stable state
    void note_other_clocks(State& s, uint32_t timer);

    Context& context_;
    Terms& terms_;
    Heap& heap_;
    Decider& decider_;
};

} // namespace espalier::sym
