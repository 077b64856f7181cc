#include "symexec/machine/scheduler.hpp"

#include <algorithm>

#include "symexec/machine/channels.hpp"

namespace espalier::sym {

std::optional<Outcome> Scheduler::schedule(State& s) {
    if (s.delivering) return offer_around(s);
    const std::vector<Turn> possible = turns(s);
    if (possible.empty()) return settle(s);
    concurrent_ = concurrent_ || possible.size() > 1;
    Turn turn{possible[0].thread, UINT32_MAX};
    if (context_.limits.schedules == Schedules::all) {
        turn = possible[0];
        if (possible.size() > 1) {
            const Subject subject{.kind = Subject::Kind::turn};
            const Decision* made = s.decisions.find(subject);
            if (made == nullptr) {
                context_.fork = {std::vector<Value>(possible.size(), Value::boolean(true)), subject, no_label,
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
    s.running = UINT32_MAX; // a decision on the way to the first test starts here again
    selector_.try_queues(s, t);
    return std::nullopt;
}

// All of them; where the first thread goes first, those of the first, and whether there are more. Those that could not
// go on the last time still cannot, unless something was sent or time has passed.
std::vector<Scheduler::Turn> Scheduler::turns(State& s) const {
    const bool only_first = context_.limits.schedules != Schedules::all;
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
void Scheduler::add_turns(const State& s, uint32_t i, std::vector<Turn>& all) {
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

bool Scheduler::is_ready(const State& s, const Thread& t) {
    return !t.waiting || std::any_of(t.waits.begin(), t.waits.end(), [&](const Wait& w) {
        return is_queued(s, w.source) || (t.may_take_timer && is_fired(s, w));
    });
}

Outcome Scheduler::settle(State& s) {
    bool only_services = true, stable = false;
    for (Thread& t : s.threads) {
        t.may_take_timer = false;
        only_services = only_services && t.service;
        stable = stable || std::any_of(t.waits.begin(), t.waits.end(),
                                       [&](const Wait& w) { return w.source.is_port() || deadline(s, w).has_value(); });
    }
    if (stable) return Outcome::stable;
    if (only_services) return Outcome::finished;
    return deadlock(s);
}

Outcome Scheduler::deadlock(const State& s) {
    std::string numbers;
    size_t count = 0;
    for (const Thread& t : s.threads) {
        if (t.service) continue;
        if (count++ == 0) context_.position.set_to_wait(t.select);
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(t.number);
    }
    context_.error = context_.position.error(count == 1 ? "deadlock: thread " + numbers + " waits for ever"
                                                        : "deadlock: the threads " + numbers + " wait for ever");
    return Outcome::model_error;
}

void Scheduler::spawn(State& s, Value procedure, bool service, Label site) {
    if (!is_type(procedure, ObjectType::closure))
        throw Fault{"spawn: " + describe(program_, s, procedure) + " is not a procedure"};
    if (program_[as_closure(procedure).lambda].required != 0)
        throw Fault{"spawn: the procedure of a thread takes no arguments"};
    Thread t;
    t.number = s.thread_count++;
    t.service = service;
    t.frame = calls_.enter(s, procedure, {});
    t.frame->site = site;
    t.pc = code_.entry(t.frame->lambda).pc;
    s.threads.push_back(std::move(t));
}

// The messages' own conditions first; then each thread in turn, until a clause accepts.
std::optional<Outcome> Scheduler::offer_around(State& s) {
    if (!s.to_ask.empty()) {
        start_asking(s);
        return std::nullopt;
    }
    if (s.offered_to == s.threads.size()) return Outcome::infeasible; // the tester sends only what is accepted
    Thread& t = s.threads[s.offered_to];
    t.frame.make_own();
    selector_.try_delivery(s, t);
    return std::nullopt;
}

void Scheduler::resume(State& s) {
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

void Scheduler::start_asking(State& s) {
    const Value message = s.to_ask.back();
    if (context_.terms.is_sort(message, Sort::lazy)) { // its alternatives all have conditions: which one is it?
        const auto at = s.to_ask.size() - 1;
        values_.forced(s, message);
        s.to_ask.erase(s.to_ask.begin() + static_cast<std::ptrdiff_t>(at));
        return;
    }
    const GlobalId where = program_.messages[index(as_message(message).message)].where;
    Thread t;
    t.number = UINT32_MAX;
    t.trial = Thread::Trial::asking;
    t.frame = calls_.enter(s, s.store.get(index(where)), {&message, 1});
    t.pc = code_.entry(t.frame->lambda).pc;
    s.to_ask.pop_back();
    s.running = static_cast<uint32_t>(s.threads.size());
    s.threads.push_back(std::move(t));
}

} // namespace espalier::sym
