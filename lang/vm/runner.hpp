// The runner of register code: it runs one thread at a time, until the thread waits, ends or fails.
//
// Threads, channels and time are the scheduler's affair; the runner asks the scheduler where an instruction concerns
// them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lang/primitives/concrete.hpp"
#include "lang/values/number.hpp"
#include "lang/vm/interpreter.hpp"
#include "lang/vm/shared_code.hpp"
#include "lang/vm/thread.hpp"

namespace espalier::vm {

class Scheduler;

// The author's mistake, met by the running thread; the place is that of its current instruction, unless the fault knows
// a better one.
struct Fault {
    std::string text;
    Span span = {};
};

enum class Outcome : uint8_t { waits, ended, assume_failed, out_of_steps, stopped };

class Runner {
public:
    Runner(SharedCode& code, Listener& listener, const InterpreterOptions& options);
    ~Runner() { shared_.end(); }
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // Puts a call of the closure, which takes `args`, on the thread's empty stack.
    void prepare(Thread& thread, Value closure, std::span<const Value> args, Label site);
    // Runs the thread from where it is. Throws Fault and PrimitiveError; the thread is then where it
    // happened.
    Outcome run(Thread& thread);
    Value result(const Thread& thread) const { return thread.stack.begin()[0]; } // of one that ended

    ModelError model_error(const Thread& thread, std::string text, Span better = {}) const;
    Span span(const Thread& thread) const { return place_of(thread.pc).span; } // of its current instruction
    Symbol procedure(const Thread& thread) const;
    Value top_closure() { return shared_.closure(program.top); }
    Value global(GlobalId id) const { return globals_[index(id)]; }

    void mark_thread(Marker& marker, Thread& thread);
    void mark_roots(Marker& marker);

    uint64_t steps() const { return static_cast<uint64_t>(steps_given_ - (fuel_ + spare_fuel_)); }
    bool is_stopped() const { return options.stop != nullptr && options.stop->load(std::memory_order_relaxed); }
    void set_scheduler(Scheduler& scheduler) { scheduler_ = &scheduler; }

    const Program& program;
    const InterpreterOptions options;
    Listener* listener;
    Heap heap;
    std::vector<Value> fresh_values; // by number, from 1: the tester may name them in inputs

private:
    const void* const* handlers();
    Outcome loop(Thread* thread, const void* const** handlers);

    // Where the loop leaves the fast path; each may throw.
    Value* grow(const Instr* pc, Value* base, size_t need);
    bool safe_point(Thread& thread);
    Value primitive(const Instr* pc, Value* base, Prim prim, const Value* args, uint32_t count);
    Value primitive(const Instr* pc, Value* base, Prim prim, Value x, Value y);
    Value primitive(const Instr* pc, Value* base, Prim prim, Value x);
    bool compare(const Instr* pc, Value* base, Prim tested, bool negated, Prim written, Value x, Value y);
    Value primitive_n(const Instr* pc, Value* base);
    void make_closure(const Instr* pc, Value* base);
    void make_record(const Instr* pc, Value* base);
    void make_message(const Instr* pc, Value* base);
    void make_fresh(const Instr* pc, Value* base, Value others, bool distinct);
    void write(const Instr* pc, Value* base);
    const Code* enter(const Instr* pc, Value* base, Value callee, int32_t distance, uint32_t count, bool spread);
    uint32_t spread_arguments(const Instr* pc, Value* base, int32_t distance, uint32_t count);
    [[noreturn]] void fail(const Instr* pc, Value* base, std::string text);
    [[noreturn]] void fail_unbound(const Instr* pc, Value* base, Symbol name);
    [[noreturn]] void fail_record(const Instr* pc, Value* base, Value object, bool setting);
    [[noreturn]] void fail_message(const Instr* pc, Value* base, Value object);
    [[noreturn]] void fail_arity(LambdaId lambda, uint32_t count);
    void leave(const Instr* pc, Value* base) {
        running_->pc = pc;
        running_->base = base;
    }
    void note_allocation() {
        if (heap.due()) [[unlikely]]
            ask_soon();
    }
    // Makes the next call a safe point.
    void ask_soon() {
        spare_fuel_ += fuel_;
        fuel_ = 0;
    }
    void set_aside_fuel();
    // After an operation that may have taken long; what it made costs steps too.
    void note_work(Value made) {
        spare_fuel_ -= static_cast<int64_t>(work_of(made));
        if (fuel_ + spare_fuel_ < 0 || is_stopped()) [[unlikely]]
            ask_soon();
    }
    Place place_of(const Instr* pc) const;
    std::optional<BacktraceEntry> call_site(Label label) const;

    std::vector<Value> globals_;
    SharedCode& shared_;
    Code* codes_; // of `shared_`, by λ
    std::vector<PrimFunction> primitives_;
    std::string displayed_;
    PrimContext prim_context_;
    Scheduler* scheduler_ = nullptr;
    Instr end_[call_cells + 1]; // the call that waits for a thread's first procedure, and what follows it

    Thread* running_ = nullptr;
    Value* stack_end_ = nullptr; // of the running thread
    // A call takes one; at none it is a safe point. `spare_fuel_` is what was set aside to make that happen
    // soon.
    int64_t fuel_ = 0;
    int64_t spare_fuel_ = 0;
    int64_t steps_given_ = 0;
};

} // namespace espalier::vm
