// Threads: which one runs next, and when the model is stable.
#include "lang/vm/scheduler.hpp"

#include <algorithm>
#include <set>

#include "lang/ir/type.hpp"
#include "lang/values/channel.hpp"
#include "lang/values/number.hpp"

namespace espalier::vm {

void Recorder::tell() {
    for (const Event& e : std::exchange(events_, {})) {
        switch (e.kind) {
        case Event::Kind::display: listener_.display(e.text); break;
        case Event::Kind::mark: listener_.mark(e.target, e.thread); break;
        case Event::Kind::step: listener_.step(e.thread, e.lambda, e.block, e.site); break;
        }
    }
}

Scheduler::Scheduler(SharedCode& code, Listener& listener, const InterpreterOptions& options)
    : program_(code.program()), selects_(code.selects()), code_(code), listener_(listener), recorder_(listener),
      runner_(code, listener, options), waits_(code.program().ports.size()), schedules_(options.schedules),
      follows_(options.follow) {
    runner_.set_scheduler(*this);
}

Status Scheduler::start() {
    assert(thread_count_ == 0 && "a run starts once");
    const auto& top = threads_[thread_count_] = std::make_unique<Thread>(thread_count_, false);
    candidates_.insert(thread_count_++);
    runner_.prepare(*top, runner_.top_closure(), {}, no_label);
    return status_ = run_threads();
}

Status Scheduler::run_threads() {
    while (Thread* thread = next_ready()) {
        if (runner_.is_stopped()) return Status::stopped;
        if (!go_on(*thread)) return status_;
    }
    return settle();
}

// The lowest number first, or the one that the listener says.
Thread* Scheduler::next_ready() {
    if (!schedules_) return first_ready();
    struct Turn {
        Thread* thread;
        size_t timer;
    };
    std::vector<Turn> turns;
    std::vector<uint32_t> numbers;
    for (Thread* thread : all_ready()) {
        std::vector<size_t> timers = due_timers(*thread);
        if (timers.size() < 2) timers = {SIZE_MAX};
        for (size_t timer : timers) {
            turns.push_back({thread, timer});
            numbers.push_back(thread->number);
        }
    }
    if (turns.empty()) return nullptr;
    const uint32_t chosen = turns.size() == 1 ? 0 : listener_.schedule(numbers);
    const Turn turn = turns[chosen < turns.size() ? chosen : 0];
    turn.thread->only_timer = turn.timer;
    candidates_.erase(turn.thread->number);
    return turn.thread;
}

Thread* Scheduler::first_ready() {
    while (const auto number = candidates_.first()) {
        Thread* thread = find(*number);
        candidates_.erase(*number);
        if (thread == nullptr || !is_ready(*thread)) continue;
        thread->only_timer = SIZE_MAX;
        return thread;
    }
    return nullptr;
}

// With each candidate, those that wait for the same channels.
std::vector<Thread*> Scheduler::all_ready() {
    std::set<uint32_t> numbers;
    for (uint32_t number : candidates_.all()) {
        Thread* thread = find(number);
        if (thread == nullptr || !is_ready(*thread)) {
            candidates_.erase(number);
            continue;
        }
        numbers.insert(number);
        for (const Wait& wait : thread->waits) {
            if (!is_type(wait.source, ObjectType::channel) || as_channel(wait.source).empty()) continue;
            const std::vector<uint32_t> others = waits_.at(wait.source).all();
            numbers.insert(others.begin(), others.end());
        }
    }
    std::vector<Thread*> ready;
    for (uint32_t number : numbers) ready.push_back(find(number));
    return ready;
}

Thread* Scheduler::find(uint32_t number) {
    const auto found = threads_.find(number);
    return found == threads_.end() ? nullptr : found->second.get();
}

void Scheduler::wake_first(Value channel) {
    if (as_channel(channel).empty()) return;
    if (const auto first = waits_.at(channel).first()) candidates_.insert(*first);
}

// The first clause of each timer that the thread may take now.
std::vector<size_t> Scheduler::due_timers(const Thread& thread) const {
    std::vector<size_t> due;
    if (!thread.waiting || !thread.may_take_timer) return due;
    for (size_t i = 0; i < thread.waits.size(); ++i)
        if (is_fired(thread.waits[i]) && std::none_of(due.begin(), due.end(), [&](size_t d) {
                return is_same_timer(thread.waits[d], thread.waits[i]);
            }))
            due.push_back(i);
    return due;
}

bool Scheduler::is_same_timer(const Wait& a, const Wait& b) {
    return &a == &b || (a.clause->kind == SelectClause::Kind::timer && b.clause->kind == SelectClause::Kind::timer &&
                        a.source == b.source);
}

bool Scheduler::is_ready(const Thread& thread) {
    ++looks_;
    if (!thread.waiting) return true;
    return std::any_of(thread.waits.begin(), thread.waits.end(), [&](const Wait& wait) {
        return (is_type(wait.source, ObjectType::channel) && !as_channel(wait.source).empty()) ||
               (thread.may_take_timer && is_fired(wait));
    });
}

// Runs the thread until it waits or ends. False: the whole run is over, `status_` says why.
bool Scheduler::go_on(Thread& thread) {
    if (!thread.waiting) return run(thread);
    thread.trial = Thread::Trial::queues;
    thread.tried = ClauseIndex::none; // so that the next one is the first
    try {
        const Instr* test = next_test(thread);
        if (test == nullptr) {
            if (is_ready(thread)) candidates_.insert(thread.number); // another of its timers is due
            return true;
        }
        thread.pc = test;
    } catch (const Fault& fault) {
        return fail(thread, fault.text, fault.span);
    }
    return run(thread);
}

bool Scheduler::run(Thread& thread) {
    try {
        switch (runner_.run(thread)) {
        case Outcome::waits:
            if (&thread != asking_ && is_ready(thread)) candidates_.insert(thread.number);
            return true;
        case Outcome::ended: end(thread); return true;
        case Outcome::assume_failed: status_ = Status::assume_failed; return false;
        case Outcome::out_of_steps: status_ = Status::out_of_steps; return false;
        case Outcome::stopped: status_ = Status::stopped; return false;
        }
    } catch (const Fault& fault) {
        return fail(thread, fault.text, fault.span);
    } catch (const TooLarge& error) {
        fail(thread, error.what());
        error_->is_about_size = true;
        return false;
    } catch (const PrimitiveError& error) {
        return fail(thread, error.what());
    }
    return false;
}

bool Scheduler::fail(const Thread& thread, std::string text, Span better) {
    error_ = runner_.model_error(thread, std::move(text), better);
    status_ = Status::model_error;
    return false;
}

void Scheduler::end(Thread& thread) {
    if (&thread == asking_) return;
    if (thread.number == 0) result_ = runner_.result(thread);
    listener_.ended(thread.number);
    in_service_ -= thread.service ? 1 : 0;
    threads_.erase(thread.number);
}

// Every live thread waits, and none can go on by itself.
Status Scheduler::settle() {
    for (uint32_t number : std::exchange(timed_, {}))
        if (Thread* thread = find(number)) thread->may_take_timer = false;
    if (waits_.is_any_at_port() || waits_.earliest_deadline()) return status_ = Status::stable;
    if (in_service_ == threads_.size()) return status_ = Status::finished;
    return fail_deadlock();
}

Status Scheduler::fail_deadlock() {
    ModelError error;
    std::string numbers;
    size_t count = 0;
    for (const auto& [number, thread] : threads_) {
        if (thread->service) continue;
        const Span span = runner_.span(*thread);
        if (count++ == 0) error.span = span;
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(number);
        if (error.backtrace.size() < 12) error.backtrace.push_back({runner_.procedure(*thread), span});
    }
    error.text = count == 1 ? "deadlock: thread " + numbers + " waits for ever"
                            : "deadlock: the threads " + numbers + " wait for ever";
    error_ = std::move(error);
    return status_ = Status::model_error;
}

void Scheduler::spawn(Value procedure, bool service, Label site) {
    if (!is_type(procedure, ObjectType::closure))
        throw Fault{"spawn: " + to_text(program_, procedure) + " is not a procedure"};
    const Lambda& lambda = program_[as_closure(procedure).lambda];
    if (lambda.required != 0) throw Fault{"spawn: the procedure of a thread takes no arguments"};
    Thread& thread = *(threads_[thread_count_] = std::make_unique<Thread>(thread_count_, service));
    candidates_.insert(thread_count_++);
    in_service_ += service ? 1 : 0;
    const Value no_arguments = Value::null();
    runner_.prepare(thread, procedure, {&no_arguments, lambda.rest ? 1U : 0U}, site);
    listener_.spawned(thread.number);
}

void Scheduler::send(Thread& thread, Value channel, Value value) {
    if (!is_type(channel, ObjectType::channel))
        throw Fault{"send: " + to_text(program_, channel) + " is not a channel"};
    as_channel(channel).send(runner_.heap, value);
    wake_first(channel);
    listener_.sent(thread.number, channel, value);
}

void Scheduler::mark_roots(Marker& marker) {
    runner_.mark_roots(marker);
    for (const auto& [number, thread] : threads_) runner_.mark_thread(marker, *thread);
    if (asking_ != nullptr) runner_.mark_thread(marker, *asking_);
    marker.mark(delivered_);
    marker.mark(now_);
    marker.mark(time_left_);
    if (result_) marker.mark(*result_);
}

} // namespace espalier::vm
