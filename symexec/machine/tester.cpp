#include "symexec/machine/tester.hpp"

#include <algorithm>
#include <unordered_set>

namespace espalier::sym {

namespace {

using ClauseKind = SelectClause::Kind;

// Rounded down, but at least one unit.
Value half_of(Heap& heap, Value time) {
    return number::compare(time, Value::fixnum(2), "<") < 0 ? Value::fixnum(1)
                                                            : number::quotient(heap, time, Value::fixnum(2));
}

} // namespace

std::vector<Offer> Tester::offers(const State& s) const {
    std::vector<Offer> all;
    const auto earliest = earliest_deadline(s);
    const bool due = earliest && !is_before(s.now, *earliest); // then the only choice is to let no time pass
    std::unordered_set<uint64_t> known;                        // those that are there
    const auto add = [&](const Offer& o) {
        const uint64_t what = o.kind == Offer::Kind::message ? index(o.message) : index(o.type);
        const uint64_t port = uint64_t{index(o.port)} << 2 | static_cast<uint64_t>(o.kind);
        if (known.insert(port << 32 | what).second) all.push_back(o);
    };
    for (const Thread& t : s.threads) {
        if (t.waits.size() == 0) continue;
        for (const uint32_t number : t.waits.index().distinct()) {
            const SelectClause& c = t.waits.clause(number);
            const Wait& w = t.waits.source_of(number);
            if (deadline(s, w)) {
                add({.kind = Offer::Kind::time, .label = c.label});
                if (!due && may_wait_half(s, w)) add({.kind = Offer::Kind::half_time, .label = c.label});
                continue;
            }
            if (!w.source.is_port() || due) continue;
            const PortId port = w.source.as_port();
            const PortDef& def = program_.ports[index(port)];
            if (c.filter == SelectClause::Filter::bare)
                add({.kind = Offer::Kind::bare, .port = port, .type = c.type, .label = c.label});
            else if (c.filter == SelectClause::Filter::message)
                add({.kind = Offer::Kind::message, .port = port, .message = c.message, .label = c.label});
            else
                for (MessageId m : def.in)
                    add({.kind = Offer::Kind::message, .port = port, .message = m, .label = c.label});
        }
    }
    return all;
}

// Half of the time to an early timer's deadline, once.
bool Tester::may_wait_half(const State& s, const Wait& w) const {
    const bool early = w.clause->kind == ClauseKind::timer && s.store.get(w.source.payload() + 3).is_true();
    const auto* last = s.events.last();
    const bool again = last != nullptr && last->item.kind == Event::Kind::wait && last->item.value.is_true();
    return early && !again && is_before(number::add(heap_, s.now, Value::fixnum(1)), *deadline(s, w));
}

void Tester::pass_time(State& s, bool half, Event& event) {
    const Value earliest = *earliest_deadline(s);
    const Value all = is_before(s.now, earliest) ? number::sub(heap_, earliest, s.now) : Value::fixnum(0);
    event.kind = Event::Kind::wait;
    event.units = half ? half_of(heap_, all) : all;
    event.value = Value::boolean(half);
    s.now = number::add(heap_, s.now, event.units);
    s.first_ready = 0;
    for (Thread& t : s.threads)
        t.may_take_timer = std::any_of(t.waits.begin(), t.waits.end(), [&](const Wait& w) { return is_fired(s, w); });
}

void Tester::take(State& s, const Offer& offer, uint32_t choice, uint32_t of) {
    Event event{.kind = Event::Kind::input, .choice = {offer.label, choice, of}, .port = offer.port};
    s.quiet_steps = 0;
    switch (offer.kind) {
    case Offer::Kind::time:
    case Offer::Kind::half_time: pass_time(s, offer.kind == Offer::Kind::half_time, event); break;
    case Offer::Kind::message:
    case Offer::Kind::bare:
        if (Clocks::may_order_be_lost(s)) context_.observer->moments_left_out(s, offer.label);
        s.delivered = event.value = offer.kind == Offer::Kind::message ? inputs_.symbolic_message(s, offer.message, 0)
                                                                       : inputs_.symbolic(s, offer.type, 0);
        s.delivering = true;
        s.port = offer.port;
        s.offered_to = 0;
        break;
    }
    s.events.push(event);
}

} // namespace espalier::sym
