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
    thread.clauses = &selects_.at(static_cast<uint32_t>(clauses - program_.clauses.data()));
    const uint32_t count = thread.clauses->source_count();
    const auto value_of = [&](uint32_t source) {
        const int32_t slot = select[1 + thread.clauses->first_of(source)].d();
        return slot < 0 ? Value::unspecified() : thread.base[slot];
    };
    const auto wait_for = [&](const SelectClause& clause, uint32_t source) {
        try {
            return make_wait(clause, value_of(source));
        } catch (Fault& fault) {
            fault.span = clause.span;
            throw;
        }
    };
    for (uint32_t s = 0; s < count; ++s) {
        if (can_give(thread, clauses, s, value_of(s))) continue;
        for (int32_t c = 0; c < select->a; ++c) // some clause fails, and the first that does is told
            wait_for(clauses[c], thread.clauses->source_of(static_cast<uint32_t>(c)));
    }
    for (uint32_t s = 0; s < count; ++s) thread.waits.push_back(wait_for(clauses[thread.clauses->first_of(s)], s));
    thread.select = select;
    thread.waiting = true;
    thread.may_take_timer = false;
    thread.trial = Trial::queues;
    thread.tried = ClauseIndex::none;
    return next_test(thread);
}

Wait Scheduler::make_wait(const SelectClause& clause, Value source) {
    Wait wait{&clause, source};
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

// Has it something for each clause that takes from the source? A port has by its definition, so that is found out once.
bool Scheduler::can_give(const Thread& thread, const SelectClause* clauses, uint32_t source, Value value) {
    const uint32_t first = thread.clauses->first_of(source);
    if (clauses[first].kind != Kind::message || is_type(value, ObjectType::channel)) return true;
    if (!value.is_port()) return false;
    PortId& carrier = code_.carrier(static_cast<size_t>(&clauses[first] - program_.clauses.data()));
    if (carrier == value.as_port()) return true;
    const auto own = thread.clauses->clauses_of(source);
    if (!std::all_of(own.begin(), own.end(), [&](uint32_t c) { return is_carried(clauses[c], value.as_port()); }))
        return false;
    carrier = value.as_port();
    return true;
}

bool Scheduler::is_carried(const SelectClause& clause, PortId port) const {
    const PortDef& def = program_.ports[index(port)];
    switch (clause.filter) {
    case SelectClause::Filter::any: return !def.in.empty() || def.bare_in;
    case SelectClause::Filter::message: return selects_.carries_in(port, clause.message);
    case SelectClause::Filter::bare: return def.bare_in;
    }
    return false;
}

void Scheduler::need_carried(const SelectClause& clause, PortId port) const {
    if (is_carried(clause, port)) return;
    const std::string name = "the port " + std::string(program_.port_name(port));
    switch (clause.filter) {
    case SelectClause::Filter::any: throw Fault{name + " carries nothing in"};
    case SelectClause::Filter::message:
        throw Fault{name + " does not carry " + std::string(program_.message_name(clause.message)) + " in"};
    case SelectClause::Filter::bare: throw Fault{name + " carries messages, not bare values"};
    }
}

// ── Candidates ──

namespace {

std::optional<MessageId> type_of(Value message) {
    return is_type(message, ObjectType::message) ? std::optional(as_message(message).message) : std::nullopt;
}

bool is_queued(Value source) { return is_type(source, ObjectType::channel) && !as_channel(source).empty(); }

} // namespace

bool Scheduler::fits(const SelectClause& clause, Value message) const {
    switch (clause.filter) {
    case SelectClause::Filter::any: return true;
    case SelectClause::Filter::message: return type_of(message) == clause.message;
    case SelectClause::Filter::bare: return belongs(program_, clause.type, message);
    }
    return false;
}

// Sets what the clause is tried with.
bool Scheduler::is_candidate(Thread& thread, uint32_t clause) const {
    const Wait& wait = thread.waits[thread.clauses->source_of(clause)];
    const bool queued = is_queued(wait.source);
    thread.source = wait.source;
    switch (thread.trial) {
    case Trial::queues:
        if (wait.clause->kind != Kind::message) return thread.may_take_timer && has_turn(thread, wait);
        if (!queued) return false;
        thread.message = as_channel(wait.source).front();
        return fits(clauses_of(thread)[clause], thread.message);
    case Trial::other:
        if (queued) thread.message = as_channel(wait.source).front();
        return queued;
    case Trial::delivery:
        thread.message = delivered_;
        return wait.source.is_port() && wait.source.as_port() == delivered_on_ &&
               fits(clauses_of(thread)[clause], delivered_);
    }
    return false;
}

// From the clause on, the first that may be a candidate: all that are not, but a few, are passed over.
uint32_t Scheduler::next_candidate(const Thread& thread, uint32_t from) {
    uint32_t next = ClauseIndex::none;
    for (uint32_t s = 0; s < thread.waits.size() && thread.clauses->first_of(s) < next; ++s) {
        ++source_looks_;
        next = std::min(next, next_from(thread, s, from));
    }
    return next;
}

uint32_t Scheduler::next_from(const Thread& thread, uint32_t source, uint32_t from) const {
    const Wait& wait = thread.waits[source];
    const ClauseIndex& clauses = *thread.clauses;
    switch (thread.trial) {
    case Trial::queues:
        if (wait.clause->kind != Kind::message)
            return thread.may_take_timer ? clauses.next_of(source, from) : ClauseIndex::none;
        if (!is_queued(wait.source)) break;
        return next_for(thread, source, as_channel(wait.source).front(), from);
    case Trial::other:
        if (!is_queued(wait.source)) break;
        return clauses.next_of(source, from);
    case Trial::delivery:
        if (!wait.source.is_port() || wait.source.as_port() != delivered_on_) break;
        return next_for(thread, source, delivered_, from);
    }
    return ClauseIndex::none;
}

// Where every block is told, a test that surely refuses must run all the same.
uint32_t Scheduler::next_for(const Thread& thread, uint32_t source, Value message, uint32_t from) const {
    const auto type = type_of(message);
    return type && !follows_ ? thread.clauses->next_for(source, as_message(message), from)
                             : thread.clauses->next_for(source, type, from);
}

const Instr* Scheduler::next_test(Thread& thread) {
    const uint32_t other = thread.clauses->other();
    for (;;) {
        thread.tried = next_candidate(thread, thread.tried + 1);
        if (thread.tried != ClauseIndex::none) {
            if (is_candidate(thread, thread.tried))
                return enter_test(thread, thread.trial == Trial::other ? other : thread.tried);
            continue;
        }
        // No clause takes what is queued: that is what `else` is for.
        const bool is_last = thread.trial != Trial::queues;
        if (!is_last) thread.trial = Trial::other;
        if (is_last || other == ClauseIndex::none) return give_up(thread);
    }
}

const Instr* Scheduler::enter_test(Thread& thread, uint32_t clause) {
    const Instr& cell = thread.select[1 + clause];
    if (cell.b >= 0) thread.base[cell.b] = thread.message;
    if (cell.c() >= 0) thread.base[cell.c()] = Value::boolean(thread.trial == Trial::delivery);
    return reinterpret_cast<const Instr*>(reinterpret_cast<const char*>(thread.select) + cell.a);
}

// All refused: the thread waits on, as before. A message in a channel that no clause takes is a mistake.
const Instr* Scheduler::give_up(Thread& thread) {
    thread.pc = thread.select;
    if (thread.trial == Trial::other) {
        if (const uint32_t queued = next_candidate(thread, 0); queued != ClauseIndex::none) {
            is_candidate(thread, queued);
            throw Fault{"no clause takes " + to_text(program_, thread.message) + ", which is next in a channel"};
        }
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
    const Kind kind = clauses_of(thread)[thread.tried].kind;
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
