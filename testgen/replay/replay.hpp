// A test on the model itself: the concrete interpreter takes its inputs, and says what comes out and what is covered.
#pragma once

#include <optional>
#include <vector>

#include "testgen/suite/suite.hpp"
#include "testgen/terminal/limits.hpp"

namespace espalier {

struct Replay {
    Status status = Status::finished;
    std::vector<SuiteEvent> events; // the steps, with the outputs where they came
    std::vector<TargetId> covered;  // in order, each once
    std::vector<size_t> covered_at; // for each of these: how many steps had begun
    size_t begun = 0;               // steps in all; before each input and wait among them the run had come to rest
    std::optional<size_t> refused;  // the step that the model does not take
    std::optional<ModelError> error;
    std::map<uint32_t, std::string> fresh_ranges; // of the values that the system chooses
};

// Calls after which a run that reads nothing is left alone: then a test is what came out so far, the same every time.
inline constexpr uint64_t replay_step_limit = 10'000'000;

// Of the stage that such a run is in, only so much is part of the test: a model that writes for ever would fill the
// disk. `execute` takes no more outputs of a system in a stage, either.
inline constexpr size_t most_outputs_of_stage = 10'000;
inline constexpr size_t most_decisions_of_stage = 100'000;      // choices and schedules
inline constexpr size_t most_bytes_of_stage = size_t{16} << 20; // of the texts and bytes in outputs

// Of the texts and bytes in it; no further into it than a suite would spell it.
size_t bytes_of(Value value);

// Decides, for a listener that writes down a run, what is part of the test. Whether a run comes to rest shows only at
// its end. So all stages are cut at first. Where a stage was cut that does come to rest, the run is done again.
class StageCut {
public:
    void begin_stage() {
        cut_before_ = cut_before_ || cut_;
        cut_ = false;
        ++stage_;
        outputs_ = decisions_ = bytes_ = 0;
    }
    bool has_output(Value value) {
        const bool has_room = bytes_ <= most_bytes_of_stage || !is_bounded();
        if (has_room) bytes_ += bytes_of(value);
        cut_ = cut_ || !has_room;
        return has(outputs_, most_outputs_of_stage) && has_room;
    }
    bool has_decision() { return has(decisions_, most_decisions_of_stage); }

    // At the end of a run: what a second one needs, if there has to be one.
    std::optional<StageCut> again(Status status) const {
        const bool endless = status == Status::out_of_steps;
        if (!cut_before_ && (endless || !cut_)) return std::nullopt;
        StageCut next;
        next.all_ = false;
        if (endless) next.only_ = stage_;
        return next;
    }

private:
    bool is_bounded() const { return all_ || only_ == stage_; }
    bool has(size_t& count, size_t most) {
        if (count++ < most || !is_bounded()) return true;
        cut_ = true;
        return false;
    }
    bool all_ = true;
    std::optional<size_t> only_; // where not all: the one that is cut
    size_t stage_ = 0, outputs_ = 0, decisions_ = 0, bytes_ = 0;
    bool cut_ = false, cut_before_ = false;
};

// Does a run that ended so leave open what comes next? After a failed assumption the model says nothing more. A run
// that used up its calls could still do anything.
bool ends_open(Status status);

// An output's value, copied into `values`; or how it prints, where a suite cannot spell it.
void keep_value(const Program& program, Heap& values, Value value, SuiteEvent& event);

// Replays tests one after the other on code that is compiled once, so that a test costs what its run costs.
class Replayer {
public:
    // The limits end a replay that takes long: Status::stopped.
    explicit Replayer(const Program& program, uint64_t step_limit = replay_step_limit, Limits* limits = nullptr)
        : program_(program), compiled_(program), step_limit_(step_limit), limits_(limits) {}
    // Values of the events are copied into `values`.
    Replay replay(const std::vector<TestStep>& steps, Heap& values);
    uint64_t translations() const { return compiled_.translations(); } // of λs, so far

private:
    Replay replay(const std::vector<TestStep>& steps, Heap& values, StageCut& cut);
    const Program& program_;
    CompiledProgram compiled_;
    uint64_t step_limit_;
    Limits* limits_;
};

} // namespace espalier
