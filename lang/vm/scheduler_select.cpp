// Select: trying the clauses of a wait, one after the other.
//
// A test runs in the waiting thread's own frame, and may call: so trying has its state beside the
// thread. Its steps are `begin_wait` at the select, `next_test` where a test refuses, `accept` where one does
// not. A thread whose tests all refused is as it was before: registers that any test needs are kept while
// tests run.
#include <algorithm>

#include "lang/ir/type.hpp"
#include "lang/values/channel.hpp"
#include "lang/vm/scheduler.hpp"

namespace espalier::vm {

using Kind = SelectClause::Kind;
using Trial = Thread::Trial;

// ── The wait ──

const Instr* Scheduler::begin_wait(Thread& thread) {
    const Instr* select = thread.pc;
    const auto* clauses = reinterpret_cast<const SelectClause*>(select->word);
    leave_wait(thread);
    for (int32_t i = 0; i < select->a; ++i) {
        const Instr& cell = select[1 + i];
        const Value source = clauses[i].kind == Kind::other ? Value::unspecified() : thread.base[cell.d()];
        try {
            thread.waits.push_back(make_wait(clauses[i], &cell, source));
        } catch (Fault& fault) {
            fault.span = clauses[i].span;
            throw;
        }
    }
    thread.select = select;
    thread.waiting = true;
    thread.may_take_timer = false;
    thread.trial = Trial::queues;
    thread.tried = SIZE_MAX;
    return next_test(thread);
}

Wait Scheduler::make_wait(const SelectClause& clause, const Instr* cell, Value source) {
    Wait wait{&clause, cell, source};
    switch (clause.kind) {
    case Kind::message:
        if (source.is_port()) {
            need_carried(clause, source.as_port());
        } else if (!is_type(source, ObjectType::channel)) {
            throw Fault{"cannot wait for " + to_text(program_, source) + ", which is neither a port nor a channel"};
        }
        break;
    case Kind::timer:
        if (!is_type(source, ObjectType::timer))
            throw Fault{"timeout: " + to_text(program_, source) + " is not a timer"};
        break;
    case Kind::after: wait.deadline = after(source, "after"); break;
    case Kind::other: break;
    }
    return wait;
}

void Scheduler::need_carried(const SelectClause& clause, PortId port) const {
    const PortDef& def = program_.ports[index(port)];
    const std::string name{name_of(def.name)};
    switch (clause.filter) {
    case SelectClause::Filter::any:
        if (def.in.empty() && !def.bare_in) throw Fault{"the port " + name + " carries nothing in"};
        break;
    case SelectClause::Filter::message:
        if (std::find(def.in.begin(), def.in.end(), clause.message) == def.in.end())
            throw Fault{"the port " + name + " does not carry " +
                        std::string(name_of(program_.messages[index(clause.message)].name)) + " in"};
        break;
    case SelectClause::Filter::bare:
        if (!def.bare_in) throw Fault{"the port " + name + " carries messages, not bare values"};
        break;
    }
}

// ── Candidates ──

bool Scheduler::fits(const SelectClause& clause, Value message) const {
    switch (clause.filter) {
    case SelectClause::Filter::any: return true;
    case SelectClause::Filter::message:
        return is_type(message, ObjectType::message) && as_message(message).message == clause.message;
    case SelectClause::Filter::bare: return belongs(program_, clause.type, message);
    }
    return false;
}

// Sets what the clause is tried with.
bool Scheduler::is_candidate(Thread& thread, size_t i) const {
    const Wait& wait = thread.waits[i];
    const bool queued = is_type(wait.source, ObjectType::channel) && !as_channel(wait.source).empty();
    thread.source = wait.source;
    switch (thread.trial) {
    case Trial::queues:
        if (wait.clause->kind != Kind::message) return thread.may_take_timer && has_turn(thread, wait);
        if (!queued) return false;
        thread.message = as_channel(wait.source).front();
        return fits(*wait.clause, thread.message);
    case Trial::other:
        if (queued) thread.message = as_channel(wait.source).front();
        return queued;
    case Trial::delivery:
        thread.message = delivered_;
        return wait.source.is_port() && wait.source.as_port() == delivered_on_ && fits(*wait.clause, delivered_);
    }
    return false;
}

const Instr* Scheduler::next_test(Thread& thread) {
    while (++thread.tried < thread.waits.size()) {
        if (!is_candidate(thread, thread.tried)) continue;
        if (thread.trial != Trial::other) return enter_test(thread, thread.waits[thread.tried]);
        for (const Wait& wait : thread.waits)
            if (wait.clause->kind == Kind::other) return enter_test(thread, wait);
    }
    return thread.trial == Trial::queues ? try_other(thread) : give_up(thread);
}

const Instr* Scheduler::enter_test(Thread& thread, const Wait& wait) {
    if (wait.cell->b >= 0) thread.base[wait.cell->b] = thread.message;
    if (wait.cell->c() >= 0) thread.base[wait.cell->c()] = Value::boolean(thread.trial == Trial::delivery);
    return reinterpret_cast<const Instr*>(reinterpret_cast<const char*>(thread.select) + wait.cell->a);
}

// No clause takes what is queued: that is what `else` is for.
const Instr* Scheduler::try_other(Thread& thread) {
    thread.trial = Trial::other;
    thread.tried = SIZE_MAX;
    const bool has_other = std::any_of(thread.waits.begin(), thread.waits.end(),
                                       [](const Wait& wait) { return wait.clause->kind == Kind::other; });
    for (size_t i = 0; i < thread.waits.size(); ++i) {
        if (!is_candidate(thread, i)) continue;
        if (has_other) return next_test(thread);
        break;
    }
    return give_up(thread);
}

// All refused: the thread waits on, as before. A message in a channel that no clause takes is a mistake.
const Instr* Scheduler::give_up(Thread& thread) {
    thread.pc = thread.select;
    if (thread.trial == Trial::other) {
        for (size_t i = 0; i < thread.waits.size(); ++i)
            if (is_candidate(thread, i))
                throw Fault{"no clause takes " + to_text(program_, thread.message) + ", which is next in a channel"};
        spend_refused_timers(thread);
        if (!thread.indexed && &thread != asking_) waits_.add(thread);
        thread.indexed = &thread != asking_;
    }
    thread.source = thread.message = Value::unspecified();
    return nullptr;
}

bool Scheduler::has_turn(const Thread& thread, const Wait& wait) const {
    return is_fired(wait) && (thread.only_timer == SIZE_MAX || is_same_timer(thread.waits[thread.only_timer], wait));
}

// A timer that fired is spent when the last thread that may take it refused it.
void Scheduler::spend_refused_timers(Thread& thread) {
    if (!thread.may_take_timer) return;
    thread.may_take_timer = thread.only_timer != SIZE_MAX; // then others are still due
    for (Wait& wait : thread.waits) {
        if (!has_turn(thread, wait)) continue;
        if (wait.clause->kind == Kind::after) {
            waits_.spend(thread, wait);
            continue;
        }
        // The lower ones have mostly had their turn.
        const ThreadSet& waiting = waits_.at(wait.source);
        bool wanted = false;
        for (auto other = waiting.last(); other && !wanted; other = waiting.before(*other)) {
            ++looks_;
            wanted = *other != thread.number && threads_.at(*other)->may_take_timer;
        }
        if (!wanted) waits_.stop(as_timer(wait.source));
    }
}

void Scheduler::accept(Thread& thread) {
    const Kind kind = thread.waits[thread.tried].clause->kind;
    if (thread.trial == Trial::delivery) {
        taken_ = true;
        runner_.listener = &listener_;
        listener_.input_taken(thread.number, delivered_on_, delivered_);
        recorder_.tell();
    } else if (kind == Kind::message) {
        as_channel(thread.source).receive();
        listener_.received(thread.number, thread.source, thread.message);
    } else {
        if (kind == Kind::timer) waits_.stop(as_timer(thread.source));
        listener_.timer_fired(thread.number, kind == Kind::timer ? thread.source : Value::unspecified());
    }
    leave_wait(thread);
    thread.waiting = false;
    thread.may_take_timer = false;
    thread.only_timer = SIZE_MAX;
    thread.source = thread.message = Value::unspecified();
}

// What is left in its channels is for the next thread that waits for them.
void Scheduler::leave_wait(Thread& thread) {
    if (thread.indexed) {
        waits_.remove(thread);
        Value last;
        for (const Wait& wait : thread.waits) {
            if (wait.source != last && is_type(wait.source, ObjectType::channel)) wake_first(wait.source);
            last = wait.source;
        }
    }
    thread.indexed = false;
    thread.waits.clear();
}

} // namespace espalier::vm
