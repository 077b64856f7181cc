// One test of a suite, run on the concrete interpreter and compared with what the suite says of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testgen/replay/match_outputs.hpp"
#include "testgen/replay/replay.hpp"
#include "testgen/replay/stage_watcher.hpp"
#include "testgen/replay/suite_replay.hpp"

namespace espalier {

// The lines that tell how a test went. Also the judge of its outputs: see align_outputs.hpp.
class ReplayLines {
public:
    explicit ReplayLines(OutputMatcher& matcher) : matcher_(matcher) {}

    void add(ReplayLine line) { lines.push_back(std::move(line)); }
    void add(char mark, const SuiteEvent& event, std::vector<std::string> details = {});

    static PortId port_of(const SuiteEvent& event) { return event.port; }
    bool matches(const SuiteEvent& expected, const SuiteEvent& found) { return matcher_.matches(expected, found); }
    bool would_match(const SuiteEvent& expected, const SuiteEvent& found) {
        return matcher_.would_match(expected, found);
    }
    void same(const SuiteEvent& expected, const SuiteEvent&) { add(' ', expected); }
    void missing(const SuiteEvent& expected) { add('-', expected, {"the model does not write this"}); }
    void unexpected(const SuiteEvent& found) { add('+', found, {"the test does not expect this"}); }
    void left_over(const SuiteEvent& found) { unexpected(found); }
    void changed(const SuiteEvent& expected, const SuiteEvent& found);

    std::vector<ReplayLine> lines;

private:
    OutputMatcher& matcher_;
};

class TestReplayer {
public:
    // All but the limits and the cut must outlive this.
    TestReplayer(const Model& model, CompiledProgram& compiled, const SuiteTest& test, const ReplayLimits& limits,
                 const StageCut& cut);

    // One of these, once.
    TestReplay run(Criteria spoken_of);
    Rerun again(Heap& values);

    // After that: what a second run needs, if there has to be one.
    std::optional<StageCut> to_be_done_again() const {
        return is_stopped() ? std::nullopt : watcher_.cut().again(status_);
    }
    uint64_t steps() const { return run_.steps(); }

private:
    // By a limit, which says nothing of the model.
    bool is_stopped() const {
        return status_ == Status::stopped || (status_ == Status::out_of_steps && limits_.steps != 0);
    }
    // The run, in test_replayer.cpp
    void go();
    void gather(size_t& at);
    bool can_act(const SuiteEvent& step);
    SuiteEvent as_done(const SuiteEvent& step);
    bool act(const SuiteEvent& step);
    void settle();
    void told_apart(const SuiteEvent& output);
    // How it ended, in test_ending.cpp
    std::string why_ended() const;
    void ending();
    void ranges();
    void error_at_end();
    void open_end();
    void coverage(Criteria spoken_of);
    void tell_difference(Rerun& made) const;

    const Model& model_;
    const Program& program_;
    const SuiteTest& test_;
    const ReplayLimits limits_; // of this run; steps: fewer than any run gets
    Heap values_{Heap::Lifetime::immortal};
    OutputMatcher matcher_;
    StageWatcher watcher_;
    ReplayLines told_;
    FreshPairs told_apart_; // values of the run
    Interpreter run_;
    Status status_ = Status::finished;
    Value message_; // that the tester is about to send
    std::vector<const SuiteEvent*> expected_;
    std::optional<ReplayLine> refused_; // the step that the model did not take
};

} // namespace espalier
