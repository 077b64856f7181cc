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

std::vector<bool> needed(const std::vector<std::vector<uint32_t>>& worth, size_t count,
                         const std::vector<bool>& dropped) {
    std::vector<bool> keep = dropped;
    keep.resize(worth.size(), false);
    keep.flip();
    std::vector<uint32_t> tests_with(count, 0);
    for (size_t i = 0; i < worth.size(); ++i)
        if (keep[i])
            for (const uint32_t n : worth[i]) ++tests_with[n];
    for (size_t i = worth.size(); i-- > 0;) {
        if (!keep[i]) continue;
        keep[i] = std::any_of(worth[i].begin(), worth[i].end(), [&](uint32_t n) { return tests_with[n] == 1; });
        if (keep[i]) continue;
        for (const uint32_t n : worth[i]) --tests_with[n];
    }
    return keep;
}

std::vector<Passed> passed_by(const Program& program, const Replay& replay, const SuiteRequest& request) {
    std::vector<Passed> passed;
    for (size_t i = 0; i < replay.covered.size(); ++i) {
        const TargetId t = replay.covered[i];
        if (is_about_the_way(program.targets[index(t)].kind) && request.is_wanted(t))
            passed.push_back({index(t), replay.covered_at[i]});
    }
    return passed;
}

std::vector<uint32_t> worth_of(const FoundTest& test, const std::vector<Passed>& passed, const SuiteRequest& request) {
    std::vector<uint32_t> worth;
    for (const TargetId t : test.targets)
        if (request.is_wanted(t)) worth.push_back(index(t));
    // The way of a test with an open end is known as far as its target: how a run goes on depends on the values.
    if (test.open_end) return worth;
    for (const Passed& p : passed)
        if (p.at <= test.steps.size()) worth.push_back(p.target);
    std::sort(worth.begin(), worth.end());
    worth.erase(std::unique(worth.begin(), worth.end()), worth.end());
    return worth;
}

bool is_about_its_way(const Program& program, const FoundTest& test) {
    return !test.open_end && std::all_of(test.targets.begin(), test.targets.end(),
                                         [&](TargetId t) { return is_about_the_way(program.targets[index(t)].kind); });
}

} // namespace espalier
