// The symbolic machine: runs one state until it must fork, is stable, or ends.
//
// It executes the same λ-IR as the concrete interpreter, by code of its own, so that a replay is an independent check.
// It knows nothing of the search: its caller decides which successors are feasible and which to run.
//
//   Outcome outcome = machine.run(state);
//   while (outcome == Outcome::arrived) …;        // take_arrival(), then go_on()
//   if (outcome == Outcome::fork) …;              // a successor for each condition of fork()
//   if (outcome == Outcome::stable) …;            // a successor for each of offers(), by take()
//
// Its parts, from the bottom up: context.hpp (what all share), symbolic_values.hpp (inputs, decisions, equality …),
// primitives.hpp, selector.hpp and scheduler.hpp (threads and time), operations.hpp; loop.cpp runs the code.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "symexec/machine/operations.hpp"
#include "symexec/machine/steps.hpp"
#include "symexec/machine/tester.hpp"
#include "symexec/machine/tracer.hpp"
#include "symexec/values/concretiser.hpp"

namespace espalier::sym {

class Machine {
public:
    Machine(const Program& program, Terms& terms, Observer& observer, const MachineLimits& limits);

    // From now on this one is asked; the one before is given back.
    Observer& watch(Observer& observer) { return *std::exchange(context_.observer, &observer); }

    State initial() const;
    Outcome run(State& state);
    // The same state once more, after Outcome::arrived: no new step has begun where it stands within a block.
    Outcome go_on(State& state, const Arrival& after);
    // What the last outcome speaks of.
    const Fork& fork() const { return context_.fork; }
    Arrival take_arrival() { return std::exchange(context_.arrival, {}); }
    const std::string& reason() const { return reason_; }
    const ErrorAt& error() const { return context_.error; }

    std::vector<Offer> offers(const State& state) const { return tester_.offers(state); }
    void take(State& state, const Offer& offer, uint32_t choice, uint32_t of) {
        tester_.take(state, offer, choice, of);
    }
    const Concretiser& concretiser() const { return concretiser_; }

    Heap& heap() { return context_.heap; }
    const Code& code() const { return context_.code; }
    uint64_t steps() const { return steps_.count(); }
    uint64_t source_looks() const { return selector_.source_looks(); }
    Label author_label(const State& state) const { return context_.position.author_label(state); }
    Value variable(const Thread& t, VarId v) const; // of a running thread
    bool has_entered(BlockId block) const { return entered_[context_.code.start(block)] != 0; }
    std::vector<Trace> take_traces() { return tracer_.take(); }
    bool concurrent() const { return scheduler_.is_concurrent(); }
    static void mark(const State& state, Marker& marker, uint32_t round);

private:
    Outcome run_all(State& s);
    Outcome run_on(State& s);
    Outcome run_threads(State& s);
    std::optional<Outcome> pause(State& s);
    std::optional<Outcome> run_thread(State& s); // loop.cpp
    Value compute(State& s, Prim prim, std::span<const Value> args);
    std::optional<Outcome> terminate(State& s, Thread& t, BlockId at);
    std::optional<Outcome> branch(State& s, Thread& t, const terminator::Branch& b, Label label);
    std::optional<Outcome> choose(State& s, Thread& t, const terminator::Choose& c, Label label);
    std::optional<Outcome> return_value(State& s, Thread& t, Value v);

    Context context_;
    SymbolicValues values_;
    Primitives primitives_;
    Clocks clocks_;
    Calls calls_;
    Selector selector_;
    Scheduler scheduler_;
    Steps steps_;
    Operations operations_;
    Tester tester_;
    Concretiser concretiser_;
    Tracer tracer_;
    FramePool& frames_;
    std::vector<uint8_t> entered_; // by instruction: a block was begun there, or gone on with
    bool is_within_block_ = false; // the run goes on where it was, without a new step
    std::string reason_;           // of Outcome::unsupported
};

} // namespace espalier::sym
