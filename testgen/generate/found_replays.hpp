// What the tests of a search do on the model itself. They are replayed as they are found, so that each of them is ready
// for the suite whatever ends the search:
//
//   FoundReplays replays(program, replayer, request);
//   options.found = [&](const Exploration& found) { replays.follow(found); };      // with the values at hand
//   options.needed = [&](const Exploration& found) { return replays.needed(found); };
//   options.improved = [&](const FoundTest& test) { replays.improve(test); };      // with good ones
//   … replays.take(test) …                                                        // for the suite
//
// Many tests are the beginnings of others. What such a test passes is what the longer one passes by then, so only the
// longer one is replayed. Of tests that others make unnecessary no events are kept.
//
// Which tests are needed does not depend on when they are replayed, unless the search was stopped.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "testgen/generate/beginnings.hpp"
#include "testgen/generate/needed_tests.hpp"
#include "testgen/generate/suite_request.hpp"
#include "testgen/replay/replay.hpp"

namespace espalier {

struct OwnedReplay {
    Replay run;
    std::unique_ptr<Heap> values; // of its events
};

class FoundReplays {
public:
    FoundReplays(const Program& program, Replayer& replayer, const SuiteRequest& request)
        : program_(program), replayer_(replayer), request_(request) {}

    // Replays what was found since it was last called, but for the last test: the next may go on from it. The search
    // has most of the time: where replays would take more than a quarter, some wait.
    void follow(const Exploration& found);
    // After the search: which of its tests are needed. Those that waited are replayed first. Where the search was
    // stopped, no test is needed whose replay is not there any more.
    std::vector<bool> needed(const Exploration& found);
    // The test has good values now. Where there is no time to replay it with them, it stays as it was.
    void improve(const FoundTest& test);

    // The replay of a test, or of the error with this number; nothing where there is no time left for it.
    std::optional<OwnedReplay> take(const FoundTest& test);
    std::optional<OwnedReplay> take(const FoundError& error, size_t number);
    // Once more, whatever became of it before.
    std::optional<OwnedReplay> replay(const std::vector<TestStep>& steps);

    // What is left to do if the search ended now: to replay tests that wait for it, to write those that are needed, and
    // to choose good values for them. An estimate, by what such things took so far.
    Limits::Work left(const Exploration& found) const;

private:
    using Clock = std::chrono::steady_clock;
    static constexpr uint32_t none = UINT32_MAX;
    struct Test {
        size_t steps = 0;
        uint32_t longer = none; // a test that goes on from it
        // Of its replay.
        double seconds = 0;
        size_t begun = 0;
        std::vector<Passed> passed{};
        std::optional<OwnedReplay> replay{}; // for as long as it may be needed
    };
    uint32_t number_of_tests() const { return static_cast<uint32_t>(tests_.size()); }
    uint32_t own_number(uint32_t test) const { return static_cast<uint32_t>(program_.targets.size()) + test; }
    bool may_go_on() const;
    void note(const std::vector<FoundTest>& tests);
    void replay_next(const std::vector<FoundTest>& tests);
    void replay_test(const FoundTest& found, uint32_t number);
    void count_needed(const Test& test);
    bool is_part_of_longer(uint32_t number);
    void drop_unnecessary();

    const Program& program_;
    Replayer& replayer_;
    const SuiteRequest& request_;
    const Clock::time_point start_ = Clock::now();
    Beginnings beginnings_;
    std::vector<Test> tests_;                  // by number
    uint32_t next_ = 0;                        // the first of those that wait
    std::vector<std::vector<uint32_t>> worth_; // of each
    std::vector<bool> dropped_;                // others make it unnecessary, none of which is dropped
    std::vector<std::optional<OwnedReplay>> errors_;
    bool is_stopped_ = false;
    size_t waiting_steps_ = 0, replayed_steps_ = 0;
    double replay_seconds_ = 0;
    size_t drop_at_ = 16; // so many tests
    // Of tests that no other makes unnecessary, as far as is known.
    double needed_seconds_ = 0;
    size_t needed_steps_ = 0;
};

} // namespace espalier
