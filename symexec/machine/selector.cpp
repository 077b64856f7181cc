#include "symexec/machine/selector.hpp"

#include <algorithm>
#include <utility>

#include "symexec/machine/channels.hpp"

namespace espalier::sym {

using ClauseKind = SelectClause::Kind;
using Trial = Thread::Trial;

bool is_same_timer(const Wait& a, const Wait& b) {
    return &a == &b ||
           (a.clause->kind == ClauseKind::timer && b.clause->kind == ClauseKind::timer && a.source == b.source);
}

void Selector::begin_wait(State& s, Thread& t, const terminator::Select& select, BlockId block) {
    const SelectClause* clauses = program_.select_clauses(select).data();
    const ClauseIndex& index_of = code_.selects().of(select);
    const uint32_t* slots = code_.slots(t.frame->lambda);
    const auto value_of = [&](uint32_t source) {
        const SelectClause& c = clauses[index_of.first_of(source)];
        return c.kind == ClauseKind::other ? Value::unspecified() : t.frame->variables[slots[index(c.source)]];
    };
    for (uint32_t i = 0; i < index_of.source_count(); ++i) {
        if (can_give(s, index_of, clauses, i, value_of(i))) continue;
        for (uint32_t c = 0; c < select.count; ++c) // some clause fails, and the first that does is told
            wait_for(s, clauses[c], value_of(index_of.source_of(c)));
    }
    std::vector<Wait> waits;
    for (uint32_t i = 0; i < index_of.source_count(); ++i)
        waits.push_back(wait_for(s, clauses[index_of.first_of(i)], value_of(i)));
    t.waits = Waits(index_of, clauses, std::move(waits));
    t.select = block;
    t.waiting = true;
    t.may_take_timer = false;
    try_queues(s, t);
}

Wait Selector::wait_for(State& s, const SelectClause& c, Value source) {
    Wait w{&c, source};
    try {
        complete_wait(s, w);
    } catch (Fault& fault) {
        fault.span = c.span;
        throw;
    }
    return w;
}

void Selector::try_all(State& s, Thread& t, Trial trial) {
    t.trial = trial;
    t.tried = UINT32_MAX; // so that the next one is the first
    next_test(s, t);
}

void Selector::complete_wait(State& s, Wait& w) {
    const SelectClause& c = *w.clause;
    switch (c.kind) {
    case ClauseKind::message:
        if (w.source.is_port()) {
            check_port(c, w.source.as_port());
        } else if (!is_kind(s.store, w.source, Kind::channel)) {
            throw Fault{"cannot wait for " + describe(program_, s, w.source) +
                        ", which is neither a port nor a channel"};
        }
        break;
    case ClauseKind::timer:
        if (!is_kind(s.store, w.source, Kind::timer))
            throw Fault{"timeout: " + describe(program_, s, w.source) + " is not a timer"};
        break;
    case ClauseKind::after:
        w.deadline = clocks_.later(s, w.source, "after");
        clocks_.begin_delay(s);
        break;
    case ClauseKind::other: break;
    }
}

// Has it something for each clause that takes from the source? A port has by its definition, so that is found out once.
bool Selector::can_give(const State& s, const ClauseIndex& index_of, const SelectClause* clauses, uint32_t source,
                        Value value) {
    const SelectClause& first = clauses[index_of.first_of(source)];
    if (first.kind != ClauseKind::message) return true;
    if (!value.is_port()) return is_kind(s.store, value, Kind::channel);
    PortId& carrier = carrier_[static_cast<size_t>(&first - program_.clauses.data())];
    if (carrier == value.as_port()) return true;
    const auto own = index_of.clauses_of(source);
    if (!std::all_of(own.begin(), own.end(), [&](uint32_t c) { return is_carried(clauses[c], value.as_port()); }))
        return false;
    carrier = value.as_port();
    return true;
}

bool Selector::is_carried(const SelectClause& c, PortId port) const {
    const PortDef& def = program_.ports[index(port)];
    switch (c.filter) {
    case SelectClause::Filter::any: return !def.in.empty() && !def.bare_in;
    case SelectClause::Filter::message: return code_.selects().carries_in(port, c.message);
    case SelectClause::Filter::bare: return def.bare_in;
    }
    return false;
}

void Selector::check_port(const SelectClause& c, PortId port) const {
    if (is_carried(c, port)) return;
    const std::string name = "the port " + std::string(program_.port_name(port));
    switch (c.filter) {
    case SelectClause::Filter::any:
        if (program_.ports[index(port)].bare_in) throw Unsupported("any value on a port of bare values");
        throw Fault{name + " carries nothing in"};
    case SelectClause::Filter::message:
        throw Fault{name + " does not carry " + std::string(program_.message_name(c.message)) + " in"};
    case SelectClause::Filter::bare: throw Fault{name + " carries messages, not bare values"};
    }
}

// Commits to a clause only after the last decision about it.
void Selector::next_test(State& s, Thread& t) {
    const auto self = static_cast<uint32_t>(&t - s.threads.data());
    context_.position.set_to_wait(t.select);
    if (t.trial != Trial::other) {
        for (uint32_t c = next_candidate(s, t, t.tried + 1); c != ClauseIndex::none; c = next_candidate(s, t, c + 1)) {
            if (!is_candidate(s, t, c)) continue;
            t.tried = c;
            s.running = self;
            return enter_test(t, c, t.trial == Trial::delivery);
        }
        if (t.trial == Trial::delivery) return give_up(s, t);
    }
    // No clause takes what is queued: that is what `else` is for.
    const uint32_t other = t.waits.index().other();
    const uint32_t queued =
        other == ClauseIndex::none ? ClauseIndex::none : next_queued(s, t, t.trial == Trial::other ? t.tried + 1 : 0);
    t.trial = Trial::other;
    if (queued == ClauseIndex::none) return give_up(s, t);
    t.tried = queued;
    t.source = t.waits.source_of(queued).source;
    t.message = front(s, t.source);
    s.running = self;
    enter_test(t, other, false);
}

// From the clause on, the first that may be a candidate: all that are not, but a few, are passed over.
uint32_t Selector::next_candidate(const State& s, const Thread& t, uint32_t from) {
    uint32_t next = ClauseIndex::none;
    for (uint32_t i = 0; i < t.waits.size() && t.waits.index().first_of(i) < next; ++i) {
        ++source_looks_;
        next = std::min(next, next_from(s, t, i, from));
    }
    return next;
}

// A message that was not looked into may be of any type.
uint32_t Selector::next_from(const State& s, const Thread& t, uint32_t source, uint32_t from) const {
    const Wait& w = t.waits[source];
    const ClauseIndex& clauses = t.waits.index();
    const bool is_delivery = t.trial == Trial::delivery;
    if (!is_delivery && w.clause->kind != ClauseKind::message)
        return t.may_take_timer ? clauses.next_of(source, from) : ClauseIndex::none;
    if (is_delivery ? !w.source.is_port() || w.source.as_port() != s.port : !is_queued(s, w.source))
        return ClauseIndex::none;
    const auto message = values_.decider.seen(s, is_delivery ? s.delivered : front(s, w.source));
    if (!message) return clauses.next_of(source, from);
    const bool is_typed = is_type(*message, ObjectType::message);
    return clauses.next_for(source, is_typed ? std::optional(as_message(*message).message) : std::nullopt, from);
}

// From the clause on, the first whose channel has something in it.
uint32_t Selector::next_queued(const State& s, const Thread& t, uint32_t from) {
    uint32_t next = ClauseIndex::none;
    for (uint32_t i = 0; i < t.waits.size(); ++i)
        if (is_queued(s, t.waits[i].source)) next = std::min(next, t.waits.index().next_of(i, from));
    return next;
}

bool Selector::is_candidate(State& s, Thread& t, uint32_t clause) {
    const Wait& w = t.waits.source_of(clause);
    const SelectClause& c = t.waits.clause(clause);
    if (t.trial == Trial::delivery) {
        if (!w.source.is_port() || w.source.as_port() != s.port || !fits(s, c, s.delivered)) return false;
        t.message = s.delivered;
    } else if (c.kind != ClauseKind::message) {
        return c.kind != ClauseKind::other && t.may_take_timer && has_turn(s, t, w) && (t.source = w.source, true);
    } else {
        if (!is_queued(s, w.source) || !fits(s, c, front(s, w.source))) return false;
        t.message = values_.forced(s, front(s, w.source));
    }
    t.source = w.source;
    return true;
}

bool Selector::fits(State& s, const SelectClause& clause, Value message) {
    switch (clause.filter) {
    case SelectClause::Filter::any: return true;
    case SelectClause::Filter::message: {
        const Value m = values_.forced(s, message);
        return is_type(m, ObjectType::message) && as_message(m).message == clause.message;
    }
    case SelectClause::Filter::bare: return values_.equality.belongs(s, clause.type, message);
    }
    return false;
}

bool Selector::has_turn(const State& s, const Thread& t, const Wait& w) const {
    return is_fired(s, w) && (t.only_timer == UINT32_MAX || is_same_timer(t.waits[t.only_timer], w));
}

void Selector::enter_test(Thread& t, uint32_t clause, bool from_port) {
    t.frame.make_own();
    const BlockId test = t.waits.clause(clause).test;
    const auto params = program_.list(program_[test].params);
    const uint32_t* slots = code_.slots(t.frame->lambda);
    if (!params.empty()) t.frame->variables[slots[index(params[0])]] = t.message;
    if (params.size() > 1) t.frame->variables[slots[index(params[1])]] = Value::boolean(from_port);
    t.pc = code_.start(test);
}

// All refused: the thread waits on, as before. A message in a channel that no clause takes is a mistake.
void Selector::give_up(State& s, Thread& t) {
    s.running = UINT32_MAX;
    t.source = t.message = Value::unspecified();
    if (t.trial == Trial::delivery) {
        ++s.offered_to;
        return;
    }
    for (const Wait& w : t.waits)
        if (is_queued(s, w.source))
            throw Fault{"no clause takes " + describe(program_, s, front(s, w.source)) +
                        ", which is next in a channel"};
    spend_timers(s, t);
}

// A timer that fired is spent when the last thread that may take it refused it.
void Selector::spend_timers(State& s, Thread& t) {
    if (!t.may_take_timer) return;
    t.may_take_timer = t.only_timer != UINT32_MAX; // then others are still due
    for (uint32_t i = 0; i < t.waits.size(); ++i) {
        const Wait& w = t.waits[i];
        if (!has_turn(s, t, w)) continue;
        if (w.clause->kind == ClauseKind::after) {
            t.waits.spend(i);
            continue;
        }
        // The lower ones have mostly had their turn.
        const bool wanted = std::any_of(s.threads.rbegin(), s.threads.rend(), [&](const Thread& other) {
            return &other != &t && other.may_take_timer &&
                   std::any_of(other.waits.begin(), other.waits.end(), [&](const Wait& x) {
                       return x.clause->kind == ClauseKind::timer && x.source == w.source;
                   });
        });
        if (!wanted) s.store.set(w.source.payload() + 1, Value::boolean(false));
    }
}

void Selector::accept(State& s, Thread& t, const terminator::Accept& a) {
    const ClauseKind kind = t.waits.clause(t.tried).kind;
    const bool delivered = t.trial == Trial::delivery;
    if (delivered) {
        s.delivering = false;
        s.delivered = Value::unspecified();
    } else if (kind == ClauseKind::message) {
        receive(s, context_.heap, t.source);
    } else if (kind == ClauseKind::timer) {
        s.store.set(t.source.payload() + 1, Value::boolean(false));
    }
    s.first_ready = std::min(s.first_ready, static_cast<uint32_t>(&t - s.threads.data()));
    t.waiting = t.may_take_timer = false;
    t.only_timer = UINT32_MAX;
    t.waits = {};
    t.source = t.message = Value::unspecified();
    calls_.jump(t, a.body, a.args);
    for (const HeldMark& m : std::exchange(s.held, {}))
        if (context_.observer->wants(m.target)) context_.arrival.marks.push_back(m);
}

} // namespace espalier::sym
