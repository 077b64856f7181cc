#include "lang/vm/wait_index.hpp"

namespace espalier::vm {

using Kind = SelectClause::Kind;

namespace {
const ThreadSet none;
// Channels and timers that are kept here though no thread waits for them: mostly one soon does again.
constexpr size_t most_idle = 256;
} // namespace

void WaitIndex::add(const Thread& thread) {
    Value last; // mostly several clauses take from one source
    for (const Wait& wait : thread.waits) {
        const Kind kind = wait.clause->kind;
        if (kind == Kind::other || (kind == Kind::message && wait.source == last)) continue;
        last = wait.source;
        const bool from_channel = kind == Kind::message && !wait.source.is_port();
        if (!from_channel) outside_.insert(thread.number);
        if (kind == Kind::after) {
            if (!wait.spent) alarms_.insert(alarm_of(thread, wait));
        } else if (wait.source.is_port()) {
            at_ports_ += ports_[index(wait.source.as_port())].insert(thread.number) ? 1 : 0;
        } else {
            sources_[wait.source.as_object()].insert(thread.number);
            if (from_channel) continue;
            Timer& timer = as_timer(wait.source);
            if (timer.state != Timer::State::idle) timers_.emplace(Moment{timer.deadline}, &timer);
        }
    }
}

void WaitIndex::remove(const Thread& thread) {
    outside_.erase(thread.number);
    Value last;
    for (const Wait& wait : thread.waits) {
        const Kind kind = wait.clause->kind;
        if (kind == Kind::other || (kind == Kind::message && wait.source == last)) continue;
        last = wait.source;
        if (kind == Kind::after)
            alarms_.erase(alarm_of(thread, wait));
        else if (wait.source.is_port())
            at_ports_ -= ports_[index(wait.source.as_port())].erase(thread.number) ? 1 : 0;
        else
            remove_from(wait.source, thread.number);
    }
}

void WaitIndex::remove_from(Value source, uint32_t thread) {
    const auto found = sources_.find(source.as_object());
    if (found == sources_.end()) return; // a select may name it twice
    found->second.erase(thread);
    if (!found->second.empty()) return;
    if (is_type(source, ObjectType::timer)) timers_.erase({Moment{as_timer(source).deadline}, &as_timer(source)});
    if (sources_.size() > most_idle) sources_.erase(found);
}

void WaitIndex::spend(const Thread& thread, Wait& wait) {
    alarms_.erase(alarm_of(thread, wait));
    wait.spent = true;
}

void WaitIndex::set(Timer& timer, Timer::State state, Value deadline) {
    timers_.erase({Moment{timer.deadline}, &timer});
    timer.state = state;
    timer.deadline = deadline;
    if (state != Timer::State::idle && !at(Value::object(&timer)).empty()) timers_.emplace(Moment{deadline}, &timer);
}

const ThreadSet& WaitIndex::at(Value source) const {
    const auto found = sources_.find(source.as_object());
    return found == sources_.end() ? none : found->second;
}

std::optional<Value> WaitIndex::earliest_deadline() const {
    std::optional<Moment> earliest;
    if (!timers_.empty()) earliest = timers_.begin()->first;
    if (!alarms_.empty() && (!earliest || alarms_.begin()->deadline < *earliest)) earliest = alarms_.begin()->deadline;
    return earliest ? std::optional(earliest->time) : std::nullopt;
}

std::vector<uint32_t> WaitIndex::due(Value time) const {
    const Moment now{time};
    std::vector<uint32_t> threads;
    for (auto t = timers_.begin(); t != timers_.end() && !(now < t->first); ++t) {
        const std::vector<uint32_t> waiting = at(Value::object(t->second)).all();
        threads.insert(threads.end(), waiting.begin(), waiting.end());
    }
    for (auto a = alarms_.begin(); a != alarms_.end() && !(now < a->deadline); ++a) threads.push_back(a->thread);
    return threads;
}

} // namespace espalier::vm
