// Threads and time: who runs, when the model is stable, and what the tester can do then.
//
// Threads run one at a time until they wait, the lowest number first. A stable state is one where every live thread
// waits, none can go on by itself, and at least one waits on a port or a running timer.
#include <algorithm>
#include <unordered_set>

#include "symexec/machine/machine.hpp"

namespace espalier::sym {

using ClauseKind = SelectClause::Kind;

namespace {

bool is_before(Value a, Value b) { return number::compare(a, b, "<") < 0; }

} // namespace

std::optional<Outcome> Machine::schedule(State& s) {
    if (s.delivering) return offer_around(s);
    const std::vector<Turn> possible = turns(s);
    if (possible.empty()) return settle(s);
    concurrent_ = concurrent_ || possible.size() > 1;
    Turn turn{possible[0].thread, UINT32_MAX};
    if (limits_.schedules == Schedules::all) {
        turn = possible[0];
        if (possible.size() > 1) {
            const Subject subject{.kind = Subject::Kind::turn};
            const Decision* made = s.decisions.find(subject);
            if (made == nullptr) {
                fork_ = {std::vector<Value>(possible.size(), Value::boolean(true)), subject, no_label,
                         Event::Kind::schedule};
                return Outcome::fork;
            }
            turn = possible[made->way_of(possible.size())];
        }
    }
    Thread& t = s.threads[turn.thread];
    t.frame.make_own();
    t.only_timer = turn.timer;
    s.running = turn.thread;
    if (!t.waiting) return std::nullopt;
    t.trial = Thread::Trial::queues;
    t.tried = UINT32_MAX;   // so that the next one is the first
    s.running = UINT32_MAX; // a decision on the way to the first test starts here again
    next_test(s, t);
    return std::nullopt;
}

// All of them; where the first thread goes first, those of the first, and whether there are more. Those that could not
// go on the last time still cannot, unless something was sent or time has passed.
std::vector<Machine::Turn> Machine::turns(State& s) const {
    const bool only_first = limits_.schedules != Schedules::all;
    std::vector<Turn> all;
    for (uint32_t i = s.first_ready; i < s.threads.size(); ++i) {
        if (!is_ready(s, s.threads[i])) {
            if (all.empty()) s.first_ready = i + 1;
            continue;
        }
        add_turns(s, i, all);
        if (only_first && (concurrent_ || all.size() > 1)) break;
    }
    return all;
}

// A thread has one for each of its timers that are due, where there are several.
void Machine::add_turns(const State& s, uint32_t i, std::vector<Turn>& all) {
    const Thread& t = s.threads[i];
    const size_t before = all.size();
    for (uint32_t w = 0; w < t.waits.size() && t.waiting && t.may_take_timer; ++w) {
        if (!is_fired(s, t.waits[w])) continue;
        const bool known = std::any_of(all.begin() + static_cast<ptrdiff_t>(before), all.end(),
                                       [&](const Turn& o) { return is_same_timer(t.waits[o.timer], t.waits[w]); });
        if (!known) all.push_back({i, w});
    }
    if (all.size() - before >= 2) return;
    all.resize(before, {});
    all.push_back({i, UINT32_MAX});
}

bool Machine::is_same_timer(const Wait& a, const Wait& b) {
    return &a == &b ||
           (a.clause->kind == ClauseKind::timer && b.clause->kind == ClauseKind::timer && a.source == b.source);
}

bool Machine::has_turn(const State& s, const Thread& t, const Wait& w) const {
    return is_fired(s, w) && (t.only_timer == UINT32_MAX || is_same_timer(t.waits[t.only_timer], w));
}

bool Machine::is_ready(const State& s, const Thread& t) const {
    return !t.waiting || std::any_of(t.waits.begin(), t.waits.end(), [&](const Wait& w) {
        return queued(s, w.source) || (t.may_take_timer && is_fired(s, w));
    });
}

Outcome Machine::settle(State& s) {
    bool only_services = true, stable = false;
    for (Thread& t : s.threads) {
        t.may_take_timer = false;
        only_services = only_services && t.service;
        stable = stable || std::any_of(t.waits.begin(), t.waits.end(),
                                       [&](const Wait& w) { return w.source.is_port() || deadline(s, w).has_value(); });
    }
    if (stable) return Outcome::stable;
    if (only_services) return Outcome::finished;
    std::string numbers;
    size_t count = 0;
    for (const Thread& t : s.threads) {
        if (t.service) continue;
        if (count++ == 0) {
            span_ = program_[t.select].terminator.span;
            label_ = program_[t.select].terminator.label;
        }
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(t.number);
    }
    return fail(s, count == 1 ? "deadlock: thread " + numbers + " waits for ever"
                              : "deadlock: the threads " + numbers + " wait for ever");
}

void Machine::spawn(State& s, Value procedure, bool service, Label site) {
    if (!is_type(procedure, ObjectType::closure))
        throw Fault{"spawn: " + describe(s, procedure) + " is not a procedure"};
    if (program_[as_closure(procedure).lambda].required != 0)
        throw Fault{"spawn: the procedure of a thread takes no arguments"};
    Thread t;
    t.number = s.thread_count++;
    t.service = service;
    t.frame = enter(s, procedure, {}, no_lambda);
    t.frame->site = site;
    t.pc = code_.entry(t.frame->lambda).pc;
    s.threads.push_back(std::move(t));
}

// ── Channels: a queue of two immutable lists ──

bool Machine::queued(const State& s, Value source) const {
    return is_kind(s.store, source, Kind::channel) && holds_message(s, source);
}

Value Machine::front(State& s, Value channel) const {
    const uint32_t a = channel.payload();
    if (const Value list = s.store.get(a + 1); is_pair(list)) return as_pair(list).car;
    Value last = s.store.get(a + 2);
    while (is_pair(as_pair(last).cdr)) last = as_pair(last).cdr;
    return as_pair(last).car;
}

void Machine::receive(State& s, Value channel) {
    const uint32_t a = channel.payload();
    Value list = s.store.get(a + 1);
    if (list.is_null()) {
        for (Value back = s.store.get(a + 2); is_pair(back); back = as_pair(back).cdr)
            list = heap_.cons(as_pair(back).car, list);
        s.store.set(a + 2, Value::null());
    }
    s.store.set(a + 1, as_pair(list).cdr);
    --s.queued;
}

void Machine::send(State& s, Value channel, Value v) {
    if (!is_kind(s.store, channel, Kind::channel)) throw Fault{"send: " + describe(s, channel) + " is not a channel"};
    s.store.set(channel.payload() + 2, heap_.cons(v, s.store.get(channel.payload() + 2)));
    ++s.queued;
    s.first_ready = 0;
}

// ── Time ──

std::optional<Value> deadline(const State& s, const Wait& w) {
    if (w.clause->kind == ClauseKind::after) return w.spent ? std::nullopt : std::optional(w.deadline);
    if (w.clause->kind != ClauseKind::timer || s.store.get(w.source.payload() + 1).is_false()) return std::nullopt;
    return s.store.get(w.source.payload() + 2);
}

bool is_fired(const State& s, const Wait& w) {
    const auto at = deadline(s, w);
    return at && !is_before(s.now, *at);
}

std::optional<Value> earliest_deadline(const State& s) {
    std::optional<Value> earliest;
    for (const Thread& t : s.threads)
        for (const Wait& w : t.waits)
            if (const auto at = deadline(s, w); at && (!earliest || is_before(*at, *earliest))) earliest = at;
    return earliest;
}

// A symbolic delay forks over an enum's values, otherwise over its least and its greatest; zero or less comes last.
Value Machine::chosen_delay(State& s, Value delay) {
    const Subject subject{.kind = Subject::Kind::delay, .of = delay};
    if (terms_[delay].op == Op::variable && !terms_.domain(delay).values.empty()) {
        const std::vector<Value> values = terms_.domain(delay).values;
        std::vector<Value> ways;
        for (Value v : values) ways.push_back(terms_.equal_integers(delay, v));
        return values[pick(s, subject, ways)];
    }
    const Decision* made = s.decisions.find(subject);
    if (made == nullptr) {
        const auto [least, greatest] = observer_.positive_range(s, delay);
        const Value no = Value::boolean(false);
        const bool both = least && greatest && !number::equal(*least, *greatest);
        throw Fork{{least ? terms_.equal_integers(delay, *least) : no,
                    both ? terms_.equal_integers(delay, *greatest) : no, terms_.at_most_zero(delay)},
                   subject};
    }
    const uint32_t way = made->way_of(3);
    if (way < 2 && !s.verified) throw Unsupported("a symbolic delay on a path that the solver does not decide");
    return way < 2 ? terms_.evaluate(delay, *s.model) : Value::fixnum(0); // the path fixes it
}

Value Machine::later(State& s, Value delay, const char* operation) {
    delay = forced(s, delay);
    if (terms_.is_sort(delay, Sort::integer)) delay = chosen_delay(s, delay);
    if (!number::is_integer(delay))
        throw Fault{std::string(operation) + ": " + describe(s, delay) + " is not a delay in whole time units"};
    if (number::compare(delay, Value::fixnum(0), "<") <= 0)
        throw Fault{std::string(operation) + ": a delay must be positive, and this one is " + describe(s, delay)};
    return number::add(heap_, s.now, delay);
}

// Rounded down, but at least one unit.
Value Machine::half_of(Value time) {
    return number::compare(time, Value::fixnum(2), "<") < 0 ? Value::fixnum(1)
                                                            : number::quotient(heap_, time, Value::fixnum(2));
}

// The tester may act at any moment before a deadline, and that is not seen but where timers begin at different moments:
// then the order in which they are due depends on it. A timer that began in this very moment was there at the same
// time.
bool Machine::is_another_clock_running(const State& s, uint32_t timer) {
    const Value next = number::add(heap_, s.now, Value::fixnum(1)); // before it there is no other moment
    const auto is_later = [&](Value deadline) { return is_before(next, deadline); };
    for (const Clock& c : s.clocks)
        if (c.timer != timer && c.since < s.left && s.store.get(c.timer + 1).is_true() &&
            is_later(s.store.get(c.timer + 2)))
            return true;
    for (uint32_t i = 0; i < s.threads.size(); ++i)
        for (const Wait& w : s.threads[i].waits)
            if (i != s.running && s.threads[i].waiting && w.clause->kind == ClauseKind::after && !w.spent &&
                is_later(w.deadline))
                return true;
    return false;
}

void Machine::begin_clock(State& s, uint32_t timer) {
    if (is_another_clock_running(s, timer)) observer_.moments_left_out(s, author_label(s));
    std::erase_if(s.clocks, [&](const Clock& c) { return c.timer == timer || !s.store.get(c.timer + 1).is_true(); });
    s.clocks.push_back({timer, s.left});
}

// Timers that nothing waits for may become due while the tester does something else: then all of them are, and their
// order is lost.
bool Machine::may_order_be_lost(const State& s) const {
    std::optional<Value> one;
    for (const Clock& c : s.clocks) {
        if (!s.store.get(c.timer + 1).is_true()) continue;
        const Value deadline = s.store.get(c.timer + 2);
        const auto names_it = [&](const Wait& w) {
            return w.clause->kind == ClauseKind::timer && w.source.payload() == c.timer;
        };
        const bool is_awaited = std::any_of(s.threads.begin(), s.threads.end(), [&](const Thread& t) {
            return std::any_of(t.waits.begin(), t.waits.end(), names_it);
        });
        if (is_awaited || !is_before(s.now, deadline)) continue;
        if (one && !number::equal(*one, deadline)) return true;
        one = deadline;
    }
    return false;
}

// ── The tester ──

// In the order of threads and of their clauses; a port's messages in the port's order.
std::vector<Offer> Machine::offers(const State& s) {
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
        for (const Wait& w : t.waits) {
            const Label label = w.clause->label;
            if (deadline(s, w)) {
                add({.kind = Offer::Kind::time, .label = label});
                const bool early = w.clause->kind == ClauseKind::timer && s.store.get(w.source.payload() + 3).is_true();
                const auto* last = s.events.last();
                const bool again =
                    last != nullptr && last->item.kind == Event::Kind::wait && last->item.value.is_true();
                if (early && !again && !due && is_before(number::add(heap_, s.now, Value::fixnum(1)), *deadline(s, w)))
                    add({.kind = Offer::Kind::half_time, .label = label});
                continue;
            }
            if (!w.source.is_port() || due) continue;
            const PortId port = w.source.as_port();
            const PortDef& def = program_.ports[index(port)];
            if (w.clause->filter == SelectClause::Filter::bare)
                add({.kind = Offer::Kind::bare, .port = port, .type = w.clause->type, .label = label});
            else if (w.clause->filter == SelectClause::Filter::message)
                add({.kind = Offer::Kind::message, .port = port, .message = w.clause->message, .label = label});
            else
                for (MessageId m : def.in)
                    add({.kind = Offer::Kind::message, .port = port, .message = m, .label = label});
        }
    }
    return all;
}

void Machine::take(State& s, const Offer& offer, uint32_t choice, uint32_t of) {
    Event event{.kind = Event::Kind::input, .choice = {offer.label, choice, of}, .port = offer.port};
    s.quiet_steps = 0;
    switch (offer.kind) {
    case Offer::Kind::time:
    case Offer::Kind::half_time: {
        const bool half = offer.kind == Offer::Kind::half_time;
        const Value earliest = *earliest_deadline(s);
        const Value all = is_before(s.now, earliest) ? number::sub(heap_, earliest, s.now) : Value::fixnum(0);
        event.kind = Event::Kind::wait;
        event.units = half ? half_of(all) : all;
        event.value = Value::boolean(half);
        s.now = number::add(heap_, s.now, event.units);
        s.first_ready = 0;
        for (Thread& t : s.threads)
            t.may_take_timer =
                std::any_of(t.waits.begin(), t.waits.end(), [&](const Wait& w) { return is_fired(s, w); });
        break;
    }
    case Offer::Kind::message:
    case Offer::Kind::bare:
        if (may_order_be_lost(s)) observer_.moments_left_out(s, offer.label);
        s.delivered = event.value =
            offer.kind == Offer::Kind::message ? symbolic_message(s, offer.message, 0) : symbolic(s, offer.type, 0);
        s.delivering = true;
        s.port = offer.port;
        s.offered_to = 0;
        break;
    }
    s.events.push(event);
}

// The messages' own conditions first; then each thread in turn, until a clause accepts.
std::optional<Outcome> Machine::offer_around(State& s) {
    if (!s.to_ask.empty()) {
        start_asking(s);
        return std::nullopt;
    }
    if (s.offered_to == s.threads.size()) return Outcome::infeasible; // the tester sends only what is accepted
    Thread& t = s.threads[s.offered_to];
    t.frame.make_own();
    t.trial = Thread::Trial::delivery;
    t.tried = UINT32_MAX;
    next_test(s, t);
    return std::nullopt;
}

// An operation looked into a message: its conditions first, then the operation begins again.
void Machine::resume(State& s) {
    if (!s.to_ask.empty()) {
        start_asking(s);
        s.decisions.clear();
    } else {
        s.running = s.interrupted.back().running;
        s.decisions = std::move(s.interrupted.back().decisions);
        s.interrupted.pop_back();
        if (s.running != UINT32_MAX) s.threads[s.running].frame.make_own();
    }
    s.decisions.start_again();
}

void Machine::start_asking(State& s) {
    const Value message = s.to_ask.back();
    if (terms_.is_sort(message, Sort::lazy)) { // its alternatives all have conditions: which one is it?
        const auto at = s.to_ask.size() - 1;
        forced(s, message);
        s.to_ask.erase(s.to_ask.begin() + static_cast<std::ptrdiff_t>(at));
        return;
    }
    const GlobalId where = program_.messages[index(as_message(message).message)].where;
    Thread t;
    t.number = UINT32_MAX;
    t.trial = Thread::Trial::asking;
    t.frame = enter(s, s.store.get(index(where)), {&message, 1}, no_lambda);
    t.pc = code_.entry(t.frame->lambda).pc;
    s.to_ask.pop_back();
    s.running = static_cast<uint32_t>(s.threads.size());
    s.threads.push_back(std::move(t));
}

} // namespace espalier::sym
