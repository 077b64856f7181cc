// Law 1 on random models: a concrete run, a symbolic run and a replay give the same.
#include "symexec/symexec.hpp"
#include "tests/random/concrete.hpp"
#include "tests/random/law.hpp"
#include "tests/random/protocol.hpp"
#include "tests/symexec/replay.hpp"

using namespace espalier;
using namespace espalier::test;

namespace {

std::string target_name(const Program& program, TargetId t) { return program.targets[index(t)].name; }

Model compiled(const std::string& text, std::string& failure) {
    Model model = compile_text(text);
    if (!model.program) {
        failure = "check: ";
        for (const Diagnostic& d : model.diagnostics.all())
            if (d.severity == Severity::error) failure += render(model.sources, d);
    }
    return model;
}

std::string protocol(uint32_t seed, const ProtocolOptions& options) {
    return counting_hooks(options.inputs) + RandomProtocol(seed, options).text();
}

} // namespace

TEST_CASE("law 1: every test of a random model replays") {
    uint64_t tests = 0, complete = 0, all = 0;
    const auto law = [&](const std::string& text) -> std::string {
        std::string failure;
        const Model model = compiled(text, failure);
        if (!failure.empty()) return failure;
        ExploreOptions options;
        options.depth = 3;
        options.step_limit = 20'000;
        options.quiet_step_limit = 5'000;
        const Exploration found = explore(*model.program, options);
        tests += found.tests.size() + found.errors.size();
        ++all;
        complete += found.complete ? 1 : 0;
        const std::string problem = replay_all(*model.program, found);
        return problem.empty() ? "" : "replay: " + problem;
    };
    check_law(150, [](uint32_t seed) { return protocol(seed, {}); }, law);
    MESSAGE(tests << " tests, " << complete << " of " << all << " searches ended by themselves");
}

TEST_CASE("law 1: what the inputs of a small model can reach is what the search covers, to the bound exactly") {
    uint64_t runs = 0, whole = 0, all = 0, reached = 0, missed_by_bound = 0;
    const auto law = [&](const std::string& text) -> std::string {
        std::string failure;
        const Model model = compiled(text, failure);
        if (!failure.empty()) return failure;
        const Program& program = *model.program;
        const Enumeration enumeration(program, 2, 1'000);
        const Reachable& found = enumeration.found();
        runs += found.runs;
        ++all;
        if (found.runs > 1'000) return "";
        ExploreOptions options;
        options.depth = 3; // two stable states can be left
        options.step_limit = 50'000;
        options.quiet_step_limit = 10'000;
        const Exploration search = explore(program, options);
        if (!search.complete || !search.unsupported.empty() || search.statistics.sat_unknown > 0 ||
            search.statistics.ended_by_steps > 0 || search.statistics.delays_left_out > 0)
            return "";
        ++whole;
        if (const std::string problem = replay_all(program, search); !problem.empty()) return "replay: " + problem;
        for (const auto& [t, left] : found.targets)
            if (!search.covered[index(t)])
                return "completeness: the search misses " + target_name(program, t) + ", which is reached after " +
                       std::to_string(left);
        for (const auto& [place, left] : found.errors) {
            const bool seen = std::any_of(search.errors.begin(), search.errors.end(),
                                          [&, at = place](const FoundError& e) { return e.span.begin == at; });
            const bool everything = std::find(search.covered.begin(), search.covered.end(), false) == search.covered.end();
            if (!seen && !everything)
                return "errors: the search misses the error at " + std::to_string(place) + ": " + text.substr(place, 60);
        }
        // One target alone: nothing sets the counter back, so the bound is exact.
        for (uint32_t depth = 1; depth <= 3; ++depth) {
            for (uint32_t i = 0; i < program.targets.size(); ++i) {
                options.depth = depth;
                options.all_targets = false;
                options.targets = {TargetId{i}};
                if ((i + depth) % 3 != 0) continue; // enough of them
                const Exploration one = explore(program, options);
                const auto at = found.targets.find(TargetId{i});
                const bool reachable = at != found.targets.end() && at->second < depth;
                reached += reachable ? 1 : 0;
                missed_by_bound += !reachable && at != found.targets.end() ? 1 : 0;
                if (one.covered[i] != reachable && one.complete)
                    return "bound: depth " + std::to_string(depth) + (reachable ? " should cover " : " should not cover ") +
                           target_name(program, TargetId{i});
            }
        }
        return "";
    };
    ProtocolOptions options;
    options.small = true;
    check_law(100, [&](uint32_t seed) { return protocol(seed, options); }, law);
    MESSAGE(runs << " runs, " << whole << " of " << all << " models compared, " << reached << " targets within a bound, "
                 << missed_by_bound << " past it");
}
