// Control: blocks, calls and returns.
#include "symexec/machine.hpp"

#include <algorithm>

namespace espalier::sym {

namespace {

// Two small integers: most of what a model computes. False where it takes the long way.
inline bool small_primitive(Prim prim, Value x, Value y, Value& result) {
    if (((x.bits() | y.bits()) & 7) != Value::fixnum_tag) return false;
    const int64_t a = x.as_fixnum(), b = y.as_fixnum();
    switch (prim) {
    case Prim::add: result = Value::fixnum(a + b); return Value::fits_fixnum(a + b);
    case Prim::sub: result = Value::fixnum(a - b); return Value::fits_fixnum(a - b);
    case Prim::num_eq:
    case Prim::eq:
    case Prim::eqv:
    case Prim::equal: result = Value::boolean(a == b); return true;
    case Prim::lt: result = Value::boolean(a < b); return true;
    case Prim::le: result = Value::boolean(a <= b); return true;
    case Prim::gt: result = Value::boolean(a > b); return true;
    case Prim::ge: result = Value::boolean(a >= b); return true;
    default: return false;
    }
}

} // namespace

Machine::Machine(const Program& program, Terms& terms, Observer& observer, const ExploreOptions& options)
    : program_(program), terms_(terms), observer_(observer), options_(options), concrete_{heap_, program, nullptr},
      domains_(program.types.size()) {
    byte_ = terms_.add_domain({Sort::integer, Value::fixnum(0), Value::fixnum(255), {}, Value::fixnum(0)});
}

State Machine::initial() {
    State s;
    s.k = options_.depth;
    s.model = std::make_shared<const Assignment>();
    s.store.allocate(static_cast<uint32_t>(program_.globals.size()), Value::unbound());
    Thread main;
    main.number = s.thread_count++;
    main.frame = FrameRef::make(program_.top, program_[program_.top].variables);
    main.block = BlockId{program_[program_.top].first_block};
    s.threads.push_back(std::move(main));
    return s;
}

// An operation that throws is not undone: it acts only after its last decision.
Outcome Machine::run(State& s) {
    span_ = {};
    label_ = no_label;
    s.decided = 0;
    if (s.running != UINT32_MAX) s.threads[s.running].frame.make_own();
    try {
        for (;;) {
            if (s.running == UINT32_MAX) {
                if (const auto outcome = schedule(s)) return *outcome;
                s.decisions.clear();
                s.decided = 0;
                continue;
            }
            if (const auto outcome = run_block(s)) return *outcome;
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
        text_ = e.what();
        return Outcome::unsupported;
    } catch (const Infeasible&) {
        return Outcome::infeasible;
    } catch (const AssumeFailed&) {
        return Outcome::assume_failed;
    }
}

// Where the state stands: looked up only when somebody wants to know. Between threads, whoever waits has said it.
void Machine::locate(const State& s) {
    if (s.running == UINT32_MAX) return;
    const Thread& t = s.threads[s.running];
    const Block& block = program_[t.block];
    const bool in_ops = t.op < block.op_count;
    label_ = in_ops ? program_.ops[block.first_op + t.op].label : block.terminator.label;
    span_ = in_ops ? program_.ops[block.first_op + t.op].span : block.terminator.span;
}

// What happens in prelude code happened, for the author, where it was called: the frame's call site says where.
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
    error_ = {std::move(text), span_, label_, {}, {}};
    return Outcome::model_error;
}

std::optional<Outcome> Machine::run_block(State& s) {
    if (heap_.due()) observer_.collect();
    if (s.quiet_steps++ >= options_.quiet_step_limit) return Outcome::out_of_steps;
    ++steps_;
    Thread& t = s.threads[s.running];
    const Block& block = program_[t.block];
    const Operation* ops = program_.ops.data() + block.first_op;
    Value* v = t.frame->variables;
    while (t.op < block.op_count) {
        const Operation& op = ops[t.op];
        // The commonest operations here, all others in execute(), which also knows these.
        if (const auto* c = std::get_if<op::Constant>(&op.kind)) {
            v[index(c->dst)] = c->value;
            ++t.op;
            continue;
        }
        if (const auto* p = std::get_if<op::Primitive>(&op.kind); p != nullptr && p->args.count == 2) {
            const VarId* args = program_.variables.data() + p->args.first;
            Value result;
            if (small_primitive(p->prim, v[index(args[0])], v[index(args[1])], result)) {
                v[index(p->dst)] = result;
                ++t.op;
                continue;
            }
        }
        execute(s, t, op);
        if (!s.decisions.empty()) {
            s.decisions.clear();
            s.decided = 0;
        }
        if (marked(op.kind)) continue;                    // has moved on itself
        if (std::holds_alternative<op::Spawn>(op.kind)) { // the threads have moved
            ++s.threads[s.running].op;
            return std::nullopt;
        }
        ++t.op;
    }
    auto outcome = terminate(s, t, block);
    if (!outcome && !s.decisions.empty()) {
        s.decisions.clear();
        s.decided = 0;
    }
    return outcome;
}

void Machine::jump(Thread& t, BlockId to, VarList args) {
    const auto from = program_.list(args), into = program_.list(program_[to].params);
    Value* v = t.frame->variables;
    if (from.size() == 1) {
        v[index(into[0])] = v[index(from[0])];
    } else if (!from.empty()) {
        scratch_.clear();
        for (VarId x : from) scratch_.push_back(v[index(x)]);
        for (size_t i = 0; i < into.size(); ++i) v[index(into[i])] = scratch_[i];
    }
    t.block = to;
    t.op = 0;
}

std::optional<Outcome> Machine::terminate(State& s, Thread& t, const Block& block) {
    const Value* v = t.frame->variables;
    const TerminatorKind& kind = block.terminator.kind;
    switch (kind.index()) {
    case 0: {
        const auto& j = std::get<term::Jump>(kind);
        jump(t, j.target, j.args);
        return std::nullopt;
    }
    case 1: {
        const auto& b = std::get<term::Branch>(kind);
        const Value condition = v[index(b.condition)];
        if (s.decided == s.decisions.size() &&
            terms_.is_sort(condition, Sort::boolean)) { // by far the most common fork
            fork_ = {{condition, terms_.negation(condition)}, block.terminator.label, Event::Kind::branch};
            return Outcome::fork;
        }
        const bool holds = decide(s, condition);
        t.block = holds ? b.then_block : b.else_block;
        t.op = 0;
        return std::nullopt;
    }
    case 2: {
        const auto& c = std::get<term::Call>(kind);
        call(s, t, v[index(c.callee)], c.args, c.known, c.spread, c.back, block.terminator.label);
        return std::nullopt;
    }
    case 3: {
        const auto& c = std::get<term::TailCall>(kind);
        call(s, t, v[index(c.callee)], c.args, c.known, c.spread, no_block, block.terminator.label);
        return std::nullopt;
    }
    case 4: return return_value(s, t, v[index(std::get<term::Return>(kind).value)], block.terminator.label);
    case 5: begin_wait(s, t, std::get<term::Select>(kind), t.block); return std::nullopt;
    case 6: accept(s, t, std::get<term::Accept>(kind)); return std::nullopt;
    case 7: next_test(s, t); return std::nullopt;
    case 8: {
        const auto& c = std::get<term::Choose>(kind);
        if (s.decided == s.decisions.size()) {
            fork_ = {std::vector<Value>(c.count, Value::boolean(true)), block.terminator.label, Event::Kind::choice};
            return Outcome::fork;
        }
        t.block = program_.choices[c.first + s.decisions[s.decided++]];
        t.op = 0;
        return std::nullopt;
    }
    }
    static_assert(std::variant_size_v<TerminatorKind> == 9, "a terminator without a meaning here");
    return std::nullopt;
}

// ── Calls ──

// `back` is no_block for a tail call: the callee takes this frame's place.
void Machine::call(State& s, Thread& t, Value callee, VarList list, LambdaId known, bool spread, BlockId back,
                   Label label) {
    const Value* v = t.frame->variables;
    FrameRef frame;
    scratch_.clear();
    const bool plain = known != no_lambda && !spread && !program_[known].rest && is_type(callee, ObjectType::closure);
    if (plain) {
        const Lambda& to = program_[known];
        frame = FrameRef::make(known, to.variables);
        Value* w = frame->variables;
        for (VarId x : program_.list(list)) *w++ = v[index(x)];
        w = std::copy_n(static_cast<const Value*>(as_closure(callee).captures), to.captures, w);
        *w = callee;
    } else {
        for (VarId x : program_.list(list)) scratch_.push_back(v[index(x)]);
    }
    if (spread) {
        Value rest = forced(s, scratch_.back());
        const Value whole = rest;
        scratch_.pop_back();
        for (; is_pair(rest); rest = forced(s, as_pair(rest).cdr)) scratch_.push_back(as_pair(rest).car);
        if (!rest.is_null()) throw Fault{"apply: " + describe(s, whole) + " is not a list"};
    }
    if (!plain) frame = enter(s, callee, scratch_, known);
    const bool inherits = program_[t.frame->lambda].prelude && t.frame->site != no_label;
    frame->site = inherits ? t.frame->site : label;
    const LambdaId lambda = frame->lambda;
    if (back != no_block) {
        frame->back = back;
        t.frame.push(std::move(frame));
    } else {
        frame->back = t.frame->back;
        frame->caller = t.frame->caller;
        if (frame->caller != nullptr) ++frame->caller->refs;
        t.frame = std::move(frame);
    }
    t.block = BlockId{program_[lambda].first_block};
    t.op = 0;
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
    FrameRef frame = FrameRef::make(id, lambda.variables);
    Value* v = frame->variables;
    std::copy_n(args.begin(), lambda.required, v);
    if (lambda.rest) v[lambda.required] = heap_.list(args.subspan(lambda.required));
    std::copy_n(static_cast<const Value*>(closure.captures), lambda.captures, v + lambda.params());
    v[index(lambda.self())] = callee;
    return frame;
}

std::optional<Outcome> Machine::return_value(State& s, Thread& t, Value v, Label) {
    if (t.frame->caller != nullptr) {
        const BlockId back = t.frame->back;
        t.frame.pop();
        t.frame->variables[index(program_.list(program_[back].params)[0])] = v;
        t.block = back;
        t.op = 0;
        return std::nullopt;
    }
    const bool asked = t.trial == Thread::Trial::asking;
    if (asked && !decide(s, v)) return Outcome::infeasible; // the tester may not send it
    s.threads.erase(s.threads.begin() + s.running);
    s.running = UINT32_MAX;
    s.decisions.clear();
    s.decided = 0;
    return std::nullopt;
}

void Machine::mark(const State& s, Marker& marker, uint32_t round) const {
    s.store.mark(marker, round);
    for (const Thread& t : s.threads) {
        for (Frame* f = t.frame.get(); f != nullptr && f->round != round; f = f->caller) {
            f->round = round;
            marker.mark(std::span<const Value>(f->variables, f->count));
        }
        for (const Wait& w : t.waits) marker.mark(w.source);
        marker.mark(t.source);
        marker.mark(t.message);
    }
    for (const auto* e = s.events.last(); e != nullptr; e = e->before) marker.mark(e->item.value);
    for (const FreshFacts::Fact& f : s.fresh.facts) marker.mark(f.fresh);
    marker.mark(s.delivered);
    marker.mark(s.to_ask);
}

} // namespace espalier::sym
