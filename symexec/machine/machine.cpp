// Control: blocks, calls and returns.
#include "symexec/machine/machine.hpp"

#include <algorithm>

namespace espalier::sym {

Machine::Machine(const Program& program, Terms& terms, Observer& observer, const MachineLimits& limits)
    : program_(program), terms_(terms), observer_(observer), limits_(limits), code_(program),
      frames_(FramePool::of_thread()), concrete_{heap_, program, nullptr}, domains_(program.types.size()),
      facts_(terms) {
    frames_.clear_free();
    entered_.assign(code_.size(), 0);
    if (limits.traced != nullptr)
        for (const Variant& v : limits.traced->variants()) {
            const std::vector<bool> none(program[v.lambda].block_count, false);
            traces_.push_back({none, none, none});
        }
    byte_ = terms_.add_domain({Sort::integer, Value::fixnum(0), Value::fixnum(255), {}, Value::fixnum(0)});
    natural_ = terms_.add_domain({Sort::integer, Value::fixnum(0), {}, {}, Value::fixnum(0)});
}

Value Machine::variable(const Thread& t, VarId v) const {
    return t.frame->variables[code_.slots(t.frame->lambda)[index(v)]];
}

State Machine::initial() {
    State s;
    s.model = std::make_shared<const Assignment>();
    s.store.allocate(static_cast<uint32_t>(program_.globals.size()), Value::unbound());
    Thread main;
    main.number = s.thread_count++;
    main.frame = FrameRef::make(program_.top, code_.entry(program_.top).slots);
    main.pc = code_.entry(program_.top).pc;
    s.threads.push_back(std::move(main));
    return s;
}

// An operation that throws is not undone: it acts only after its last decision.
Outcome Machine::run(State& s) {
    is_within_block_ = false;
    arrival_ = {};
    return run_all(s);
}

Outcome Machine::go_on(State& s, const Arrival& after) {
    is_within_block_ = after.is_within_block;
    return run_all(s);
}

Outcome Machine::run_all(State& s) {
    span_ = {};
    label_ = no_label;
    s.decisions.start_again();
    traced_ = nullptr;
    if (s.running != UINT32_MAX) s.threads[s.running].frame.make_own();
    const Watch watch(*this, s);
    for (;;) {
        try {
            return run_on(s);
        } catch (const Ask&) {
            s.interrupted.push_back({s.running, std::move(s.decisions)});
            s.decisions = {};
            s.running = UINT32_MAX;
        }
    }
}

Outcome Machine::run_on(State& s) {
    try {
        for (;;) {
            if (is_interrupted()) [[unlikely]]
                pause_soon();
            if (s.running == UINT32_MAX && !s.interrupted.empty()) {
                resume(s);
                continue;
            }
            if (s.running == UINT32_MAX) {
                if (const auto outcome = schedule(s)) return *outcome;
                s.decisions.finish();
                continue;
            }
            if (const auto outcome = run_thread(s)) return *outcome;
        }
    } catch (Fork& needed) {
        locate(s);
        fork_ = std::move(needed);
        if (fork_.label == no_label) fork_.label = label_;
        return Outcome::fork;
    } catch (const Fault& fault) {
        locate(s);
        blame_caller(s);
        if (fault.span.known()) span_ = fault.span;
        return fail(s, fault.text);
    } catch (const PrimitiveError& e) {
        locate(s);
        blame_caller(s);
        return fail(s, e.what());
    } catch (const Unsupported& e) {
        label_ = author_label(s);
        text_ = e.what();
        return Outcome::unsupported;
    } catch (const Infeasible&) {
        return Outcome::infeasible;
    } catch (const AssumeFailed&) {
        return Outcome::assume_failed;
    }
}

// ── Steps ──

Machine::Watch::Watch(Machine& machine, State& state) : machine_(machine), state_(state) {
    machine.quiet_start_ = machine.steps_ - state.quiet_steps;
    machine.set_pause();
}

Machine::Watch::~Watch() { machine_.note_steps(state_); }

// The next number of steps at which somebody must be asked.
void Machine::set_pause() {
    constexpr uint64_t between_questions = 4096;
    ask_at_ = (steps_ / between_questions + 1) * between_questions;
    const uint64_t quiet = steps_ - quiet_start_;
    const uint64_t left = limits_.quiet_steps - std::min(quiet, limits_.quiet_steps);
    if (left < UINT64_MAX - steps_) ask_at_ = std::min(ask_at_, steps_ + left);
    if (limits_.steps != 0) ask_at_ = std::min(ask_at_, limits_.steps);
    pause_at_ = limits_.traced != nullptr ? 0 : ask_at_;
}

// The block that begins now, in its variant; and the way there, where the block before it in the same frame branches.
void Machine::trace(const State& s) {
    const Thread& t = s.threads[s.running];
    const VariantId v = limits_.traced->variant(t.frame->lambda, t.frame->site);
    const Lambda& lambda = program_[t.frame->lambda];
    if (v == no_variant) return;
    uint32_t low = 0, high = lambda.block_count; // blocks of a λ are decoded one after the other
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        (code_.start(BlockId{lambda.first_block + middle}) <= t.pc ? low : high) = middle;
    }
    Trace& trace = traces_[index(v)];
    const BlockId now{lambda.first_block + low};
    trace.entered[low] = true;
    if (traced_ == t.frame.get())
        if (const auto* b = std::get_if<terminator::Branch>(&program_[traced_block_].terminator.kind); b != nullptr) {
            const uint32_t from = index(traced_block_) - lambda.first_block;
            if (b->then_block == now) trace.then[from] = true;
            if (b->else_block == now) trace.other[from] = true;
        }
    traced_ = t.frame.get();
    traced_block_ = now;
}

// The block that is about to begin is not counted where it does not.
std::optional<Outcome> Machine::pause(State& s) {
    if (limits_.traced != nullptr) trace(s);
    if (steps_ <= ask_at_) return std::nullopt;
    --steps_;
    note_steps(s);
    if (s.quiet_steps >= limits_.quiet_steps) return Outcome::out_of_steps;
    if ((limits_.steps != 0 && steps_ >= limits_.steps) || observer_.should_stop()) return Outcome::stopped;
    set_pause();
    ++steps_;
    return std::nullopt;
}

// Where the state stands: looked up only when somebody wants to know. Between threads, whoever waits has said it.
void Machine::locate(const State& s) {
    if (s.running == UINT32_MAX) return;
    const Instruction& i = code_.at(s.threads[s.running].pc);
    const bool ends_block = i.op >= Opcode::terminator;
    label_ = ends_block ? program_[BlockId{i.e}].terminator.label : program_.ops[i.e].label;
    span_ = ends_block ? program_[BlockId{i.e}].terminator.span : program_.ops[i.e].span;
}

// What happens in prelude code happened, for the author, where it was called: the frame's call site says where.
Label Machine::author_label(const State& s) const {
    if (s.running == UINT32_MAX) return label_; // whoever waits has said it
    const Thread& t = s.threads[s.running];
    if (program_[t.frame->lambda].prelude && t.frame->site != no_label) return t.frame->site;
    const Instruction& i = code_.at(t.pc);
    const bool ends_block = i.op >= Opcode::terminator || i.op == Opcode::move;
    return ends_block ? program_[BlockId{i.e}].terminator.label : program_.ops[i.e].label;
}

void Machine::blame_caller(const State& s) {
    if (s.running == UINT32_MAX) return;
    const FrameRef& frame = s.threads[s.running].frame;
    if (!program_[frame->lambda].prelude || frame->site == no_label) return;
    label_ = frame->site;
    for (const Block& block : program_.blocks) {
        if (block.terminator.label == label_) span_ = block.terminator.span;
        for (const Operation& op : program_.operations(block))
            if (op.label == label_) span_ = op.span;
    }
}

// What only a solution could name reads the same on every path, so that a mistake is reported once.
Outcome Machine::fail(State&, std::string text) {
    for (const auto& [mark, name] :
         {std::pair<std::string, std::string>{"#<term ", "an input value"}, {"#<address ", "an object"}}) {
        for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
            const size_t end = text.find('>', at);
            text.replace(at, end == std::string::npos ? end : end - at + 1, name);
        }
    }
    error_ = {std::move(text), span_, label_};
    return Outcome::model_error;
}

void Machine::jump(Thread& t, BlockId to, VarList args) {
    const auto from = program_.list(args), into = program_.list(program_[to].params);
    const uint32_t* slots = code_.slots(t.frame->lambda);
    Value* v = t.frame->variables;
    scratch_.clear();
    for (VarId x : from) scratch_.push_back(v[slots[index(x)]]);
    for (size_t i = 0; i < into.size(); ++i) v[slots[index(into[i])]] = scratch_[i];
    t.pc = code_.start(to);
}

std::optional<Outcome> Machine::terminate(State& s, Thread& t, BlockId at) {
    const Block& block = program_[at];
    const auto value = [&](VarId x) { return t.frame->variables[code_.slots(t.frame->lambda)[index(x)]]; };
    const TerminatorKind& kind = block.terminator.kind;
    switch (kind.index()) {
    case 0: {
        const auto& j = std::get<terminator::Jump>(kind);
        jump(t, j.target, j.args);
        return std::nullopt;
    }
    case 1: {
        const auto& b = std::get<terminator::Branch>(kind);
        const Value condition = value(b.condition);
        if (s.decisions.empty() && terms_.is_sort(condition, Sort::boolean)) { // by far the most common fork
            fork_ = {{condition, terms_.negation(condition)},
                     {.kind = Subject::Kind::truth, .of = condition},
                     block.terminator.label};
            return Outcome::fork;
        }
        const bool holds = decide(s, condition);
        t.pc = code_.start(holds ? b.then_block : b.else_block);
        return std::nullopt;
    }
    case 2: {
        const auto& c = std::get<terminator::Call>(kind);
        call(s, t, value(c.callee), c.args, c.known, c.spread, true, block.terminator.label);
        return std::nullopt;
    }
    case 3: {
        const auto& c = std::get<terminator::TailCall>(kind);
        call(s, t, value(c.callee), c.args, c.known, c.spread, false, block.terminator.label);
        return std::nullopt;
    }
    case 4: return return_value(s, t, value(std::get<terminator::Return>(kind).value));
    case 5: begin_wait(s, t, std::get<terminator::Select>(kind), at); return std::nullopt;
    case 6: accept(s, t, std::get<terminator::Accept>(kind)); return std::nullopt;
    case 7: next_test(s, t); return std::nullopt;
    case 8: {
        const auto& c = std::get<terminator::Choose>(kind);
        const Subject subject{.kind = Subject::Kind::choice};
        const Decision* made = s.decisions.find(subject);
        if (made == nullptr) {
            fork_ = {std::vector<Value>(c.count, Value::boolean(true)), subject, block.terminator.label,
                     Event::Kind::choice};
            return Outcome::fork;
        }
        t.pc = code_.start(program_.choices[c.first + made->way_of(c.count)]);
        return std::nullopt;
    }
    }
    static_assert(std::variant_size_v<TerminatorKind> == 9, "a terminator without a meaning here");
    return std::nullopt;
}

// ── Calls ──

// A callee that `returns` finds its caller below it; otherwise it takes this frame's place.
void Machine::call(State& s, Thread& t, Value callee, VarList list, LambdaId known, bool spread, bool returns,
                   Label label) {
    const uint32_t* slots = code_.slots(t.frame->lambda);
    scratch_.clear();
    for (VarId x : program_.list(list)) scratch_.push_back(t.frame->variables[slots[index(x)]]);
    if (spread) {
        Value rest = forced(s, scratch_.back());
        const Value whole = rest;
        scratch_.pop_back();
        for (; is_pair(rest); rest = forced(s, as_pair(rest).cdr)) scratch_.push_back(as_pair(rest).car);
        if (!rest.is_null()) throw Fault{"apply: " + describe(s, whole) + " is not a list"};
    }
    FrameRef frame = enter(s, callee, scratch_, known);
    const bool inherits = program_[t.frame->lambda].prelude && t.frame->site != no_label;
    frame->site = inherits ? t.frame->site : label;
    const uint32_t entry = code_.entry(frame->lambda).pc;
    if (returns) {
        frame->back = t.pc;
        t.frame.push(std::move(frame));
    } else {
        frame->back = t.frame->back;
        frame->caller = t.frame->caller;
        if (frame->caller != nullptr) ++frame->caller->refs;
        t.frame = std::move(frame);
    }
    t.pc = entry;
    if (heap_.due()) observer_.collect();
}

FrameRef Machine::enter(State& s, Value callee, std::span<const Value> args, LambdaId known) {
    if (!is_type(callee, ObjectType::closure)) {
        if (callee.is_unbound()) throw Fault{"a procedure is called before its definition"};
        throw Fault{describe(s, callee) + " is not a procedure, but it is called with " + std::to_string(args.size()) +
                    (args.size() == 1 ? " argument" : " arguments")};
    }
    const Closure& closure = as_closure(callee);
    LambdaId id = known;
    if (id == no_lambda) {
        for (id = closure.lambda; id != no_lambda; id = program_[id].next_case) {
            const Lambda& l = program_[id];
            if (args.size() == l.required || (l.rest && args.size() > l.required)) break;
        }
    }
    if (id == no_lambda)
        throw Fault{std::string(name_of(program_[closure.lambda].name)) + " is called with " +
                    std::to_string(args.size()) + (args.size() == 1 ? " argument" : " arguments") +
                    ", which it does not take"};
    const Lambda& lambda = program_[id];
    FrameRef frame = FrameRef::make(id, code_.entry(id).slots);
    Value* v = frame->variables;
    std::copy_n(args.begin(), lambda.required, v);
    if (lambda.rest) v[lambda.required] = heap_.list(args.subspan(lambda.required));
    std::copy_n(static_cast<const Value*>(closure.captures), lambda.captures, v + lambda.params());
    if (code_.entry(id).uses_self) v[index(lambda.self())] = callee;
    return frame;
}

std::optional<Outcome> Machine::return_value(State& s, Thread& t, Value v) {
    if (t.frame->caller != nullptr) {
        const Instruction& call = code_.at(t.frame->back);
        t.frame.pop();
        t.frame->variables[call.d] = v;
        t.pc = call.back();
        return std::nullopt;
    }
    const bool asked = t.trial == Thread::Trial::asking;
    if (asked && !decide(s, v)) return Outcome::infeasible; // the tester may not send it
    s.threads.erase(s.threads.begin() + s.running);
    if (s.running < s.first_ready) --s.first_ready;
    s.running = UINT32_MAX;
    s.decisions.finish();
    return std::nullopt;
}

void Machine::mark(const State& s, Marker& marker, uint32_t round) const {
    s.store.mark(marker, round);
    for (const Thread& t : s.threads) {
        for (Frame* f = t.frame.get(); f != nullptr && f->round != round; f = f->caller) {
            f->round = round;
            marker.mark(std::span<const Value>(f->variables, f->count));
        }
        for (const Wait& w : t.waits) {
            marker.mark(w.source);
            marker.mark(w.deadline);
        }
        marker.mark(t.source);
        marker.mark(t.message);
    }
    for (const auto* e = s.events.last(); e != nullptr; e = e->before) {
        marker.mark(e->item.value);
        marker.mark(e->item.units);
    }
    for (const FreshFacts::Fact& f : s.fresh.facts) marker.mark(f.fresh);
    marker.mark(s.now);
    marker.mark(s.delivered);
    marker.mark(s.to_ask);
}

} // namespace espalier::sym
