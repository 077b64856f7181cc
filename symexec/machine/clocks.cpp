#include "symexec/machine/clocks.hpp"

#include <algorithm>

namespace espalier::sym {

using ClauseKind = SelectClause::Kind;

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

void Clocks::start(State& s, Value timer, Value delay) {
    if (!is_kind(s.store, timer, Kind::timer))
        throw Fault{"start: " + describe(context_.program, s, timer) + " is not a timer"};
    const Value due = later(s, delay, "start");
    s.store.set(timer.payload() + 1, Value::boolean(true));
    s.store.set(timer.payload() + 2, due);
    note_other_clocks(s, timer.payload());
    // A timer that was stopped, or was due before, counts no more until it is started again.
    std::erase_if(s.clocks, [&](const Clock& c) {
        return c.timer == timer.payload() || !s.store.get(c.timer + 1).is_true() ||
               is_before(s.store.get(c.timer + 2), s.now);
    });
    s.clocks.push_back({timer.payload(), s.left});
}

void Clocks::stop(State& s, Value timer) {
    if (!is_kind(s.store, timer, Kind::timer))
        throw Fault{"stop: " + describe(context_.program, s, timer) + " is not a timer"};
    s.store.set(timer.payload() + 1, Value::boolean(false));
}

Value Clocks::later(State& s, Value delay, const char* operation) {
    delay = decider_.forced(s, delay);
    if (terms_.is_sort(delay, Sort::integer)) delay = chosen_delay(s, delay);
    if (!number::is_integer(delay))
        throw Fault{std::string(operation) + ": " + describe(context_.program, s, delay) +
                    " is not a delay in whole time units"};
    if (number::compare(delay, Value::fixnum(0), "<") <= 0)
        throw Fault{std::string(operation) + ": a delay must be positive, and this one is " +
                    describe(context_.program, s, delay)};
    return number::add(heap_, s.now, delay);
}

// A symbolic delay forks over an enum's values, otherwise over its least and its greatest; zero or less comes last.
Value Clocks::chosen_delay(State& s, Value delay) {
    const Subject subject{.kind = Subject::Kind::delay, .of = delay};
    if (terms_[delay].op == Op::variable && !terms_.domain(delay).values.empty()) {
        const std::vector<Value> values = terms_.domain(delay).values;
        return values[decider_.pick(s, subject, values.size(), [&] {
            std::vector<Value> ways;
            for (Value v : values) ways.push_back(terms_.equal_integers(delay, v));
            return ways;
        })];
    }
    const Decision* made = s.decisions.find(subject);
    if (made == nullptr) {
        const auto [least, greatest] = context_.observer->positive_range(s, delay);
        const Value no = Value::boolean(false);
        const bool both = least && greatest && !number::equal(*least, *greatest);
        const Value zero = Value::fixnum(0);
        throw Fork{.conditions = {least ? terms_.equal_integers(delay, *least) : no,
                                  both ? terms_.equal_integers(delay, *greatest) : no, terms_.at_most_zero(delay)},
                   .subject = subject,
                   .values = {least.value_or(zero), both ? *greatest : zero, zero}};
    }
    const uint32_t way = made->way_of(3);
    if (way < 2 && !s.verified) throw Unsupported("a symbolic delay on a path that the solver does not decide");
    return made->value;
}

// The tester may act at any moment before a deadline, and that is not seen but where timers begin at different moments:
// then the order in which they are due depends on it. A timer that began in this very moment was there at the same
// time.
bool Clocks::is_another_running(const State& s, uint32_t timer) const {
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

void Clocks::note_other_clocks(State& s, uint32_t timer) {
    if (is_another_running(s, timer)) context_.observer->moments_left_out(s, context_.position.author_label(s));
}

// Most states have no two such timers, and that shows without a look at the waits.
bool Clocks::may_order_be_lost(const State& s) {
    const auto deadline_of = [&](uint32_t timer) { return s.store.get(timer + 2); };
    std::vector<uint32_t> pending;
    for (const Clock& c : s.clocks)
        if (s.store.get(c.timer + 1).is_true() && is_before(s.now, deadline_of(c.timer))) pending.push_back(c.timer);
    if (pending.size() < 2) return false;
    std::sort(pending.begin(), pending.end());
    std::vector<bool> is_awaited(pending.size(), false);
    for (const Thread& t : s.threads)
        for (const Wait& w : t.waits) {
            if (w.clause->kind != ClauseKind::timer) continue;
            const auto at = std::lower_bound(pending.begin(), pending.end(), w.source.payload());
            if (at != pending.end() && *at == w.source.payload())
                is_awaited[static_cast<size_t>(at - pending.begin())] = true;
        }
    std::optional<Value> one;
    for (size_t i = 0; i < pending.size(); ++i) {
        if (is_awaited[i]) continue;
        if (one && !number::equal(*one, deadline_of(pending[i]))) return true;
        one = deadline_of(pending[i]);
    }
    return false;
}

} // namespace espalier::sym
