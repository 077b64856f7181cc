#include "testgen/generate/needed_tests.hpp"

#include <algorithm>

namespace espalier {

namespace {

// Does a target of this kind count at any values, once the place is passed?
bool is_about_the_way(TargetKind kind) {
    switch (kind) {
    case TargetKind::checkpoint:
    case TargetKind::requirement:
    case TargetKind::procedure:
    case TargetKind::branch:
    case TargetKind::state:
    case TargetKind::transition:
    case TargetKind::error: return true;
    case TargetKind::condition:
    case TargetKind::mcdc:
    case TargetKind::boundary: return false;
    }
    return false;
}

} // namespace

std::vector<bool> needed(const std::vector<std::vector<uint32_t>>& worth, size_t count) {
    std::vector<uint32_t> tests_with(count, 0);
    for (const auto& numbers : worth)
        for (uint32_t n : numbers) ++tests_with[n];
    std::vector<bool> keep(worth.size(), true);
    for (size_t i = worth.size(); i-- > 0;) {
        keep[i] = std::any_of(worth[i].begin(), worth[i].end(), [&](uint32_t n) { return tests_with[n] == 1; });
        if (keep[i]) continue;
        for (uint32_t n : worth[i]) --tests_with[n];
    }
    return keep;
}

std::vector<bool> needed_tests(const Program& program, Replayer& replayer, const Exploration& found,
                               const SuiteRequest& request) {
    const auto targets = static_cast<uint32_t>(program.targets.size());
    uint32_t numbers = targets; // those above the targets are of one test alone
    std::vector<std::vector<uint32_t>> worth;
    bool stopped = false;
    for (const FoundTest& test : found.tests) {
        std::vector<uint32_t>& own = worth.emplace_back();
        for (TargetId t : test.targets) own.push_back(index(t));
        stopped = stopped || (request.stop && request.stop());
        if (stopped) {
            own.push_back(numbers++);
            continue;
        }
        Heap values(Heap::Lifetime::immortal);
        const Replay replay = replayer.replay(test.steps, values);
        // What goes wrong, or shows an error of the model, is looked at when the suite is made.
        if (replay.refused || replay.status == Status::model_error || replay.status == Status::stopped)
            own.push_back(numbers++);
        // The way of a test with an open end is known as far as its target: how a run goes on depends on the values.
        if (test.open_end) continue;
        for (TargetId t : replay.covered)
            if (is_about_the_way(program.targets[index(t)].kind) &&
                (request.wanted.empty() || request.wanted[index(t)]))
                own.push_back(index(t));
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
    }
    return needed(worth, numbers);
}

} // namespace espalier
