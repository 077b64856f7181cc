// The runner around its loop: setting up, safe points, and where a failure
// happened.
#include "lang/vm/runner.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "lang/vm/scheduler.hpp"

namespace espalier::vm {

// ── Stacks ──

// Zeroed words are small integers for the collector.
Value* Stack::allocate(size_t words) {
    for (;;) { // as `new` does, with memory that is zero already
        if (void* result = std::calloc(words, sizeof(Value)); result != nullptr) return static_cast<Value*>(result);
        const std::new_handler make_room = std::get_new_handler();
        if (make_room == nullptr) throw std::bad_alloc();
        make_room();
    }
}

void Stack::resize(size_t words, size_t used) {
    Value* bigger = allocate(words);
    std::copy_n(words_.get(), used, bigger);
    words_.reset(bigger);
    size_ = words;
}

// ── Setting up ──

Runner::Runner(SharedCode& code, Listener& the_listener, const InterpreterOptions& the_options)
    : program(code.program()), options(the_options), listener(&the_listener),
      globals_(program.globals.size(), Value::unbound()), shared_(code),
      codes_(code.codes()), prim_context_{heap, program, &displayed_} {
    assert((code.tracing() == SharedCode::Tracing{options.follow, options.trace_assignments}));
    for (size_t i = 0; i < prim_count; ++i) primitives_.push_back(concrete(static_cast<Prim>(i)));
    shared_.begin(handlers());
    end_[0].a = 1 + header_size; // a thread's first frame lies above its result
    end_[0].b = 0;
    end_[call_cells].handler = handlers()[static_cast<size_t>(Op::halt)];
    steps_given_ = options.step_limit == 0
                       ? INT64_MAX / 2
                       : static_cast<int64_t>(std::min<uint64_t>(options.step_limit, INT64_MAX / 2));
    fuel_ = steps_given_;
    set_aside_fuel();
}

void Runner::prepare(Thread& thread, Value closure, std::span<const Value> args, Label site) {
    const Code& code = codes_[index(as_closure(closure).lambda)];
    thread.base = thread.stack.begin() + 1 + header_size;
    thread.base[closure_slot] = closure;
    thread.base[return_slot] = Value::from_bits(reinterpret_cast<uint64_t>(&end_[0]));
    thread.base[site_slot] = Value::fixnum(index(site));
    std::copy(args.begin(), args.end(), thread.base);
    thread.pc = code.entry;
    if (thread.base + code.need > thread.stack.end()) {
        const size_t depth = 1 + header_size;
        thread.stack.resize(depth + code.need, thread.stack.size());
        thread.base = thread.stack.begin() + depth;
    }
}

// ── Safe points ──

bool Runner::safe_point(Thread& thread) {
    fuel_ += spare_fuel_;
    spare_fuel_ = 0;
    if (is_stopped()) return false; // perhaps there is no memory left to collect with
    if (heap.due()) {
        heap.collect(*scheduler_);
        stack_end_ = thread.stack.end();
    }
    const bool enough = fuel_ >= 0;
    set_aside_fuel();
    return enough;
}

// Where the run may be asked to end, there is a safe point every few thousand calls.
void Runner::set_aside_fuel() {
    constexpr int64_t between_questions = 4096;
    if (options.stop == nullptr || fuel_ <= between_questions) return;
    spare_fuel_ = fuel_ - between_questions;
    fuel_ = between_questions;
}

void Runner::mark_roots(Marker& marker) {
    marker.mark(globals_);
    marker.mark(fresh_values);
}

// Also clears what lies above the running frame, and gives back most of a stack that was once deep.
void Runner::mark_thread(Marker& marker, Thread& thread) {
    const auto depth = static_cast<size_t>(thread.base - thread.stack.begin());
    const size_t used = depth + shared_.code_of(thread.pc).need;
    marker.mark({thread.stack.begin(), used});
    if (thread.stack.size() > 4 * used && thread.stack.size() > size_t{1} << 14) {
        thread.stack.resize(2 * used, used);
        thread.base = thread.stack.begin() + depth;
    } else {
        std::fill(thread.stack.begin() + used, thread.stack.end(), Value::fixnum(0));
    }
    for (const Wait& wait : thread.waits) {
        marker.mark(wait.source);
        marker.mark(wait.deadline);
    }
    marker.mark(thread.source);
    marker.mark(thread.message);
}

// The callee's frame, whose header and arguments stand, does not fit: moves the stack to where it does.
Value* Runner::grow(const Instr* pc, Value* base, size_t need) {
    Thread& thread = *running_;
    const auto depth = static_cast<size_t>(base - thread.stack.begin());
    const size_t most = options.stack_limit / sizeof(Value);
    const size_t wanted = depth + need;
    if (wanted > most) {
        const auto* call = reinterpret_cast<const Instr*>(base[return_slot].bits());
        if (call != &end_[0]) leave(call, base - call->a);
        throw Fault{"recursion too deep"};
    }
    leave(pc, base);
    thread.stack.resize(std::min(most, std::max(wanted, 2 * thread.stack.size())), thread.stack.size());
    stack_end_ = thread.stack.end();
    return thread.base = thread.stack.begin() + depth;
}

// ── Where it happened ──

Place Runner::place_of(const Instr* pc) const {
    const Place* found = shared_.code_of(pc).place(pc);
    return found != nullptr ? *found : Place{0, no_label, {}};
}

Symbol Runner::procedure(const Thread& thread) const { return program[shared_.code_of(thread.pc).lambda].name; }

// Where a call site is. Only errors ask, so a search will do.
std::optional<BacktraceEntry> Runner::call_site(Label label) const {
    if (label == no_label) return std::nullopt;
    for (const Block& block : program.blocks) {
        const Symbol name = program[block.lambda].name;
        if (block.terminator.label == label) return BacktraceEntry{name, block.terminator.span};
        for (const Operation& op : program.operations(block))
            if (op.label == label) return BacktraceEntry{name, op.span};
    }
    return std::nullopt;
}

// What happens in prelude code happened, for the author, where it was called: the frame's call site says
// where, even when that was a tail call.
ModelError Runner::model_error(const Thread& thread, std::string text, Span better) const {
    ModelError error;
    error.text = std::move(text);
    const Place here = place_of(thread.pc);
    error.label = here.label;
    error.span = better.known() ? better : here.span;
    const auto is_prelude = [&](const Code& code) { return program[code.lambda].prelude; };
    Label site = no_label;
    if (is_prelude(shared_.code_of(thread.pc))) {
        site = Label{static_cast<uint32_t>(thread.base[site_slot].as_fixnum())};
        if (const auto entry = call_site(site)) {
            error.span = entry->span;
            error.backtrace.push_back(*entry);
        }
    }
    const Instr* pc = thread.pc;
    const Value* base = thread.base;
    std::vector<BacktraceEntry> outer;
    while (true) {
        const Code& code = shared_.code_of(pc);
        const Place place = place_of(pc);
        if (!is_prelude(code) && (site == no_label || place.label != site))
            outer.push_back({program[code.lambda].name, place.span});
        if (!is_prelude(code)) site = no_label;
        const auto* call = reinterpret_cast<const Instr*>(base[return_slot].bits());
        if (call == &end_[0]) break;
        pc = call;
        base -= call->a;
    }
    constexpr size_t most = 12, last = 4;
    if (outer.size() + error.backtrace.size() > most) {
        const size_t first = most - last - 1 - error.backtrace.size();
        outer[first] = {intern("…"), {}};
        outer.erase(outer.begin() + static_cast<std::ptrdiff_t>(first) + 1, outer.end() - last);
    }
    error.backtrace.insert(error.backtrace.end(), outer.begin(), outer.end());
    return error;
}

} // namespace espalier::vm
