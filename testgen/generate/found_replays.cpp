#include "testgen/generate/found_replays.hpp"

#include <algorithm>
#include <utility>

namespace espalier {

namespace {

constexpr double at_once = 0.1;       // seconds of replays that need not wait
constexpr double part_of_time = 0.25; // for replays, while the search goes on
// Measured on machines with thousands of clauses.
constexpr double questions_of_step = 8;  // to the solver, about the values of an input
constexpr double replays_of_writing = 2; // to write a test takes as long as so many replays of it

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// To come to where a test begins is a step, too.
size_t cost_of(const std::vector<TestStep>& steps) { return steps.size() + 1; }

bool is_whole(const std::optional<OwnedReplay>& replay) { return replay && replay->run.status != Status::stopped; }

} // namespace

std::optional<OwnedReplay> FoundReplays::replay(const std::vector<TestStep>& steps) {
    is_stopped_ = is_stopped_ || (request_.stop && request_.stop());
    if (is_stopped_) return std::nullopt;
    OwnedReplay made{{}, std::make_unique<Heap>(Heap::Lifetime::immortal)};
    const auto start = Clock::now();
    made.run = replayer_.replay(steps, *made.values);
    replay_seconds_ += seconds_since(start);
    replayed_steps_ += cost_of(steps);
    return made;
}

// ── While the search goes on ──

void FoundReplays::follow(const Exploration& found) {
    while (tests_.size() < found.tests.size()) note(found.tests);
    while (next_ + 1 < tests_.size() && may_go_on()) replay_next(found.tests);
    while (errors_.size() < found.errors.size() && may_go_on())
        errors_.push_back(replay(found.errors[errors_.size()].steps));
}

bool FoundReplays::may_go_on() const { return replay_seconds_ <= at_once + part_of_time * seconds_since(start_); }

void FoundReplays::note(const std::vector<FoundTest>& tests) {
    const auto number = static_cast<uint32_t>(tests_.size());
    const std::vector<uint32_t> begun = beginnings_.add(tests, number);
    worth_.resize(number);
    worth_.push_back({own_number(number)});
    dropped_.resize(number + 1, false);
    tests_.push_back({.steps = tests[number].steps.size()});
    waiting_steps_ += cost_of(tests[number].steps);
    for (const uint32_t b : begun) {
        if (!is_about_its_way(program_, tests[b])) continue;
        tests_[b].longer = number;
        if (b >= next_) waiting_steps_ -= cost_of(tests[b].steps);
    }
}

void FoundReplays::replay_next(const std::vector<FoundTest>& tests) {
    const uint32_t number = next_++;
    if (tests_[number].longer != none) return;
    waiting_steps_ -= cost_of(tests[number].steps);
    replay_test(tests[number], number);
    if (next_ >= drop_at_) drop_unnecessary();
}

void FoundReplays::replay_test(const FoundTest& found, uint32_t number) {
    Test& test = tests_[number];
    const double before = replay_seconds_;
    test.replay = replay(found.steps);
    test.seconds = replay_seconds_ - before;
    count_needed(test);
    if (!test.replay) return;
    const Replay& run = test.replay->run;
    test.begun = run.begun;
    test.passed = passed_by(program_, run, request_);
    if (run.status == Status::stopped) return; // nothing that others have is left to it
    worth_[number] = worth_of(found, test.passed, request_);
    // What goes wrong, or shows an error of the model, is looked at when the suite is made.
    if (run.refused || run.status == Status::model_error) worth_[number].push_back(own_number(number));
}

void FoundReplays::count_needed(const Test& test) {
    needed_seconds_ += test.seconds;
    needed_steps_ += test.steps;
}

// Is all that it is worth known from a longer test, and among what that one is worth?
bool FoundReplays::is_part_of_longer(uint32_t number) {
    uint32_t& longer = tests_[number].longer;
    if (longer == none) return false;
    while (tests_[longer].longer != none) longer = tests_[longer].longer;
    return tests_[longer].begun > tests_[number].steps;
}

// Now and then, so that all of it takes time in proportion to what the tests are worth. Those that stay cover what all
// of them cover.
void FoundReplays::drop_unnecessary() {
    for (uint32_t i = 0; i < next_; ++i) dropped_[i] = dropped_[i] || is_part_of_longer(i);
    std::vector<bool> others = dropped_;
    for (uint32_t i = 0; i < tests_.size(); ++i) others[i] = others[i] || !tests_[i].replay;
    const std::vector<bool> keep = espalier::needed(worth_, own_number(number_of_tests()), others);
    needed_seconds_ = 0;
    needed_steps_ = 0;
    for (uint32_t i = 0; i < next_; ++i) {
        dropped_[i] = dropped_[i] || (tests_[i].replay && !keep[i]);
        if (dropped_[i])
            tests_[i].replay.reset();
        else if (tests_[i].longer == none)
            count_needed(tests_[i]);
    }
    drop_at_ = next_ + next_ / 8 + 1;
}

Limits::Work FoundReplays::left(const Exploration& found) const {
    const Statistics& s = found.statistics;
    const double of_question = s.sat_queries == 0 ? 0 : s.sat_seconds / static_cast<double>(s.sat_queries);
    const double of_step = replayed_steps_ == 0 ? 0 : replay_seconds_ / static_cast<double>(replayed_steps_);
    const double waiting = static_cast<double>(waiting_steps_) * of_step;
    const double once = needed_seconds_ + waiting; // to replay all that is needed
    const auto steps = static_cast<double>(needed_steps_ + waiting_steps_);
    return {waiting + once * replays_of_writing, once + steps * questions_of_step * of_question};
}

// ── After it ──

std::vector<bool> FoundReplays::needed(const Exploration& found) {
    while (tests_.size() < found.tests.size()) note(found.tests);
    while (next_ < tests_.size()) replay_next(found.tests);
    while (errors_.size() < found.errors.size()) errors_.push_back(replay(found.errors[errors_.size()].steps));
    for (uint32_t i = 0; i < tests_.size(); ++i) {
        if (tests_[i].longer == none) continue;
        dropped_[i] = is_part_of_longer(i);
        if (dropped_[i])
            worth_[i] = worth_of(found.tests[i], tests_[tests_[i].longer].passed, request_);
        else if (!tests_[i].replay)
            replay_test(found.tests[i], i);
    }
    const bool is_short_of_time = found.ended_by == EndedBy::stopped || found.ended_by == EndedBy::memory_limit;
    std::vector<bool> keep =
        espalier::needed(worth_, own_number(number_of_tests()), is_short_of_time ? dropped_ : std::vector<bool>{});
    for (size_t i = 0; i < keep.size(); ++i)
        if (!keep[i]) tests_[i].replay.reset();
    return keep;
}

void FoundReplays::improve(const FoundTest& test) {
    if (test.number >= tests_.size()) return;
    std::optional<OwnedReplay> better = replay(test.steps);
    std::optional<OwnedReplay>& before = tests_[test.number].replay;
    if (better && (is_whole(better) || !is_whole(before))) before = std::move(better);
}

std::optional<OwnedReplay> FoundReplays::take(const FoundTest& test) {
    if (test.number < tests_.size() && tests_[test.number].replay)
        return std::exchange(tests_[test.number].replay, std::nullopt);
    return replay(test.steps);
}

std::optional<OwnedReplay> FoundReplays::take(const FoundError& error, size_t number) {
    if (number < errors_.size() && errors_[number]) return std::exchange(errors_[number], std::nullopt);
    return replay(error.steps);
}

} // namespace espalier
