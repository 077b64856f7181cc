// The symbolic machine: runs one state until it must fork, is stable, or ends.
//
// It executes the same λ-IR as the concrete interpreter, by code of its own, so that a replay is an independent check.
// It knows nothing of the search: whoever calls it decides which successors are feasible and which to run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "symexec/machine/limits.hpp"
#include "symexec/machine/test_step.hpp"
#include "symexec/solver/path_facts.hpp"
#include "symexec/state/code.hpp"
#include "symexec/state/state.hpp"

namespace espalier::sym {

enum class Outcome : uint8_t {
    arrived, // at targets that are wanted: see arrival(), then go_on()
    fork,    // see fork()
    stable,  // waits for the tester: see offers()
    finished,
    infeasible, // what was assumed on the way cannot be
    assume_failed,
    model_error,  // see error()
    unsupported,  // see reason()
    out_of_steps, // too many since the last stable state
    stopped,      // a limit of the whole search
};

// Where a state must be suspended: one successor for each condition, in source order.
struct Fork {
    std::vector<Value> conditions;
    Subject subject;
    Label label = no_label;
    Event::Kind kind = Event::Kind::branch;
    std::vector<Value> values = {}; // of the subject in each, where it is about one

    Decision decision(uint32_t way) const {
        return {subject, way, static_cast<uint32_t>(conditions.size()), values.empty() ? Value{} : values[way]};
    }
};

// One thing that the tester may do at a stable state.
struct Offer {
    enum class Kind : uint8_t { message, bare, time, half_time } kind = Kind::message;
    PortId port{};
    MessageId message{};
    TypeId type{};
    Label label = no_label;
    friend bool operator==(const Offer& a, const Offer& b) {
        return a.kind == b.kind && a.port == b.port && a.message == b.message && a.type == b.type;
    }
};

// A mistake of the author, met on a path; the place is that of the running operation, unless the fault knows a better.
struct Fault {
    std::string text;
    Span span = {};
};
struct Infeasible {};
struct Ask {
}; // a message was looked into whose definition has a condition: that is asked, then the operation begins again
struct AssumeFailed {};

// What the machine asks of the search.
class Observer {
public:
    virtual ~Observer() = default;
    virtual bool wants(TargetId target) const = 0;          // would reaching it change anything?
    virtual bool assume(State& state, Value condition) = 0; // takes it into the path; false: the path ends
    // The least and the greatest positive value of an integer; nothing where there is none, or no greatest.
    virtual std::pair<std::optional<Value>, std::optional<Value>> positive_range(State& state, Value integer) = 0;
    // What comes next may depend on the moment, before a deadline, at which the tester did something. Only the earliest
    // and the latest are tried.
    virtual void moments_left_out(const State& state, Label at) = 0;
    virtual std::span<const Value> conditions(const State& state) = 0; // of its path; until the next question
    virtual bool may_hold(State& state, Value condition) = 0;          // false: the path excludes it
    virtual bool should_stop() = 0;                                    // asked every few thousand steps
    virtual void collect() = 0; // the heap is due, the state's values are in its frames
};

// The state stands behind marks of targets, each of which counts where its condition, #t or a boolean term, holds.
struct Arrival {
    std::vector<HeldMark> marks;
    bool is_within_block = false;
};

class Machine {
public:
    Machine(const Program& program, Terms& terms, Observer& observer, const MachineLimits& limits);

    State initial();
    Outcome run(State& state);
    // The same state once more, after Outcome::arrived: no new step has begun where it stands within a block.
    Outcome go_on(State& state, const Arrival& after);
    Arrival take_arrival() { return std::exchange(arrival_, {}); }
    // Inputs of a message that the path compared with fresh values: where they stand, and how it went.
    void fresh_uses(const State& state, Value v, std::vector<uint32_t>& place, std::vector<FreshUse>& uses) const;
    const Fork& fork() const { return fork_; }
    const std::string& reason() const { return text_; }
    const ErrorAt& error() const { return error_; }
    Label author_label(const State& state) const; // of what it executes, or of the author's call that led there
    std::vector<Offer> offers(const State& state);
    void take(State& state, const Offer& offer, uint32_t index, uint32_t of); // the tester's choice
    // A value of the path under a solution, made in `heap`: as the tester sends it.
    Value concretise(const State& state, Value v, const Assignment& model, Heap& heap);
    Heap& heap() { return heap_; }
    uint64_t steps() const { return steps_; }
    const Code& code() const { return code_; }
    Value variable(const Thread& t, VarId v) const; // of a running thread
    bool has_entered(BlockId block) const { return entered_[code_.start(block)] != 0; }
    std::vector<Trace> take_traces() { return std::move(traces_); }
    bool concurrent() const { return concurrent_; } // several turns were possible at some time
    // Every variable of the path's inputs and conditions, in order.
    const std::vector<Value> variables(const State& state) const;
    void mark(const State& state, Marker& marker, uint32_t round) const;

private:
    // Counts a state's steps while it runs.
    class Watch {
    public:
        Watch(Machine& machine, State& state);
        ~Watch();
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;

    private:
        Machine& machine_;
        State& state_;
    };
    void set_pause();
    bool is_interrupted() const {
        return limits_.interrupt != nullptr && limits_.interrupt->load(std::memory_order_relaxed);
    }
    // At the next block the search is asked whether to stop.
    void pause_soon() { ask_at_ = pause_at_ = 0; }
    // After an operation that may have taken long. What it made counts against the path's quiet steps, so that a path
    // that makes large values for ever ends as soon as another.
    void note_work(Value made) {
        if (const uint64_t work = work_of(made); work > 0) [[unlikely]] {
            quiet_start_ -= work;
            set_pause();
        }
        if (is_interrupted()) [[unlikely]]
            pause_soon();
    }
    std::optional<Outcome> pause(State& s);
    void trace(const State& s);
    void note_steps(State& s) const { s.quiet_steps = steps_ - quiet_start_; }

    // Control (loop.cpp; what is rare in machine.cpp)
    Outcome run_all(State& s);
    Outcome run_on(State& s);
    std::optional<Outcome> run_thread(State& s);
    std::optional<Outcome> terminate(State& s, Thread& t, BlockId at);
    void execute(State& s, Thread& t, const Operation& op);
    void jump(Thread& t, BlockId to, VarList args);
    void call(State& s, Thread& t, Value callee, VarList args, LambdaId known, bool spread, bool returns, Label label);
    FrameRef enter(State& s, Value callee, std::span<const Value> args, LambdaId known);
    std::optional<Outcome> return_value(State& s, Thread& t, Value v);
    Outcome fail(State& s, std::string text);
    void locate(const State& s);
    void blame_caller(const State& s);

    // Decisions (decide.cpp)
    Value truth(State& s, Value v);
    bool decide(State& s, Value condition);
    uint32_t pick(State& s, const Subject& subject, const std::vector<Value>& conditions);
    Value forced(State& s, Value v);
    bool belongs(State& s, TypeId type, Value v);
    Value belongs_condition(State& s, TypeId type, Value v);

    // Inputs (inputs.cpp)
    Value symbolic(State& s, TypeId type, uint32_t depth);
    Value symbolic_message(State& s, MessageId message, uint32_t depth);
    Value new_variable(State& s, DomainId domain);
    Value new_lazy(State& s, TypeId type, uint32_t bound);
    DomainId domain_of(TypeId type);
    Value fallback(TypeId type, Heap& heap, uint32_t depth) const;
    bool has_fallback(TypeId type, uint32_t depth) const;
    bool has_fallback(MessageId message, uint32_t depth) const;
    std::optional<Value> concretise_leaf(const State& state, Value& v, const Assignment& model, Heap& heap);
    Value concrete_bytes(Value sent, const Assignment& model, Heap& heap);

    // Fresh values (fresh.cpp)
    Value resolved(const State& s, Value v) const;
    bool compare_with_fresh(State& s, Value variable, Value fresh);
    bool may_be(const State& s, Value variable, const Fresh& fresh) const;
    Value as_looked_into(const State& s, Value v) const;
    void note_written(State& s, Value v);
    Value copy_fresh(Value v, Heap& heap) const;

    // Operations on data (operations.cpp)
    void mark(State& s, TargetId target, Value condition);
    Value boundary_condition(Value left, Value right, int64_t difference);
    Value make_message(State& s, const op::MakeMessage& o, std::span<const Value> fields);
    Value take_field(State& s, const op::MessageRef& o, Value object);
    void write(State& s, Value port, Value value);
    Value make_fresh(State& s, const op::MakeFresh& o, Value others);

    // What a term is worth (few_values.cpp)
    static constexpr int64_t most_values = 256;
    std::optional<Value> known_value(State& s, Value v);
    Value settled(State& s, Value v, int64_t most = most_values);
    void follow_path(const State& s);
    void list_values(Value v, int64_t most, Fork& fork);
    void list_range(Value v, int64_t low, int64_t high, Fork& fork);
    void list_solutions(State& s, Value v, int64_t most, Fork& fork);
    Value is_condition(Value v, Value constant);

    // Primitives (primitives.cpp, primitives_*.cpp)
    Value primitive(State& s, Prim prim, std::span<const Value> args);
    Value symbolic_primitive(State& s, Prim prim, std::span<const Value> args);
    Value arithmetic(State& s, Prim prim, Value a, Value b);
    Value bits(State& s, Prim prim, Value a, Value b);
    Value shifted(State& s, Value a, Value by);
    std::optional<Value> bits_of_two(State& s, Prim prim, Value a, Value b);
    Value masked(Prim prim, Value x, Value mask);
    std::pair<Value, Value> as_fraction(Value v);
    Value make_fraction(State& s, Value n, Value d);
    Value fraction_arithmetic(State& s, Prim prim, Value a, Value b);
    Value rounded(State& s, Prim prim, Value v);
    Value integer_square_root(State& s, Value v);
    Value equality(State& s, Prim prim, Value a, Value b);
    Value equal_condition(State& s, Value a, Value b, bool deep);
    Value equal_term(State& s, Value a, Value b, bool deep);
    bool open_both(const State& s, Value a, Value b, std::vector<std::pair<Value, Value>>& tasks) const;
    Value of_kind(State& s, Prim prim, Value v);
    Value text(State& s, Prim prim, std::span<const Value> args);
    Value list_of_constants(State& s, Prim prim, Value list);
    Value constant_bytes(State& s, Value bytevector);
    Value stored_bytes(State& s, Value bytevector);
    Value sequence(State& s, Prim prim, std::span<const Value> args);
    Value hash_table(State& s, Prim prim, std::span<const Value> args);
    Value of_constants(State& s, Prim prim, std::vector<Value> operands);
    Value concrete_primitive(Prim prim, std::span<const Value> args);
    std::optional<std::vector<Value>> elements(const State& s, Value v, Kind kind) const;
    uint32_t index_into(State& s, Value index, uint32_t count, const char* operation, const char* what);
    std::string concrete_error(std::span<const Value> args);
    std::string describe(const State& s, Value v) const;

    // Threads, waiting and time (scheduler.cpp, select.cpp)
    struct Turn {
        uint32_t thread; // index
        uint32_t timer;  // clause, or UINT32_MAX
    };
    std::optional<Outcome> schedule(State& s);
    std::vector<Turn> turns(State& s) const;
    static void add_turns(const State& s, uint32_t thread, std::vector<Turn>& all);
    bool is_ready(const State& s, const Thread& t) const;
    bool has_turn(const State& s, const Thread& t, const Wait& wait) const;
    std::optional<Outcome> offer_around(State& s);
    Outcome settle(State& s);
    void begin_wait(State& s, Thread& t, const terminator::Select& select, BlockId block);
    void complete_wait(State& s, Wait& w);
    void next_test(State& s, Thread& t);
    bool is_candidate(State& s, Thread& t, uint32_t i);
    void enter_test(Thread& t, uint32_t clause, bool from_port);
    void give_up(State& s, Thread& t);
    void accept(State& s, Thread& t, const terminator::Accept& a);
    bool fits(State& s, const SelectClause& clause, Value message);
    bool queued(const State& s, Value source) const;
    Value front(State& s, Value channel) const;
    void receive(State& s, Value channel);
    void send(State& s, Value channel, Value v);
    static bool is_same_timer(const Wait& a, const Wait& b);
    bool is_another_clock_running(const State& s, uint32_t timer); // since before the last stable state
    void begin_clock(State& s, uint32_t timer);
    bool may_order_be_lost(const State& s) const;
    Value later(State& s, Value delay, const char* operation);
    Value half_of(Value time);
    Value chosen_delay(State& s, Value delay);
    void start_asking(State& s);
    void resume(State& s);
    void spawn(State& s, Value procedure, bool service, Label site);

    const Program& program_;
    Terms& terms_;
    Observer& observer_;
    const MachineLimits limits_;
    const Code code_;
    FramePool& frames_;
    Heap heap_;
    PrimContext concrete_;
    std::vector<std::optional<DomainId>> domains_; // by type
    DomainId byte_{}, natural_{};
    std::vector<Value> scratch_;
    PathFacts facts_;                                              // of the path that was asked about last
    std::vector<Value> said_;                                      // its conditions
    std::unordered_map<uint32_t, std::pair<Value, Value>> masked_; // by term: what it is the exclusive or of
    Fork fork_;
    Arrival arrival_;
    bool is_within_block_ = false; // the run goes on where it was, without a new step
    std::string text_;
    ErrorAt error_;
    uint64_t steps_ = 0;
    bool concurrent_ = false;
    std::vector<uint8_t> entered_;  // by instruction: a block was begun there, or gone on with
    uint64_t quiet_start_ = 0;      // `steps_` less the running state's quiet steps
    uint64_t pause_at_ = 0;         // the last step before the search must be asked
    uint64_t ask_at_ = 0;           // the same, where a trace pauses at each
    std::vector<Trace> traces_;     // by variant
    const Frame* traced_ = nullptr; // whose block was traced last
    BlockId traced_block_ = no_block;
    Span span_; // of what is being executed
    Label label_ = no_label;
};

} // namespace espalier::sym
