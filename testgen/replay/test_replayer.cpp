#include "testgen/replay/test_replayer.hpp"

#include <algorithm>

#include "testgen/replay/align_outputs.hpp"
#include "testgen/replay/offers.hpp"
#include "testgen/suite/copy_value.hpp"

namespace espalier {

namespace {

using Kind = SuiteEvent::Kind;
constexpr size_t most_offers = 8; // that are named where a step is refused

// A test that says nothing of schedules is one where the lowest thread goes first.
InterpreterOptions interpreter_options(const SuiteTest& test, const ReplayLimits& limits, FreshPairs& told_apart) {
    InterpreterOptions o;
    o.told_apart = &told_apart;
    o.stop = limits.stop;
    o.step_limit = limits.steps != 0 ? limits.steps : replay_step_limit;
    o.schedules = std::any_of(test.events.begin(), test.events.end(),
                              [](const SuiteEvent& e) { return e.kind == Kind::schedule; });
    return o;
}

// Of the fresh value that stands at this place of an output.
uint32_t number_at(Value v, const std::vector<uint32_t>& place) {
    for (uint32_t part : place) {
        if (is_type(v, ObjectType::message)) {
            v = as_message(v).fields[part];
            continue;
        }
        for (; part > 0; --part) v = as_pair(v).cdr;
        v = as_pair(v).car;
    }
    return v.as_object()->count;
}

} // namespace

void ReplayLines::add(char mark, const SuiteEvent& event, std::vector<std::string> details) {
    if (mark == ' ' && !event.misnamed.empty()) mark = '-';
    details.insert(details.end(), event.misnamed.begin(), event.misnamed.end());
    const std::string text = mark == '+' ? matcher_.found_text(event) : matcher_.expected_text(event);
    lines.push_back({mark, text, event.in_suite, std::move(details)});
}

void ReplayLines::changed(const SuiteEvent& expected, const SuiteEvent& found) {
    const auto differences = matcher_.differences(expected, found); // first, since it may name values
    add('-', expected);
    add('+', found);
    for (const ValueDifference& d : differences)
        lines.back().details.push_back((d.place.empty() ? "" : d.place + ": ") + "expected " + d.expected + ", found " +
                                       d.found);
}

TestReplayer::TestReplayer(const Model& model, CompiledProgram& compiled, const SuiteTest& test,
                           const ReplayLimits& limits, const StageCut& cut)
    : model_(model), program_(*model.program), test_(test), limits_(limits), matcher_(program_, test),
      watcher_(program_, matcher_, values_, cut), told_(matcher_),
      run_(compiled, watcher_, interpreter_options(test, limits, told_apart_)) {}

// The tester's steps, as far as the model takes them. What a stage did that was stopped is not compared.
void TestReplayer::go() {
    size_t at = 0;
    gather(at);
    status_ = run_.start();
    if (is_stopped()) return;
    settle();
    while (at < test_.events.size()) {
        const SuiteEvent& step = test_.events[at];
        const size_t left = test_.events.size() - ++at;
        gather(at);
        if (!can_act(step) || !act(step)) {
            refused_ = told_.lines.back();
            if (left > 0)
                told_.lines.back().details.push_back("what follows in the test is not run: " + std::to_string(left) +
                                                     (left == 1 ? " event" : " events"));
            break;
        }
        if (is_stopped()) return;
        settle();
    }
}

// What the test says will happen before the tester's next step.
void TestReplayer::gather(size_t& at) {
    watcher_.begin_stage();
    expected_.clear();
    for (; at < test_.events.size(); ++at) {
        const SuiteEvent& e = test_.events[at];
        switch (e.kind) {
        case Kind::output: expected_.push_back(&e); break;
        case Kind::choice: watcher_.add_choice(e); break;
        case Kind::schedule: watcher_.add_schedule(e); break;
        case Kind::input:
        case Kind::wait: return;
        }
    }
}

// Can the tester take this step? Says why not.
bool TestReplayer::can_act(const SuiteEvent& step) {
    if (status_ != Status::stable) {
        told_.add('-', step, {why_ended()});
        return false;
    }
    if (step.kind != Kind::input) return true;
    std::string unknown;
    const FreshValue fresh = [&](uint32_t number) -> std::optional<Value> {
        const auto bound = matcher_.bindings().actual.find(number);
        if (bound != matcher_.bindings().actual.end()) return run_.fresh_value(bound->second);
        unknown = matcher_.name(number);
        return std::nullopt;
    };
    message_ = copy_value(run_.heap(), step.value, fresh);
    if (unknown.empty()) return true;
    told_.add('-', step);
    if (step.misnamed.empty()) told_.lines.back().details.push_back("no output has given a value to " + unknown);
    return false;
}

// The step in terms of the run: its fresh values are those of the run.
SuiteEvent TestReplayer::as_done(const SuiteEvent& step) {
    SuiteEvent e = step;
    e.misnamed.clear();
    e.fresh.clear();
    if (step.kind == Kind::input) e.value = copy_value(values_, message_);
    for (const FreshUse& use : step.fresh)
        if (const auto bound = matcher_.bindings().actual.find(use.fresh); bound != matcher_.bindings().actual.end())
            e.fresh.push_back({use.place, bound->second, use.equal});
    return e;
}

bool TestReplayer::act(const SuiteEvent& step) {
    Status next = Status::refused;
    const size_t before = watcher_.happened.size();
    watcher_.happened.push_back(as_done(step));
    if (step.kind == Kind::input) {
        next = run_.deliver(step.port, message_);
    } else {
        next = run_.pass_time(step.units);
        while (next == Status::stable && run_.time_left_to_pass() > 0) next = run_.pass_time(run_.time_left_to_pass());
    }
    if (next != Status::refused) {
        status_ = next;
        told_.add(' ', step);
        return true;
    }
    watcher_.happened.resize(before);
    std::vector<std::string> why{run_.refusal().empty() ? "the model does not accept it here" : run_.refusal()};
    for (const Offer& o : run_.offers()) {
        for (const std::string& text : describe(program_, run_, o)) {
            const std::string offer = "it waits for " + text;
            if (std::find(why.begin(), why.end(), offer) == why.end() && why.size() < most_offers) why.push_back(offer);
        }
    }
    told_.add('-', step, std::move(why));
    return false;
}

// Compares what the model did with what the test expects of it.
void TestReplayer::settle() {
    std::move(watcher_.lines.begin(), watcher_.lines.end(), std::back_inserter(told_.lines));
    watcher_.lines.clear();
    for (const SuiteEvent* e : watcher_.choices()) told_.add('-', *e, {"the model chooses nothing here"});
    for (const SuiteEvent* e : watcher_.schedules()) told_.add('-', *e, {"only one thread can go on here"});
    std::vector<const SuiteEvent*> found;
    for (const SuiteEvent& e : watcher_.outputs()) found.push_back(&e);
    align_outputs(expected_, found, told_);
    for (const SuiteEvent* e : expected_) told_apart(*e);
}

// Two names that the test wants to differ must be of values that the model says do.
void TestReplayer::told_apart(const SuiteEvent& output) {
    const auto& bound = matcher_.bindings().actual;
    for (const FreshUse& use : output.fresh) {
        const uint32_t name = number_at(output.value, use.place);
        const auto one = bound.find(name), other = bound.find(use.fresh);
        if (one == bound.end() || other == bound.end()) continue; // a difference already
        if (known_to_differ(*run_.fresh_value(one->second), *run_.fresh_value(other->second)))
            told_apart_.insert(std::minmax(one->second, other->second)); // also where the run did not ask
        else
            told_.add({'-',
                       matcher_.name(name) + " differs from " + matcher_.name(use.fresh),
                       output.in_suite,
                       {"the model does not say so"}});
    }
}

} // namespace espalier
