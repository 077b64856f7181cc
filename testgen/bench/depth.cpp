// At which depth to compare: the thesis does not say how it chose; here it is the smallest at which the base algorithm
// needs ten seconds, so that what is compared is no matter of milliseconds.
//
// Times grow from one depth to the next by an unknown factor, so a run ends as soon as it has needed enough.
// Some models never need it: all is covered soon, or there is nothing more to explore. There the steps stop growing,
// and the depth with the most steps is taken.
#include <algorithm>

#include "testgen/bench/bench.hpp"

namespace espalier {

namespace {

constexpr uint32_t span = 4; // in so many more levels of depth, the steps must at least double

// A limit is on the wall's clock, and the machine may be busy with something else.
BenchRun run_until_enough(GenerateOptions options, double limit, const Measure& measure) {
    for (double seconds = enough_seconds * 1.2;; seconds *= 2) {
        options.time_limit = limit > 0 ? std::min(seconds, limit) : seconds;
        BenchRun run = measure(options);
        const bool cut_short = !run.complete && run.ended_by == EndedBy::time_limit && options.time_limit != limit;
        if (!cut_short || run.user_seconds >= enough_seconds) return run;
    }
}

} // namespace

DepthChoice choose_depth(const GenerateOptions& base, const Measure& measure, const std::function<bool()>& stopped) {
    std::vector<uint64_t> steps{0}; // by depth
    GenerateOptions options = base;
    for (options.depth = 1;; ++options.depth) {
        const BenchRun run = run_until_enough(options, base.time_limit, measure);
        if (stopped()) return {options.depth, DepthChoice::Why::stopped, run.vm_steps};
        if (run.user_seconds >= enough_seconds) return {options.depth, DepthChoice::Why::needs_time, run.vm_steps};
        if (!run.complete) return {options.depth, DepthChoice::Why::needs_limit, run.vm_steps};
        steps.push_back(run.vm_steps);
        if (options.depth <= span || run.vm_steps >= 2 * steps[options.depth - span]) continue;
        const auto most = std::max_element(steps.begin(), steps.end());
        return {static_cast<uint32_t>(most - steps.begin()), DepthChoice::Why::grows_no_more, *most};
    }
}

std::string to_text(const DepthChoice& choice) {
    std::string depth = "depth " + std::to_string(choice.depth);
    switch (choice.why) {
    case DepthChoice::Why::given: return depth;
    case DepthChoice::Why::needs_time: return depth + ", the smallest at which the base algorithm needs ten seconds";
    case DepthChoice::Why::needs_limit: return depth + ", the smallest at which the base algorithm comes to a limit";
    case DepthChoice::Why::grows_no_more:
        return depth + "; at none does the base algorithm need ten seconds, and past this one the search hardly grows";
    case DepthChoice::Why::stopped: return depth + ", where the choice of a depth was stopped";
    }
    return depth;
}

} // namespace espalier
