// What a run does by itself between two of the tester's steps: its outputs, what it covers, and the decisions that the
// test makes for it.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "testgen/replay/match_outputs.hpp"
#include "testgen/replay/replay.hpp"
#include "testgen/replay/suite_replay.hpp"

namespace espalier {

class StageWatcher : public Listener {
public:
    // Values are copied into `values`. All must outlive this.
    StageWatcher(const Program& program, const OutputMatcher& matcher, Heap& values, const StageCut& cut);

    void begin_stage();
    void add_choice(const SuiteEvent& choice) { choices_.push_back(&choice); }
    void add_schedule(const SuiteEvent& schedule) { schedules_.push_back(&schedule); }

    void output(PortId port, Value value) override;
    void mark(TargetId target, uint32_t thread) override;
    uint32_t choose(Label, uint32_t count) override;
    uint32_t schedule(std::span<const uint32_t> turns) override;

    bool reached(TargetId target) const { return seen_[index(target)]; }
    // Of the stage: its outputs; the decisions that the test makes and the run did not ask for.
    const std::vector<SuiteEvent>& outputs() const { return outputs_; }
    const std::deque<const SuiteEvent*>& choices() const { return choices_; }
    const std::deque<const SuiteEvent*>& schedules() const { return schedules_; }
    const StageCut& cut() const { return cut_; }

    std::vector<SuiteEvent> happened; // all that the tester and the run did, in order
    std::vector<ReplayLine> lines;    // about decisions
    std::vector<TargetId> covered;    // in order

private:
    uint32_t chosen(uint32_t count);

    const Program& program_;
    const OutputMatcher& matcher_;
    Heap& values_;
    StageCut cut_;
    std::vector<bool> seen_; // by TargetId
    std::vector<SuiteEvent> outputs_;
    std::deque<const SuiteEvent*> choices_, schedules_; // that the test makes before the tester's next step
};

} // namespace espalier
