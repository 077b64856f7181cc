// The concrete interpreter: a model run on given inputs, exactly as the language says.
//
// It runs the threads of a model until the model is stable (every live thread waits and one of them on a port
// or a running timer), and then waits for the tester: `deliver` a message or `pass_time`. It compiles each λ
// on first use into a compact register code; calls never touch the C++ stack.
//
//   Interpreter run(program, listener);
//   for (Status s = run.start(); s == Status::stable;) s = run.deliver(port, next_message(run.heap()));
//
// Which clause a thread takes: at a select, the first in order whose channel head its test accepts. A thread
// that waits is tried again when one of its channels is not empty, or when time passed and one of its timers
// is ready; then clauses on channels and on timers compete in their order. A timer that is taken, or that
// every thread which may take it refuses, is idle again.
//
// Values told to a listener, or found in an offer, are good until the run goes on.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lang/ir/ir.hpp"
#include "lang/values/heap.hpp"
#include "lang/values/units.hpp"

namespace espalier {

enum class Status : uint8_t {
    stable,        // waits for the tester
    finished,      // no thread is left, or only services waiting on channels
    model_error,   // see error()
    assume_failed, // an (assume e) was false: the run ends, nothing before it is undone
    refused,       // the delivered input is one that no waiting thread accepts; nothing happened
    out_of_steps,  // options.step_limit
    stopped,       // options.stop
};

struct BacktraceEntry {
    Symbol procedure;
    Span span;
};
struct ModelError {
    std::string text;
    Span span;
    Label label = no_label;
    std::vector<BacktraceEntry> backtrace; // innermost first, at most a dozen; long ones are cut in the middle
    bool is_about_size = false;            // a value became larger than any may be
};

// What a run tells while it goes on. Every function has an empty default.
class Listener {
public:
    virtual ~Listener() = default;
    virtual void output(PortId, Value) {}
    virtual void display(std::string_view) {}
    virtual void mark(TargetId, uint32_t /*thread*/) {}
    virtual void assigned(Symbol, Value, uint32_t /*thread*/) {} // an author's variable, by set!
    virtual void input_taken(uint32_t /*thread*/, PortId, Value) {}
    virtual void sent(uint32_t /*thread*/, Value /*channel*/, Value) {}
    virtual void received(uint32_t /*thread*/, Value /*channel*/, Value) {}
    virtual void timer_fired(uint32_t /*thread*/, Value /*timer; unspecified: an `after`*/) {}
    virtual void spawned(uint32_t /*thread*/) {}
    virtual void ended(uint32_t /*thread*/) {}
    // The environment takes one of `count` alternatives at `label`: 0 … count − 1.
    virtual uint32_t choose(Label, uint32_t /*count*/) { return 0; }
    // Several threads can go on, or one whose timers are due together: which turn comes next, 0 … turns.size() − 1?
    // Given are the threads whose turns they are; a thread has one for each timer that is due, in clause order.
    virtual uint32_t schedule(std::span<const uint32_t> /*turns*/) { return 0; }
    // Every block that control enters, for walking another structure beside a run; only called with
    // options.follow.
    virtual void step(uint32_t /*thread*/, LambdaId, BlockId, Label /*variant's call site*/) {}
};

// What the model waits for, at a stable state.
struct Offer {
    uint32_t thread = 0;
    enum class Kind : uint8_t { message, bare, timer } kind = Kind::message;
    PortId port{};
    SelectClause::Filter filter = SelectClause::Filter::any;
    MessageId message{}; // Filter::message
    TypeId type{};       // Filter::bare
    Value timer;         // Kind::timer: running or due; unspecified: an `after`
    Units due_in{};
    Span span; // of the clause
};

struct InterpreterOptions {
    uint64_t step_limit = 0;              // calls, of which each turn of a loop is one; 0: none
    size_t stack_limit = size_t{1} << 30; // bytes of one thread's stack; past it "recursion too deep" is a model error
    bool follow = false;                  // call Listener::step
    bool trace_assignments = false;       // call Listener::assigned
    bool schedules = false;               // call Listener::schedule; without, the lowest thread goes first
    FreshPairs* told_apart = nullptr;     // gets the fresh values that the run takes to differ
    // Set by another thread, it ends the run soon, wherever it is: every few thousand calls it is looked at, after each
    // primitive and at each turn of a thread.
    const std::atomic<bool>* stop = nullptr;
};

namespace vm {
class SharedCode;
}

// A program with the code of its λs, for runs that come one after the other: each λ is compiled when a run first calls
// it, and not again by later runs (but for one that relies on what differs between them).
//
//   CompiledProgram compiled(program);
//   for (const auto& test : tests) Interpreter(compiled, listener).start();
class CompiledProgram {
public:
    explicit CompiledProgram(const Program& program); // which stays as it is from here on
    ~CompiledProgram();
    uint64_t translations() const; // of λs, so far

private:
    friend class Interpreter;
    std::unique_ptr<vm::SharedCode> code_;
};

class Interpreter {
public:
    Interpreter(const Program& program, Listener& listener, InterpreterOptions options = {});
    Interpreter(CompiledProgram& program, Listener& listener, InterpreterOptions options = {}); // one at a time
    ~Interpreter();

    Status start();                             // runs the top level to the first stable state
    Status deliver(PortId port, Value message); // the tester sends
    Status pass_time();                         // to the earliest deadline; refused where there is none
    Status pass_time(const Units& units);       // exactly so far; stops on the way at each deadline it meets
    Units time_left_to_pass() const;            // of `units`, where it stopped on the way
    std::vector<Offer> offers() const;
    const std::optional<ModelError>& error() const;
    Units now() const;
    uint64_t steps() const;
    Heap& heap(); // for making the messages to deliver
    std::string
    name(Value timer_or_channel) const; // of the global that holds it, else "timer 3"; "after" for a select's own
    const std::string& refusal() const; // why the last deliver() was refused, where there is more to say
    std::optional<Value> fresh_value(uint32_t number) const; // the fresh value x<number>, once it is made
    std::optional<Value> result() const; // the value of the last top-level expression, when finished

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace espalier
