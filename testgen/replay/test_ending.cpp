// The end of a test on the model: what it ends in, what it covers, and what came of it.
#include <algorithm>
#include <set>

#include "testgen/replay/test_replayer.hpp"
#include "testgen/suite/copy_value.hpp"
#include "testgen/suite/told_apart.hpp"
#include "testgen/suite/value_range.hpp"

namespace espalier {

TestReplay TestReplayer::run(Criteria spoken_of) {
    go();
    if (!is_stopped()) {
        ending();
        coverage(spoken_of);
    }
    return {std::move(told_.lines), std::move(watcher_.covered), 0, is_stopped()};
}

Rerun TestReplayer::again(Heap& values) {
    go();
    Rerun made;
    made.is_stopped = is_stopped();
    if (made.is_stopped) {
        made.covered = std::move(watcher_.covered);
        return made;
    }
    ending();
    for (SuiteEvent& e : watcher_.happened) {
        if (e.printed.empty()) e.value = copy_value(values, e.value);
        made.events.push_back(std::move(e));
    }
    note_told_apart(program_, made.events, told_apart_);
    made.fresh_ranges = ranges_in(program_, made.events);
    // Names that a person gave. The others are numbers of a run, and in this one another value may have the number.
    for (const auto& [expected, actual] : matcher_.bindings().actual)
        if (const auto name = test_.fresh_names.find(expected); name != test_.fresh_names.end())
            made.fresh_names.emplace(actual, name->second);
    made.covered = std::move(watcher_.covered);
    if (status_ == Status::model_error) {
        made.error = run_.error()->text;
        made.error_at = run_.error()->span;
    }
    made.open_end = ends_open(status_);
    tell_difference(made);
    return made;
}

// Why the tester could not go on, and the first thing that is not as the test says.
void TestReplayer::tell_difference(Rerun& made) const {
    const auto told = [](const ReplayLine& l) { return l.text + (l.details.empty() ? "" : ": " + l.details.front()); };
    if (refused_) made.refused = told(*refused_);
    const auto differs =
        std::find_if(told_.lines.begin(), told_.lines.end(), [](const ReplayLine& l) { return l.mark != ' '; });
    if (differs != told_.lines.end()) {
        made.difference = told(*differs);
        // What came in place of an output says what is not as expected.
        if (const auto instead = differs + 1; differs->details.empty() && instead != told_.lines.end() &&
                                              instead->mark == '+' && !instead->details.empty())
            made.difference += ": " + instead->details.front();
    }
}

std::string TestReplayer::why_ended() const {
    switch (status_) {
    case Status::finished: return "the model has come to its end";
    case Status::model_error: return "the model has made an error";
    case Status::assume_failed: return "the run has ended: an assumption does not hold";
    case Status::out_of_steps: return "the model does not come to rest";
    case Status::stopped: return "the run was stopped";
    case Status::stable:
    case Status::refused: break;
    }
    return "the model does not wait";
}

void TestReplayer::ending() {
    ranges();
    error_at_end();
    if (!refused_) open_end(); // else the run did not come to the end of the test
}

// What a test lets the system choose must be what the model does.
void TestReplayer::ranges() {
    for (const auto& [number, text] : test_.fresh_ranges) {
        const auto bound = matcher_.bindings().actual.find(number);
        if (bound == matcher_.bindings().actual.end()) continue; // a difference already
        const Value chosen = run_.fresh_value(bound->second).value();
        const std::string says = range_text(program_, static_cast<const Fresh*>(chosen.as_object())->of);
        if (is_same_range(text, says)) continue;
        told_.add({'-',
                   matcher_.name(number) + " is within " + text,
                   test_.in_suite,
                   {says.empty() ? "the model does not say so" : "the model says " + says}});
    }
}

void TestReplayer::error_at_end() {
    const std::string made = status_ == Status::model_error ? run_.error()->text : std::string();
    if (made == test_.error) {
        if (!made.empty()) told_.add({' ', "error " + made, {}, {}});
        return;
    }
    if (!test_.error.empty()) {
        told_.add({'-', "error " + test_.error, test_.in_suite, {}});
        if (made.empty()) told_.lines.back().details.push_back("the model makes no error");
    }
    if (!made.empty()) told_.add({'+', "error " + made, {}, {"at " + model_.sources.place(run_.error()->span)}});
}

// A test whose end is open says that the model leaves it so: where the model does say what comes, the mark would
// keep a wrong system from being found; where it does not, a test without the mark would blame a right one.
void TestReplayer::open_end() {
    const bool open = ends_open(status_);
    if (open && test_.open_end) {
        told_.add({' ', "end open", {}, {}});
    } else if (open) {
        told_.add({'+',
                   "end open",
                   {},
                   {why_ended(), "the model does not say what comes then: such a test says end=\"open\""}});
    } else if (test_.open_end) {
        std::string how = status_ == Status::stable ? "the model comes to rest here" : why_ended();
        told_.add({'-', "end open", test_.in_suite, {std::move(how)}});
    }
}

void TestReplayer::coverage(Criteria spoken_of) {
    const std::set<TargetId> claimed(test_.covers.begin(), test_.covers.end());
    for (size_t i = 0; i < test_.covers.size(); ++i) {
        if (watcher_.reached(test_.covers[i])) continue;
        told_.add({'-',
                   "covers " + target_id(program_.targets[index(test_.covers[i])]),
                   test_.covers_in_suite[i],
                   {"the test does not reach it"}});
    }
    for (const TargetId id : watcher_.covered) {
        const Target& target = program_.targets[index(id)];
        if (claimed.count(id) == 0 && spoken_of.has(target.kind))
            told_.lines.push_back(
                {'+', "covers " + target_id(target), {}, {"the test reaches it, and does not say so"}});
    }
}

} // namespace espalier
