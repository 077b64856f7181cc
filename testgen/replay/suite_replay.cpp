#include "testgen/replay/suite_replay.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <new>
#include <optional>
#include <set>

#include "testgen/replay/match_outputs.hpp"
#include "testgen/replay/offers.hpp"
#include "testgen/replay/replay.hpp"
#include "testgen/suite/copy_value.hpp"
#include "testgen/suite/told_apart.hpp"
#include "testgen/suite/value_range.hpp"

namespace espalier {

namespace {

using Kind = SuiteEvent::Kind;

// What a run does by itself, until it waits for the tester again.
class Watcher : public Listener {
public:
    Watcher(const Program& program, const OutputMatcher& matcher, Heap& values)
        : program_(program), matcher_(matcher), values_(values), seen_(program.targets.size(), false) {}

    void output(PortId port, Value value) override {
        if (!cut.has_output(value)) return;
        SuiteEvent e;
        e.kind = Kind::output;
        e.port = port;
        keep_value(program_, values_, value, e);
        happened.push_back(e);
        outputs.push_back(std::move(e));
    }
    void mark(TargetId target, uint32_t) override {
        if (seen_[index(target)]) return;
        seen_[index(target)] = true;
        covered.push_back(target);
    }
    uint32_t choose(Label, uint32_t count) override {
        if (!cut.has_decision() && choices.empty()) return 0;
        SuiteEvent here;
        here.kind = Kind::choice;
        here.alternatives = count;
        here.taken = chosen(count);
        happened.push_back(here);
        return here.taken;
    }
    uint32_t chosen(uint32_t count) {
        if (choices.empty()) {
            lines.push_back(
                {'+', "choice 0 of " + std::to_string(count), {}, {"the test does not say what is chosen here"}});
            return 0;
        }
        const SuiteEvent& e = *choices.front();
        choices.pop_front();
        const bool fits = e.taken < count && (e.alternatives == 0 || e.alternatives == count);
        lines.push_back({fits ? ' ' : '-', matcher_.expected_text(e), e.in_suite, {}});
        if (!fits) lines.back().details.push_back("the model chooses one of " + std::to_string(count) + " here");
        return e.taken < count ? e.taken : 0;
    }
    uint32_t schedule(std::span<const uint32_t> turns) override {
        if (!cut.has_decision() && schedules.empty()) return 0;
        SuiteEvent here;
        here.kind = Kind::schedule;
        here.ready.assign(turns.begin(), turns.end());
        if (schedules.empty()) {
            lines.push_back({'+', matcher_.found_text(here), {}, {"the test does not say whose turn it is"}});
            happened.push_back(here);
            return 0;
        }
        const SuiteEvent& e = *schedules.front();
        schedules.pop_front();
        const bool fits = e.ready == here.ready;
        lines.push_back({fits ? ' ' : '-', matcher_.expected_text(e), e.in_suite, {}});
        here.taken = e.taken < turns.size() ? e.taken : 0;
        happened.push_back(here);
        if (!fits) lines.push_back({'+', matcher_.found_text(here), {}, {"it is the turn of one of these threads"}});
        return here.taken;
    }
    bool reached(TargetId target) const { return seen_[index(target)]; }

    std::deque<const SuiteEvent*> choices, schedules; // that the test makes before the tester's next step
    std::vector<SuiteEvent> outputs;
    std::vector<SuiteEvent> happened; // all of it, in order
    std::vector<ReplayLine> lines;
    std::vector<TargetId> covered;
    StageCut cut;

private:
    const Program& program_;
    const OutputMatcher& matcher_;
    Heap& values_;
    std::vector<bool> seen_;
};

class TestRun {
public:
    TestRun(const Model& model, CompiledProgram& compiled, const SuiteTest& test, const ReplayLimits& limits,
            const StageCut& cut)
        : model_(model), program_(*model.program), test_(test), limits_(limits), matcher_(program_, test),
          watcher_(program_, matcher_, values_), run_(compiled, watcher_, options(test, limits, told_apart_)) {
        watcher_.cut = cut;
    }
    std::optional<StageCut> to_be_done_again() const {
        return is_stopped() ? std::nullopt : watcher_.cut.again(status_);
    }
    uint64_t steps() const { return run_.steps(); }

    TestReplay run(Criteria spoken_of) {
        go();
        if (!is_stopped()) {
            ending();
            coverage(spoken_of);
        }
        return {std::move(lines_), std::move(watcher_.covered), 0, is_stopped()};
    }

    Rerun again(Heap& values) {
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
        const auto told = [](const ReplayLine& l) {
            return l.text + (l.details.empty() ? "" : ": " + l.details.front());
        };
        if (refused_) made.refused = told(*refused_);
        const auto differs =
            std::find_if(lines_.begin(), lines_.end(), [](const ReplayLine& l) { return l.mark != ' '; });
        if (differs != lines_.end()) {
            made.difference = told(*differs);
            // What came in place of an output says what is not as expected.
            if (const auto instead = differs + 1; differs->details.empty() && instead != lines_.end() &&
                                                  instead->mark == '+' && !instead->details.empty())
                made.difference += ": " + instead->details.front();
        }
        return made;
    }

private:
    // By a limit, which says nothing of the model.
    bool is_stopped() const {
        return status_ == Status::stopped || (status_ == Status::out_of_steps && limits_.steps != 0);
    }

    // The tester's steps, as far as the model takes them. What a stage did that was stopped is not compared.
    void go() {
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
                refused_ = lines_.back();
                if (left > 0)
                    lines_.back().details.push_back("what follows in the test is not run: " + std::to_string(left) +
                                                    (left == 1 ? " event" : " events"));
                break;
            }
            if (is_stopped()) return;
            settle();
        }
    }

    // A test that says nothing of schedules is one where the lowest thread goes first.
    static InterpreterOptions options(const SuiteTest& test, const ReplayLimits& limits, FreshPairs& told_apart) {
        InterpreterOptions o;
        o.told_apart = &told_apart;
        o.stop = limits.stop;
        o.step_limit = limits.steps != 0 ? limits.steps : replay_step_limit;
        o.schedules = std::any_of(test.events.begin(), test.events.end(),
                                  [](const SuiteEvent& e) { return e.kind == Kind::schedule; });
        return o;
    }

    // What the test says will happen before the tester's next step.
    void gather(size_t& at) {
        watcher_.choices.clear();
        watcher_.schedules.clear();
        watcher_.outputs.clear();
        watcher_.cut.begin_stage();
        expected_.clear();
        for (; at < test_.events.size(); ++at) {
            const SuiteEvent& e = test_.events[at];
            if (e.kind == Kind::output)
                expected_.push_back(&e);
            else if (e.kind == Kind::choice)
                watcher_.choices.push_back(&e);
            else if (e.kind == Kind::schedule)
                watcher_.schedules.push_back(&e);
            else
                break;
        }
    }

    void line(char mark, const SuiteEvent& e, std::vector<std::string> details = {}) {
        if (mark == ' ' && !e.misnamed.empty()) mark = '-';
        details.insert(details.end(), e.misnamed.begin(), e.misnamed.end());
        lines_.push_back(
            {mark, mark == '+' ? matcher_.found_text(e) : matcher_.expected_text(e), e.in_suite, std::move(details)});
    }

    // Can the tester take this step? Says why not.
    bool can_act(const SuiteEvent& step) {
        if (status_ != Status::stable) {
            line('-', step, {why_ended()});
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
        line('-', step);
        if (step.misnamed.empty()) lines_.back().details.push_back("no output has given a value to " + unknown);
        return false;
    }

    std::string why_ended() const {
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

    // The step in terms of the run: its fresh values are those of the run.
    SuiteEvent as_done(const SuiteEvent& step) {
        SuiteEvent e = step;
        e.misnamed.clear();
        e.fresh.clear();
        if (step.kind == Kind::input) e.value = copy_value(values_, message_);
        for (const FreshUse& use : step.fresh)
            if (const auto bound = matcher_.bindings().actual.find(use.fresh);
                bound != matcher_.bindings().actual.end())
                e.fresh.push_back({use.place, bound->second, use.equal});
        return e;
    }

    bool act(const SuiteEvent& step) {
        Status next = Status::refused;
        const size_t before = watcher_.happened.size();
        watcher_.happened.push_back(as_done(step));
        if (step.kind == Kind::input) {
            next = run_.deliver(step.port, message_);
        } else {
            next = run_.pass_time(step.units);
            while (next == Status::stable && run_.time_left_to_pass() > 0)
                next = run_.pass_time(run_.time_left_to_pass());
        }
        if (next != Status::refused) {
            status_ = next;
            line(' ', step);
            return true;
        }
        watcher_.happened.resize(before);
        std::vector<std::string> why{run_.refusal().empty() ? "the model does not accept it here" : run_.refusal()};
        for (const Offer& o : run_.offers()) {
            for (const std::string& text : describe(program_, run_, o)) {
                const std::string offer = "it waits for " + text;
                if (std::find(why.begin(), why.end(), offer) == why.end() && why.size() < most_offers)
                    why.push_back(offer);
            }
        }
        line('-', step, std::move(why));
        return false;
    }

    // Compares what the model did with what the test expects of it.
    void settle() {
        std::move(watcher_.lines.begin(), watcher_.lines.end(), std::back_inserter(lines_));
        watcher_.lines.clear();
        for (const SuiteEvent* e : watcher_.choices) line('-', *e, {"the model chooses nothing here"});
        for (const SuiteEvent* e : watcher_.schedules) line('-', *e, {"only one thread can go on here"});
        std::map<PortId, std::pair<std::vector<const SuiteEvent*>, std::vector<const SuiteEvent*>>> by_port;
        for (const SuiteEvent* e : expected_) by_port[e->port].first.push_back(e);
        for (const SuiteEvent& e : watcher_.outputs) by_port[e.port].second.push_back(&e);
        for (const auto& [port, both] : by_port) compare(both.first, both.second);
        for (const SuiteEvent* e : expected_) told_apart(*e);
    }

    // Two names that the test wants to differ must be of values that the model says do.
    void told_apart(const SuiteEvent& output) {
        const auto& bound = matcher_.bindings().actual;
        for (const FreshUse& use : output.fresh) {
            const uint32_t name = number_at(output.value, use.place);
            const auto one = bound.find(name), other = bound.find(use.fresh);
            if (one == bound.end() || other == bound.end()) continue; // a difference already
            if (known_to_differ(*run_.fresh_value(one->second), *run_.fresh_value(other->second)))
                told_apart_.insert(std::minmax(one->second, other->second)); // also where the run did not ask
            else
                lines_.push_back({'-',
                                  matcher_.name(name) + " differs from " + matcher_.name(use.fresh),
                                  output.in_suite,
                                  {"the model does not say so"}});
        }
    }
    static uint32_t number_at(Value v, const std::vector<uint32_t>& place) {
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

    // One port's outputs, in order. A look at the next ones tells one that is missing, or too many, from one that is
    // changed; that is enough to show a small change as a small difference, in linear time.
    void compare(const std::vector<const SuiteEvent*>& expected, const std::vector<const SuiteEvent*>& found) {
        size_t e = 0, f = 0;
        while (e < expected.size() && f < found.size()) {
            if (matcher_.matches(*expected[e], *found[f])) {
                line(' ', *expected[e]);
                ++e, ++f;
                continue;
            }
            const size_t left = expected.size() - e, there = found.size() - f;
            if (left > there && matcher_.would_match(*expected[e + 1], *found[f])) {
                missing(*expected[e++]);
            } else if (there > left && matcher_.would_match(*expected[e], *found[f + 1])) {
                unexpected(*found[f++]);
            } else {
                changed(*expected[e++], *found[f++]);
            }
        }
        for (; e < expected.size(); ++e) missing(*expected[e]);
        for (; f < found.size(); ++f) unexpected(*found[f]);
    }

    void missing(const SuiteEvent& e) { line('-', e, {"the model does not write this"}); }
    void unexpected(const SuiteEvent& e) { line('+', e, {"the test does not expect this"}); }
    void changed(const SuiteEvent& expected, const SuiteEvent& found) {
        const auto differences = matcher_.differences(expected, found); // first, since it may name values
        line('-', expected);
        line('+', found);
        for (const ValueDifference& d : differences)
            lines_.back().details.push_back((d.place.empty() ? "" : d.place + ": ") + "expected " + d.expected +
                                            ", found " + d.found);
    }

    void ending() {
        ranges();
        error_at_end();
        if (!refused_) open_end(); // else the run did not come to the end of the test
    }

    // What a test lets the system choose must be what the model does.
    void ranges() {
        for (const auto& [number, text] : test_.fresh_ranges) {
            const auto bound = matcher_.bindings().actual.find(number);
            if (bound == matcher_.bindings().actual.end()) continue; // a difference already
            const Value chosen = run_.fresh_value(bound->second).value();
            const std::string says = range_text(program_, static_cast<const Fresh*>(chosen.as_object())->of);
            if (is_same_range(text, says)) continue;
            lines_.push_back({'-',
                              matcher_.name(number) + " is within " + text,
                              test_.in_suite,
                              {says.empty() ? "the model does not say so" : "the model says " + says}});
        }
    }

    void error_at_end() {
        const std::string made = status_ == Status::model_error ? run_.error()->text : std::string();
        if (made == test_.error) {
            if (!made.empty()) lines_.push_back({' ', "error " + made, {}, {}});
            return;
        }
        if (!test_.error.empty()) {
            lines_.push_back({'-', "error " + test_.error, test_.in_suite, {}});
            if (made.empty()) lines_.back().details.push_back("the model makes no error");
        }
        if (!made.empty())
            lines_.push_back({'+', "error " + made, {}, {"at " + model_.sources.place(run_.error()->span)}});
    }

    // A test whose end is open says that the model leaves it so: where the model does say what comes, the mark would
    // keep a wrong system from being found; where it does not, a test without the mark would blame a right one.
    void open_end() {
        const bool open = ends_open(status_);
        if (open && test_.open_end) {
            lines_.push_back({' ', "end open", {}, {}});
        } else if (open) {
            lines_.push_back({'+',
                              "end open",
                              {},
                              {why_ended(), "the model does not say what comes then: such a test says end=\"open\""}});
        } else if (test_.open_end) {
            std::string how = status_ == Status::stable ? "the model comes to rest here" : why_ended();
            lines_.push_back({'-', "end open", test_.in_suite, {std::move(how)}});
        }
    }

    void coverage(Criteria spoken_of) {
        const std::set<TargetId> claimed(test_.covers.begin(), test_.covers.end());
        for (size_t i = 0; i < test_.covers.size(); ++i) {
            if (watcher_.reached(test_.covers[i])) continue;
            lines_.push_back({'-',
                              "covers " + target_id(program_.targets[index(test_.covers[i])]),
                              test_.covers_in_suite[i],
                              {"the test does not reach it"}});
        }
        for (const TargetId id : watcher_.covered) {
            const Target& target = program_.targets[index(id)];
            if (claimed.count(id) == 0 && spoken_of.has(target.kind))
                lines_.push_back(
                    {'+', "covers " + target_id(target), {}, {"the test reaches it, and does not say so"}});
        }
    }

    static constexpr size_t most_offers = 8;
    const Model& model_;
    const Program& program_;
    const SuiteTest& test_;
    const ReplayLimits limits_; // of this run; steps: fewer than any run gets
    Heap values_{Heap::Lifetime::immortal};
    OutputMatcher matcher_;
    Watcher watcher_;
    FreshPairs told_apart_; // values of the run
    Interpreter run_;
    Status status_ = Status::finished;
    Value message_; // that the tester is about to send
    std::vector<const SuiteEvent*> expected_;
    std::vector<ReplayLine> lines_;
    std::optional<ReplayLine> refused_; // the step that the model did not take
};

// What the table says of targets, against what the tests reach.
void check_table(const Program& program, const Suite& suite, SuiteReplay& replay) {
    std::vector<std::optional<uint32_t>> reached_by(program.targets.size());
    std::set<std::pair<uint32_t, TargetId>> reached;
    for (uint32_t t = 0; t < replay.tests.size(); ++t) {
        for (const TargetId id : replay.tests[t].covered) {
            reached.emplace(t, id);
            if (!reached_by[index(id)]) reached_by[index(id)] = t;
        }
    }
    for (uint32_t i = 0; i < suite.targets.size(); ++i) {
        const TargetResult& r = suite.targets[i];
        if (!r.listed) continue;
        const std::string name = target_id(program.targets[i]);
        const auto untrue = [&](std::string why) {
            replay.table.push_back(
                {'-', "target " + name + " " + std::string(word_of(r.status)), r.in_suite, {std::move(why)}});
        };
        switch (r.status) {
        case TargetStatus::covered:
            if (r.test ? replay.tests[*r.test].is_stopped : replay.stopped_tests > 0) break;
            if (r.test && reached.count({*r.test, TargetId{i}}) == 0)
                untrue("the test " + suite.tests[*r.test].id + " does not reach it");
            else if (!reached_by[i])
                untrue("no test reaches it");
            break;
        case TargetStatus::unreached:
        case TargetStatus::infeasible:
            if (reached_by[i]) untrue("the test " + suite.tests[*reached_by[i]].id + " reaches it");
            break;
        }
    }
    std::sort(replay.table.begin(), replay.table.end(),
              [](const ReplayLine& a, const ReplayLine& b) { return a.in_suite.begin < b.in_suite.begin; });
}

// What is done with the run of a test, a second time if the first one left out too much. Where memory runs out in the
// middle of it, there is `stopped`: the limits have been told. `steps` is what is left of them, 0 where they have no
// limit.
template <typename Made, typename Act>
Made in_full(const Model& model, CompiledProgram& compiled, const SuiteTest& test, const std::atomic<bool>* stop,
             uint64_t& steps, const Act& act) {
    Made stopped;
    stopped.is_stopped = true;
    try {
        std::optional<StageCut> cut(std::in_place);
        while (true) {
            const bool is_bounded = steps != 0 && steps < replay_step_limit;
            TestRun run(model, compiled, test, {stop, is_bounded ? steps : 0}, *cut);
            Made made = act(run);
            if (steps != 0) steps -= std::min(steps - 1, run.steps());
            cut = run.to_be_done_again();
            if (!cut) return made;
        }
    } catch (const std::bad_alloc&) {
        return stopped;
    }
}

} // namespace

bool TestReplay::differs() const {
    return std::any_of(lines.begin(), lines.end(), [](const ReplayLine& l) { return l.mark != ' '; });
}

Rerun Rerunner::rerun(const SuiteTest& test, Heap& values, const std::atomic<bool>* stop) {
    uint64_t unlimited = 0;
    return in_full<Rerun>(model_, compiled_, test, stop, unlimited, [&](TestRun& run) { return run.again(values); });
}

SuiteReplay replay_suite(const Model& model, const Suite& suite, Criteria spoken_of, const ReplayLimits& limits) {
    SuiteReplay replay;
    replay.covered.resize(model.program->targets.size(), false);
    CompiledProgram compiled(*model.program);
    uint64_t steps = limits.steps;
    const auto is_over = [&] { return limits.stop != nullptr && *limits.stop; };
    for (const SuiteTest& test : suite.tests) {
        const auto begun = std::chrono::steady_clock::now();
        TestReplay made;
        made.is_stopped = true;
        if (replay.stopped_tests == 0 && !is_over())
            made = in_full<TestReplay>(model, compiled, test, limits.stop, steps,
                                       [&](TestRun& run) { return run.run(spoken_of); });
        made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
        for (const TargetId id : made.covered) replay.covered[index(id)] = true;
        if (made.is_stopped) ++replay.stopped_tests;
        if (made.passed()) ++replay.passed_tests;
        if (!made.differs()) made.lines.clear(); // how it went is not asked for
        replay.tests.push_back(std::move(made));
    }
    replay.is_out_of_steps = replay.stopped_tests > 0 && !is_over();
    check_table(*model.program, suite, replay);
    return replay;
}

} // namespace espalier
