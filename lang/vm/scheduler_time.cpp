// Timers, and time that passes.
#include "lang/values/channel.hpp"
#include "lang/values/number.hpp"
#include "lang/vm/scheduler.hpp"

namespace espalier::vm {

namespace {

bool is_before(Value a, Value b) { return number::compare(a, b, "<") < 0; }
Value later_of(Value a, Value b) { return is_before(a, b) ? b : a; }

} // namespace

bool Scheduler::is_ready(Value timer) const {
    return as_timer(timer).state != Timer::State::idle && has_come(as_timer(timer).deadline);
}

bool Scheduler::is_fired(const Wait& wait) const {
    const auto at = deadline(wait);
    return at && has_come(*at);
}

std::optional<Value> Scheduler::deadline(const Wait& wait) const {
    if (wait.clause->kind == SelectClause::Kind::after) return wait.spent ? std::nullopt : std::optional(wait.deadline);
    if (wait.clause->kind != SelectClause::Kind::timer || as_timer(wait.source).state == Timer::State::idle)
        return std::nullopt;
    return as_timer(wait.source).deadline;
}

Value Scheduler::after(Value delay, const char* operation) {
    if (!number::is_integer(delay))
        throw Fault{std::string(operation) + ": " + to_text(program_, delay) + " is not a delay in whole time units"};
    if (number::compare(delay, Value::fixnum(0), "<") <= 0)
        throw Fault{std::string(operation) + ": a delay must be positive, and this one is " + to_text(program_, delay)};
    return number::add(runner_.heap, now_, delay);
}

void Scheduler::start_timer(Value timer, Value delay) {
    if (!is_type(timer, ObjectType::timer)) throw Fault{"start: " + to_text(program_, timer) + " is not a timer"};
    waits_.set(as_timer(timer), Timer::State::running, after(delay, "start"));
}

void Scheduler::stop_timer(Value timer) {
    if (!is_type(timer, ObjectType::timer)) throw Fault{"stop: " + to_text(program_, timer) + " is not a timer"};
    waits_.stop(as_timer(timer));
}

Status Scheduler::pass_time(std::optional<Value> units) {
    const auto earliest = waits_.earliest_deadline();
    if (status_ != Status::stable || (!units && !earliest)) return Status::refused;
    const Value end = units ? number::add(runner_.heap, now_, *units) : later_of(now_, *earliest);
    const Value stop = earliest && !is_before(end, *earliest) ? later_of(now_, *earliest) : end;
    time_left_ = number::sub(runner_.heap, end, stop);
    now_ = stop;
    timed_ = waits_.due(now_);
    for (uint32_t number : timed_) {
        find(number)->may_take_timer = true;
        candidates_.insert(number);
    }
    return status_ = run_threads();
}

} // namespace espalier::vm
