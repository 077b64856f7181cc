// Threads, what they wait for, and time.
//
// Threads run one at a time until they wait, the lowest number first. A waiting thread goes on by itself when
// a channel that its select names is not empty, or when a timer that it names is ready and time has passed
// since the wait began; then its clauses are tried in order. When none can, the model is stable, finished, or
// in deadlock.
//
// Which thread can go on is not asked of each of them: those that were started, that are the first to wait for a
// channel with something in it, or that wait for a timer whose time has come, are kept aside when that happens.
//
// A timer is ready when it runs and its deadline is not in the future. A thread takes at most one timer for each
// passing of time, and only in the wait that it was in.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "lang/vm/runner.hpp"
#include "lang/vm/wait_index.hpp"

namespace espalier::vm {

// What tests of clauses tell while a message is offered around: told to the listener once a clause accepts
// it.
class Recorder : public Listener {
public:
    explicit Recorder(Listener& listener) : listener_(listener) {}
    void display(std::string_view text) override { events_.push_back({.text = std::string(text)}); }
    void mark(TargetId target, uint32_t thread) override {
        events_.push_back({.kind = Event::Kind::mark, .target = target, .thread = thread});
    }
    void step(uint32_t thread, LambdaId lambda, BlockId block, Label site) override {
        events_.push_back(
            {.kind = Event::Kind::step, .thread = thread, .lambda = lambda, .block = block, .site = site});
    }
    uint32_t choose(Label label, uint32_t count) override { return listener_.choose(label, count); }

    void tell();
    void forget() { events_.clear(); }

private:
    struct Event {
        enum class Kind : uint8_t { display, mark, step } kind = Kind::display;
        std::string text = {};
        TargetId target{};
        uint32_t thread = 0;
        LambdaId lambda{};
        BlockId block{};
        Label site{};
    };
    Listener& listener_;
    std::vector<Event> events_;
};

class Scheduler : public RootSet {
public:
    Scheduler(SharedCode& code, Listener& listener, const InterpreterOptions& options);

    Status start();
    Status deliver(PortId port, Value message);
    Status pass_time(std::optional<Value> units); // nothing: to the earliest deadline
    std::vector<Offer> offers();

    const std::optional<ModelError>& error() const { return error_; }
    const std::string& refusal() const { return refusal_; }
    std::optional<Value> result() const { return result_; }
    Value now() const { return now_; }
    Value time_left_to_pass() const { return time_left_; }
    uint64_t looks() const { return looks_; } // at a thread, whether it can go on or takes a message, so far
    uint64_t source_looks() const { return source_looks_; } // at a source of a wait, what it has for clauses, so far
    Runner& runner() { return runner_; }
    const Runner& runner() const { return runner_; }

    // Asked by the runner, about the running thread; each may throw a Fault.
    void spawn(Value procedure, bool service, Label site);
    void send(Thread& thread, Value channel, Value value);
    void start_timer(Value timer, Value delay);
    void stop_timer(Value timer);
    const Instr* begin_wait(Thread& thread); // at a select: the first test to run; null: the thread waits
    const Instr* next_test(Thread& thread);  // a test refused: the next one; null: the thread waits (again)
    void accept(Thread& thread);             // a test accepted

    void mark_roots(Marker& marker) override;

private:
    // Threads
    Status run_threads();
    bool go_on(Thread& thread);
    bool run(Thread& thread);
    void end(Thread& thread);
    Thread* next_ready();
    Thread* first_ready();
    std::vector<Thread*> all_ready();
    Thread* find(uint32_t number);
    void wake_first(Value channel);
    void leave_wait(Thread& thread);
    std::vector<size_t> due_timers(const Thread& thread) const;
    bool is_ready(const Thread& thread);
    Status settle();
    Status fail_deadlock();
    bool fail(const Thread& thread, std::string text, Span better = {});

    // Clauses
    Wait make_wait(const SelectClause& clause, Value source);
    bool can_give(const Thread& thread, const SelectClause* clauses, uint32_t source, Value value);
    bool is_carried(const SelectClause& clause, PortId port) const;
    void need_carried(const SelectClause& clause, PortId port) const;
    static const SelectClause* clauses_of(const Thread& thread) {
        return reinterpret_cast<const SelectClause*>(thread.select->word);
    }
    bool fits(const SelectClause& clause, Value message) const;
    bool is_candidate(Thread& thread, uint32_t clause) const;
    uint32_t next_candidate(const Thread& thread, uint32_t from);
    uint32_t next_from(const Thread& thread, uint32_t source, uint32_t from) const;
    uint32_t next_for(const Thread& thread, uint32_t source, Value message, uint32_t from) const;
    const Instr* enter_test(Thread& thread, uint32_t clause);
    const Instr* give_up(Thread& thread);

    // Time
    bool is_ready(Value timer) const;
    bool is_fired(const Wait& wait) const;
    static bool is_same_timer(const Wait& a, const Wait& b);
    bool has_turn(const Thread& thread, const Wait& wait) const; // a timer that fired
    std::optional<Value> deadline(const Wait& wait) const;       // of a clause on a timer that runs or is ready
    void spend_refused_timers(Thread& thread);
    Value after(Value delay, const char* operation);
    bool has_come(Value time) const { return number::compare(time, now_, "<") <= 0; }

    // Messages from the tester
    std::string not_carried(PortId port, Value message) const;
    std::string why_refused(Value message);
    std::optional<bool> satisfies(Value predicate, Value message);

    const Program& program_;
    const Selects& selects_;
    SharedCode& code_;
    Listener& listener_;
    Recorder recorder_;
    Runner runner_;
    std::map<uint32_t, std::unique_ptr<Thread>> threads_; // that live, by number
    uint32_t thread_count_ = 0;
    size_t in_service_ = 0; // of those
    WaitIndex waits_;
    // Threads that may be able to go on, by number. Of those that wait for a channel with something in it, the first
    // one is among them.
    ThreadSet candidates_;
    std::vector<uint32_t> timed_; // threads whose time has come, since the last stable state
    uint64_t looks_ = 0, source_looks_ = 0;
    Thread* asking_ = nullptr; // a thread of our own that runs a predicate
    Value delivered_;
    PortId delivered_on_{};
    bool taken_ = false;
    bool schedules_;
    bool follows_;
    Value now_ = Value::fixnum(0);
    Value time_left_ = Value::fixnum(0); // of what should pass
    Status status_ = Status::finished;
    std::string refusal_; // why deliver() was refused
    std::optional<ModelError> error_;
    std::optional<Value> result_;
};

} // namespace espalier::vm
