#include "symexec/machine/machine.hpp"

namespace espalier::sym {

Machine::Machine(const Program& program, Terms& terms, Observer& observer, const MachineLimits& limits)
    : context_(program, terms, observer, limits), values_(context_), primitives_(context_, values_),
      clocks_(context_, values_.decider), calls_(context_, values_), selector_(context_, values_, clocks_, calls_),
      scheduler_(context_, values_, calls_, selector_), steps_(context_.limits),
      operations_(context_, values_, primitives_, clocks_, scheduler_, steps_), tester_(context_, values_.inputs),
      concretiser_(context_, values_), tracer_(context_), frames_(FramePool::of_thread()),
      entered_(context_.code.size(), 0) {
    frames_.clear_free();
}

Value Machine::variable(const Thread& t, VarId v) const {
    return t.frame->variables[context_.code.slots(t.frame->lambda)[index(v)]];
}

State Machine::initial() const {
    const Program& program = context_.program;
    const Entry& entry = context_.code.entry(program.top);
    State s;
    s.model = std::make_shared<const Assignment>();
    s.store.allocate(static_cast<uint32_t>(program.globals.size()), Value::unbound());
    Thread main;
    main.number = s.thread_count++;
    main.frame = FrameRef::make(program.top, entry.slots);
    main.pc = entry.pc;
    s.threads.push_back(std::move(main));
    return s;
}

// An operation that throws is not undone: it acts only after its last decision.
Outcome Machine::run(State& s) {
    is_within_block_ = false;
    context_.arrival = {};
    return run_all(s);
}

Outcome Machine::go_on(State& s, const Arrival& after) {
    is_within_block_ = after.is_within_block;
    return run_all(s);
}

Outcome Machine::run_all(State& s) {
    context_.position.set(no_label, {});
    s.decisions.start_again();
    tracer_.begin_run();
    if (s.running != UINT32_MAX) s.threads[s.running].frame.make_own();
    const Steps::Watch watch(steps_, s);
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
    Position& position = context_.position;
    const auto fail = [&](std::string text, Span better) {
        position.locate(s);
        position.blame_caller(s);
        if (better.known()) position.set(better);
        context_.error = position.error(std::move(text));
        return Outcome::model_error;
    };
    try {
        return run_threads(s);
    } catch (Fork& needed) {
        position.locate(s);
        context_.fork = std::move(needed);
        if (context_.fork.label == no_label) context_.fork.label = position.label();
        return Outcome::fork;
    } catch (const Fault& fault) {
        return fail(fault.text, fault.span);
    } catch (const PrimitiveError& e) {
        return fail(e.what(), {});
    } catch (const Unsupported& e) {
        position.set(position.author_label(s));
        reason_ = e.what();
        return Outcome::unsupported;
    }
}

Outcome Machine::run_threads(State& s) {
    for (;;) {
        steps_.heed_interrupt();
        if (s.running == UINT32_MAX && !s.interrupted.empty()) {
            scheduler_.resume(s);
            continue;
        }
        if (s.running == UINT32_MAX) {
            if (const auto outcome = scheduler_.schedule(s)) return *outcome;
            s.decisions.finish();
            continue;
        }
        if (const auto outcome = run_thread(s)) return *outcome;
    }
}

std::optional<Outcome> Machine::pause(State& s) {
    if (tracer_.is_on()) tracer_.note(s);
    return steps_.may_go_on(s, *context_.observer);
}

// What a comparison or a sum means where an operand is not a small integer. None of these ends a path.
Value Machine::compute(State& s, Prim prim, std::span<const Value> args) {
    const Value result = primitives_.compute(s, prim, args).value();
    steps_.note_work(result);
    return result;
}

std::optional<Outcome> Machine::terminate(State& s, Thread& t, BlockId at) {
    const Terminator& terminator = context_.program[at].terminator;
    const Label label = terminator.label;
    const auto goes_on = [](auto&& act) -> std::optional<Outcome> {
        act();
        return std::nullopt;
    };
    return std::visit(
        Overloaded{
            [&](const terminator::Jump& j) { return goes_on([&] { calls_.jump(t, j.target, j.args); }); },
            [&](const terminator::Branch& b) { return branch(s, t, b, label); },
            [&](const terminator::Call& c) { return goes_on([&] { calls_.call(s, t, c, label); }); },
            [&](const terminator::TailCall& c) { return goes_on([&] { calls_.tail_call(s, t, c, label); }); },
            [&](const terminator::Return& r) { return return_value(s, t, variable(t, r.value)); },
            [&](const terminator::Select& w) { return goes_on([&] { selector_.begin_wait(s, t, w, at); }); },
            [&](const terminator::Accept& a) { return goes_on([&] { selector_.accept(s, t, a); }); },
            [&](const terminator::Refuse&) { return goes_on([&] { selector_.next_test(s, t); }); },
            [&](const terminator::Choose& c) { return choose(s, t, c, label); },
        },
        terminator.kind);
}

std::optional<Outcome> Machine::branch(State& s, Thread& t, const terminator::Branch& b, Label label) {
    const Value condition = variable(t, b.condition);
    if (s.decisions.empty() && context_.terms.is_sort(condition, Sort::boolean)) { // by far the most common fork
        context_.fork = {
            {condition, context_.terms.negation(condition)}, {.kind = Subject::Kind::truth, .of = condition}, label};
        return Outcome::fork;
    }
    const bool holds = values_.decider.decide(s, condition);
    t.pc = context_.code.start(holds ? b.then_block : b.else_block);
    return std::nullopt;
}

std::optional<Outcome> Machine::choose(State& s, Thread& t, const terminator::Choose& c, Label label) {
    const Subject subject{.kind = Subject::Kind::choice};
    const Decision* made = s.decisions.find(subject);
    if (made == nullptr) {
        context_.fork = {std::vector<Value>(c.count, Value::boolean(true)), subject, label, Event::Kind::choice};
        return Outcome::fork;
    }
    t.pc = context_.code.start(context_.program.choices[c.first + made->way_of(c.count)]);
    return std::nullopt;
}

std::optional<Outcome> Machine::return_value(State& s, Thread& t, Value v) {
    if (t.frame->caller != nullptr) {
        const Instruction& call = context_.code.at(t.frame->back);
        t.frame.pop();
        t.frame->variables[call.d] = v;
        t.pc = call.back();
        return std::nullopt;
    }
    const bool asked = t.trial == Thread::Trial::asking;
    if (asked && !values_.decider.decide(s, v)) return Outcome::infeasible; // the tester may not send it
    s.threads.erase(s.threads.begin() + s.running);
    if (s.running < s.first_ready) --s.first_ready;
    s.running = UINT32_MAX;
    s.decisions.finish();
    return std::nullopt;
}

void Machine::mark(const State& s, Marker& marker, uint32_t round) {
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
    // Paths share what happened on them, so what one collection has seen it need not look at again.
    for (const auto* e = s.events.last(); e != nullptr && e->round != round; e = e->before) {
        e->round = round;
        marker.mark(e->item.value);
        marker.mark(e->item.units);
    }
    for (const FreshFacts::Fact& f : s.fresh.facts) marker.mark(f.fresh);
    marker.mark(s.now);
    marker.mark(s.delivered);
    marker.mark(s.to_ask);
}

} // namespace espalier::sym
