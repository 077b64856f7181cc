// `espalier generate`: a model in, a suite out.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <map>

#include "flowanalysis/flowanalysis.hpp"
#include "testgen/model_file.hpp"
#include "testgen/suite.hpp"
#include "testgen/testgen.hpp"
#include "testgen/write_file.hpp"

namespace espalier {

namespace {

volatile std::sig_atomic_t stopped_by = 0;

// While the search runs, a signal ends it and not the program: what was found is still written.
class SignalGuard {
public:
    SignalGuard() {
        stopped_by = 0;
        struct sigaction action {};
        action.sa_handler = [](int signal) {
            if (stopped_by != 0) _exit(128 + signal); // asked twice: at once, without what was found
            stopped_by = signal;
        };
        sigaction(SIGINT, &action, &interrupt_);
        sigaction(SIGTERM, &action, &terminate_);
    }
    ~SignalGuard() {
        sigaction(SIGINT, &interrupt_, nullptr);
        sigaction(SIGTERM, &terminate_, nullptr);
    }
    SignalGuard(const SignalGuard&) = delete;
    SignalGuard& operator=(const SignalGuard&) = delete;

private:
    struct sigaction interrupt_ {
    }, terminate_{};
};

std::string percent(size_t part, size_t whole) {
    if (whole == 0) return "-";
    return std::to_string(100 * part / whole) + " %";
}

void summarise(const Model& model, const Suite& suite, const Exploration& found, const std::string& file,
               double seconds) {
    const Program& program = *model.program;
    std::map<TargetKind, std::pair<size_t, size_t>> counts;
    for (uint32_t i = 0; i < program.targets.size(); ++i) {
        auto& [covered, all] = counts[program.targets[i].kind];
        ++all;
        if (suite.targets[i].status == TargetStatus::covered) ++covered;
    }
    std::printf("%s: %zu test%s in %.2f s%s\n", file.c_str(), suite.tests.size(), suite.tests.size() == 1 ? "" : "s",
                seconds, suite.complete ? "" : (", incomplete: " + found.ended_by).c_str());
    for (const auto& [kind, count] : counts) {
        std::printf("  %-13s %zu of %zu covered (%s)\n", std::string(criterion_name(kind)).c_str(), count.first, count.second,
                    percent(count.first, count.second).c_str());
    }
    for (uint32_t i = 0; i < program.targets.size(); ++i) {
        if (suite.targets[i].status == TargetStatus::covered) continue;
        std::printf(
            "  %s: %s at %s\n", suite.targets[i].status == TargetStatus::infeasible ? "infeasible" : "unreached",
            printable(target_id(program.targets[i])).c_str(), model.sources.place(program.targets[i].span).c_str());
    }
    for (const auto& [why, times] : found.unsupported)
        std::printf("  not followed, %llu time%s: %s\n", static_cast<unsigned long long>(times), times == 1 ? "" : "s",
                    printable(why).c_str());
    for (const FoundError& e : found.errors)
        std::printf("  model error at %s: %s\n", model.sources.place(e.span).c_str(), printable(e.text).c_str());
}

} // namespace

int generate_command(const GenerateOptions& options) {
    auto model = load_or_report(options.model, true);
    if (!model) return exit_usage;
    Criteria criteria;
    if (const std::string problem = parse_criteria(options.cover, criteria); !problem.empty()) {
        std::fprintf(stderr, "espalier generate: --cover: %s\n", problem.c_str());
        return exit_usage;
    }
    instrument(*model->program, criteria);
    ExploreOptions explore_options;
    explore_options.depth = options.depth;
    explore_options.search = options.search == "bfs"      ? Search::bfs
                             : options.search == "random" ? Search::random
                                                          : Search::dfs;
    explore_options.seed = options.seed;
    explore_options.step_limit = options.step_limit;
    const auto start = std::chrono::steady_clock::now();
    auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    explore_options.stop = [&] {
        return stopped_by != 0 || (options.time_limit > 0 && elapsed() > options.time_limit);
    };
    Exploration found;
    int signal = 0;
    {
        const SignalGuard guard;
        found = explore(*model->program, explore_options);
        signal = stopped_by;
    }
    Suite suite = make_suite(*model, found, options.depth, options.seed);
    const Flow flow = analyse(*model->program);
    mark_infeasible(*model->program, flow.unreachable_targets(), suite);
    const std::string file =
        options.output.empty() ? std::filesystem::path(options.model).stem().string() + "-suite.xml" : options.output;
    const std::string problem = write_file(file, suite_to_xml(*model, suite));
    if (!problem.empty()) {
        std::fprintf(stderr, "espalier: %s\n", problem.c_str());
        return exit_usage;
    }
    if (!options.quiet) summarise(*model, suite, found, file, elapsed());
    for (const std::string& problem_found : suite.not_replayed)
        std::fprintf(stderr, "espalier: internal error: %s\n", printable(problem_found).c_str());
    if (signal != 0) return 128 + signal;
    if (!suite.not_replayed.empty()) return exit_internal;
    return found.errors.empty() ? exit_done : exit_found;
}

} // namespace espalier
