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
    std::vector<Wait> waits;
    const uint32_t* slots = code_.slots(t.frame->lambda);
    for (const SelectClause& c : program_.select_clauses(select)) {
        Wait w{&c, c.kind == ClauseKind::other ? Value::unspecified() : t.frame->variables[slots[index(c.source)]]};
        try {
            complete_wait(s, w);
        } catch (Fault& fault) {
            fault.span = c.span;
            throw;
        }
        waits.push_back(w);
    }
    t.waits = Waits(std::move(waits));
    t.select = block;
    t.waiting = true;
    t.may_take_timer = false;
    try_queues(s, t);
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

void Selector::check_port(const SelectClause& c, PortId port) const {
    const PortDef& def = program_.ports[index(port)];
    const std::string name{name_of(def.name)};
    if (c.filter == SelectClause::Filter::any && def.bare_in) throw Unsupported("any value on a port of bare values");
    if (c.filter == SelectClause::Filter::any && def.in.empty())
        throw Fault{"the port " + name + " carries nothing in"};
    if (c.filter == SelectClause::Filter::message && std::find(def.in.begin(), def.in.end(), c.message) == def.in.end())
        throw Fault{"the port " + name + " does not carry " +
                    std::string(name_of(program_.messages[index(c.message)].name)) + " in"};
    if (c.filter == SelectClause::Filter::bare && !def.bare_in)
        throw Fault{"the port " + name + " carries messages, not bare values"};
}

// Commits to a clause only after the last decision about it.
void Selector::next_test(State& s, Thread& t) {
    const auto self = static_cast<uint32_t>(&t - s.threads.data());
    context_.position.set_to_wait(t.select);
    if (t.trial != Trial::other) {
        for (uint32_t i = t.tried + 1; i < t.waits.size(); ++i) {
            if (!is_candidate(s, t, i)) continue;
            t.tried = i;
            s.running = self;
            return enter_test(t, i, t.trial == Trial::delivery);
        }
        if (t.trial == Trial::delivery) return give_up(s, t);
    }
    // No clause takes what is queued: that is what `else` is for.
    const auto other =
        std::find_if(t.waits.begin(), t.waits.end(), [](const Wait& w) { return w.clause->kind == ClauseKind::other; });
    for (uint32_t i = t.trial == Trial::other ? t.tried + 1 : 0; i < t.waits.size() && other != t.waits.end(); ++i) {
        if (!is_queued(s, t.waits[i].source)) continue;
        t.trial = Trial::other;
        t.tried = i;
        t.source = t.waits[i].source;
        t.message = front(s, t.source);
        s.running = self;
        return enter_test(t, static_cast<uint32_t>(other - t.waits.begin()), false);
    }
    t.trial = Trial::other;
    give_up(s, t);
}

bool Selector::is_candidate(State& s, Thread& t, uint32_t i) {
    const Wait& w = t.waits[i];
    if (t.trial == Trial::delivery) {
        if (!w.source.is_port() || w.source.as_port() != s.port || !fits(s, *w.clause, s.delivered)) return false;
        t.message = s.delivered;
    } else if (w.clause->kind != ClauseKind::message) {
        return w.clause->kind != ClauseKind::other && t.may_take_timer && has_turn(s, t, w) &&
               (t.source = w.source, true);
    } else {
        if (!is_queued(s, w.source) || !fits(s, *w.clause, front(s, w.source))) return false;
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
    const BlockId test = t.waits[clause].clause->test;
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
    const ClauseKind kind = t.waits[t.tried].clause->kind;
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
