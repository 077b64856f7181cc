// A state of the search: where a path stands, and what it knows. Copying one costs the same whatever its size.
//
// Pairs, messages, closures, strings and big numbers are immutable, and live in one collected heap (lang's Heap) that
// all states share; the collector's roots are the states. An arena of our own would have to keep every object of every
// path that was ever shared, or copy at each fork. What is mutable is in the state's persistent store. Frames below the
// running one are shared and not written: returning into a frame that another state can see copies it first.
//
// An operation that needs a decision about symbolic values is started again in each successor, with the decisions made
// so far (decisions.hpp): so operations decide before they act, and nothing of them need be saved half-way.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lang/lang.hpp"
#include "pda/pda.hpp"
#include "symexec/state/decisions.hpp"
#include "symexec/state/side_records.hpp"
#include "symexec/state/signature.hpp"
#include "symexec/state/store.hpp"
#include "symexec/state/waits.hpp"
#include "symexec/terms/chain.hpp"
#include "symexec/terms/term.hpp"

namespace espalier::sym {

struct Frame {
    uint32_t refs;
    uint32_t round; // of the last collection that saw it
    LambdaId lambda;
    uint32_t count;
    uint32_t back;            // the call that waits for the result, in the machine's code
    Label site;               // the call site that prelude code passes on
    Frame* caller;            // of one that is free: the next free one
    pda::PendingCall pending; // the call that waits, for the oracle; without a node until it is asked for
    // For the oracle too, where they are known: where its blocks are in the tables of the analysis, and the stack's
    // number.
    uint32_t block_base, stack;
    static constexpr uint32_t no_base = UINT32_MAX, no_stack = 0;
    Value variables[1]; // `count` of them
};

// Where frames come from: free lists by size, of the thread, since a search runs on one and its states never leave it.
//
// Slots of a new frame are not cleared. What an old frame left in them was alive after the last collection, for that
// clears the free ones (clear_free), so it is never a dangling reference; at worst something lives a little longer.
class FramePool {
public:
    static FramePool& of_thread();
    ~FramePool();

    Frame* take(LambdaId lambda, uint32_t count) {
        Frame* f = count <= largest ? free_[count] : nullptr;
        if (f != nullptr) [[likely]]
            free_[count] = f->caller;
        else
            f = make(count);
        bytes_ += size_of(count);
        f->refs = 1;
        f->round = 0;
        f->lambda = lambda;
        f->pending.call = pda::no_node;
        f->block_base = Frame::no_base;
        f->stack = Frame::no_stack;
        return f;
    }
    void give(Frame* f) {
        bytes_ -= size_of(f->count);
        if (f->count > largest) return drop(f);
        f->caller = free_[f->count];
        free_[f->count] = f;
    }
    void clear_free();                      // at each collection, and before the first allocation of a new heap
    size_t bytes() const { return bytes_; } // of frames in use

private:
    static constexpr uint32_t largest = 512;
    static size_t size_of(uint32_t count) { return sizeof(Frame) + count * sizeof(Value); }
    Frame* make(uint32_t count);
    static void drop(Frame* f);
    Frame* free_[largest + 1] = {};
    size_t bytes_ = 0;
    std::vector<std::unique_ptr<std::byte[]>> chunks_;
    std::byte *at_ = nullptr, *end_ = nullptr; // what is left of the last
};

// A counted reference to a frame.
class FrameRef {
public:
    FrameRef() = default;
    FrameRef(const FrameRef& other) : frame_(other.frame_) {
        if (frame_ != nullptr) ++frame_->refs;
    }
    FrameRef(FrameRef&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
    FrameRef& operator=(FrameRef other) noexcept {
        std::swap(frame_, other.frame_);
        return *this;
    }
    ~FrameRef() {
        if (frame_ != nullptr) release(frame_);
    }

    static FrameRef make(LambdaId lambda, uint32_t count);
    Frame* operator->() const { return frame_; }
    Frame* get() const { return frame_; }
    explicit operator bool() const { return frame_ != nullptr; }
    void push(FrameRef callee) { // it becomes the running frame, this one its caller
        callee.frame_->caller = frame_;
        frame_ = std::exchange(callee.frame_, nullptr);
    }
    void pop();          // the caller, copied where others see it
    void make_own();     // copied where others see it
    void make_all_own(); // the callers too, without what the oracle left on them
    // The running frame, where no other state sees it: the caller has moved this one's counts to the other.
    void replace(Frame* running) { frame_ = running; }

private:
    static FrameRef copy_of(const Frame& frame); // without a caller
    static void release(Frame* frame);
    Frame* frame_ = nullptr;
};

struct Thread {
    uint32_t number = 0;
    bool service = false;
    bool waiting = false;
    bool may_take_timer = false;
    uint32_t only_timer = UINT32_MAX; // of those that fired, the one of this clause has its turn
    enum class Trial : uint8_t { queues, other, delivery, asking } trial = Trial::queues;
    FrameRef frame;
    uint32_t pc = 0;           // where it stands in the machine's code
    uint32_t tried = 0;        // clause being tried
    BlockId select = no_block; // of the wait, while a clause's test runs
    Waits waits;
    Value source, message; // what the clause being tried takes
};

// One way on from where a path divides: which, of how many, and what is decided there.
struct Turn {
    Choice choice{};
    Subject::Kind about = Subject::Kind::truth;
    friend bool operator==(const Turn&, const Turn&) = default;
};

// Something that happened on a path and belongs to its signature; some of it to the test.
struct Event {
    enum class Kind : uint8_t { branch, choice, input, wait, schedule } kind = Kind::branch;
    bool is_implied = false; // the condition was left out of the path, which says it already
    Subject::Kind about = Subject::Kind::truth;
    Choice choice{};
    PortId port{};
    Value value{};
    Value units = Value::fixnum(0); // an integer, as all times are

    Turn turn() const { return {choice, about}; }
};

// What a path knows of the values that the system under test chooses (`fresh`).
struct FreshFacts {
    struct Written {
        uint32_t number, before;
    }; // the tester knows it in inputs numbered from `before` on
    struct Fact {
        uint32_t ordinal, number;
        bool equal;
        Value fresh;
    }; // of an input compared with a fresh value
    std::vector<Written> written;
    std::vector<Fact> facts;
};

// A timer that was started, by its address, and how many stable states had been left then.
struct Clock {
    uint32_t timer, since;
};

// A mark that was passed, and the condition under which it counts.
struct HeldMark {
    TargetId target;
    Value condition;
};

// An operation that looked into a message whose condition must be asked first.
struct Interrupted {
    uint32_t running; // index of its thread
    Decisions decisions;
};

struct State {
    Chain<Value> path;    // conditions, each a boolean term
    Chain<Value> implied; // and those that were left out, since the path says them already
    Chain<Event> events;
    Chain<SolverWord> words;       // that decided which ways there were
    SignatureHash signature;       // of the events so far
    Store store;                   // globals first
    std::vector<Thread> threads;   // that live, by number
    uint32_t running = UINT32_MAX; // index in `threads`
    uint32_t first_ready = 0;      // no thread with a lower index can go on by itself
    uint32_t thread_count = 0;
    uint32_t k = 0;         // the bound's counter
    uint32_t left = 0;      // stable states on the way here
    uint32_t variables = 0; // symbolic inputs so far
    uint32_t fresh_count = 0;
    FreshFacts fresh;
    uint32_t timers = 0, channels = 0;
    uint64_t queued = 0; // messages in all channels
    Value now = Value::fixnum(0);
    std::vector<Clock> clocks;               // those that run, and some that do so no longer
    uint64_t quiet_steps = 0;                // since the last stable state
    bool verified = true;                    // the path condition is known to be satisfiable
    std::shared_ptr<const Assignment> model; // that satisfies it, where verified
    Label undecided = no_label;              // where the solver gave up, where not

    SideRecords records; // of parts of the search, for themselves

    Decisions decisions;     // of the operation being executed
    BlockId next = no_block; // where they lead, at a branch or a choice that they decide; for the oracle

    // While a message of the tester is offered around.
    bool delivering = false;
    PortId port{};
    Value delivered;
    uint32_t offered_to = 0;              // index of the thread that tries it
    std::vector<Value> to_ask;            // messages whose definitions' conditions are still to be asked
    std::vector<Interrupted> interrupted; // operations that wait for such conditions, the innermost last
    std::vector<HeldMark> held;           // marks that count once a clause accepts
    std::vector<TargetId> passed;         // marks on the way from a target to the next stable state
};

// How many conditions the path has beyond those that most paths have. What looks at all conditions of a path takes no
// time to speak of up to there, and then time with their number.
inline uint64_t conditions_beyond_usual(const State& s) {
    constexpr uint32_t usual = 1024;
    return s.path.size() > usual ? s.path.size() - usual : 0;
}
// When a clause's time comes, where it waits for a running timer, or for a delay that it has not used up; the earliest
// of all; and has it come? (scheduler.cpp)
std::optional<Value> deadline(const State& state, const Wait& wait);
std::optional<Value> earliest_deadline(const State& state);
bool is_fired(const State& state, const Wait& wait);
// Does something stand in the channel?
inline bool holds_message(const State& s, Value channel) {
    return !s.store.get(channel.payload() + 1).is_null() || !s.store.get(channel.payload() + 2).is_null();
}
// May the thread, by its index, still be offered what the tester sends?
inline bool may_be_offered(const State& s, uint32_t thread) { return s.delivering && thread >= s.offered_to; }

} // namespace espalier::sym
