// `espalier bench`: the experiment of the thesis's chapter 6 on models of one's own.
#include <cstdio>
#include <filesystem>

#include "testgen/bench/bench.hpp"
#include "testgen/commands/complain.hpp"
#include "testgen/commands/declarations.hpp"
#include "testgen/commands/model_file.hpp"
#include "testgen/commands/shared_options.hpp"
#include "testgen/terminal/stop_signals.hpp"
#include "testgen/testgen.hpp"
#include "testgen/text/escapes.hpp"
#include "testgen/text/outputs.hpp"
#include "testgen/text/write_file.hpp"

namespace espalier {

namespace {

int complain(const std::string& problem) { return espalier::complain("bench", {problem}); }

std::string problem_with(const BenchOptions& options) {
    if (!options.timeline.empty() && options.models.size() > 1) return "--timeline draws one model";
    Criteria ignored;
    if (const std::string wrong = parse_criteria(options.common.cover, ignored); !wrong.empty())
        return "--cover: " + wrong;
    return {};
}

// The figure alone needs its two lines, measured once.
std::string names_of(const BenchOptions& options) {
    return options.configurations.empty() && !options.timeline.empty() ? "v3" : options.configurations;
}
uint32_t runs_of(const BenchOptions& options) {
    if (options.runs) return *options.runs;
    return options.timeline.empty() ? 5 : 1;
}

void measure_model(Model& model, const BenchOptions& options, const std::vector<BenchConfiguration>& configurations,
                   const StopSignals& signals, BenchColumn& column) {
    const auto stopped = [&] { return signals.received() != 0; };
    const auto measure = [&](GenerateOptions run_options, const std::string& stage) {
        run_options.live_label = column.model + ", depth " + std::to_string(run_options.depth) + ", " + stage + ": ";
        return measure_in_process(model, run_options, signals);
    };
    if (options.depth) {
        column.depth = {*options.depth, DepthChoice::Why::given, 0};
    } else {
        const Measure choosing = [&](const GenerateOptions& o) { return measure(o, "choosing the depth"); };
        column.depth = choose_depth(configurations.front().options, choosing, stopped);
    }
    if (stopped()) return;
    const std::string most = "at most " + std::to_string(configurations.size() * runs_of(options)) + " runs, run ";
    uint64_t run = 0;
    const Measure counting = [&](const GenerateOptions& o) { return measure(o, most + std::to_string(++run)); };
    measure_rounds(configurations, runs_of(options), counting, stopped, column);
}

} // namespace

int bench_command(const BenchOptions& options) {
    if (const std::string problem = problem_with(options); !problem.empty()) return complain(problem);
    std::vector<BenchConfiguration> configurations = bench_configurations(options.common);
    if (const std::string names = names_of(options); !names.empty()) {
        auto chosen = choose_configurations(std::move(configurations), names);
        if (!chosen) return complain("--conf: " + chosen.problem().text);
        configurations = std::move(*chosen);
    }

    std::vector<Model> models; // all are read before the first is measured
    for (const std::string& path : options.models) {
        auto model = load_or_report(path, true);
        if (!model) return exit_usage;
        models.push_back(std::move(*model));
    }
    OutputFiles files{{options.json, options.timeline}, {}, options.force};
    for (const Model& model : models)
        for (std::string& file : files_of(model)) files.read.push_back(std::move(file));
    std::string problem = problem_with(files);
    if (!problem.empty()) return complain(problem);
    const StopSignals signals;
    std::vector<BenchColumn> columns;
    for (size_t m = 0; m < models.size() && signals.received() == 0; ++m) {
        columns.push_back({printable(std::filesystem::path(options.models[m]).stem().string()), {}, {}});
        measure_model(models[m], options, configurations, signals, columns.back());
    }
    std::fputs(bench_tables(configurations, columns).c_str(), stdout);
    std::fflush(stdout);
    if (!options.json.empty())
        problem = write_file(options.json, bench_json(configurations, columns, options.common, runs_of(options)));
    if (problem.empty() && !options.timeline.empty())
        problem = write_file(options.timeline, timeline_svg(configurations, columns.front()));
    if (!problem.empty()) return complain(problem);
    bool contradicted = false;
    for (const BenchColumn& column : columns)
        for (const std::string& line : contradictions(configurations, column)) {
            std::fprintf(stderr, "espalier: internal error: %s\n", printable(line).c_str());
            contradicted = true;
        }
    if (signals.received() != 0) return 128 + signals.received();
    return contradicted ? exit_internal : exit_done;
}

Action declare_bench(Arguments& arguments) {
    const auto options = std::make_shared<BenchOptions>();
    options->common.time_limit = 600;
    options->common.search = Search::dfs; // whatever is best for other commands
    arguments.words("MODEL", options->models, "The models' files: a column each");
    arguments.number("--runs", options->runs, {1, 1'000}, "How often each configuration runs, in turn [5]");
    arguments.number("--depth", options->depth, {1, 1'000'000},
                     "As for generate; by default the smallest at which the base algorithm needs ten seconds");
    arguments.text("--conf", "LIST", options->configurations,
                   "Only these, and the base algorithm: a list of " + configuration_names());
    const OrderOptions shared = add_order_options(arguments, options->common);
    arguments.check([options] {
        return options->common.search == Search::mixed ? "--search mixed: bench compares searches with a bound" : "";
    });
    shared.order.described(
        "Order of the search: dfs (depth first), bfs (breadth first), random, or distance (the nearest "
        "to a target first). By default dfs");
    shared.seed.described("Of the orders random and distance: another number, another order");
    shared.time.described("Seconds after which a run ends").shows_default();
    shared.steps.described("VM steps after which a run ends");
    shared.memory.described("Bytes (or as 500M, 2G) of memory past which a run ends");
    arguments.text("--json", "FILE", options->json, "Write all figures to this file, as JSON");
    arguments.text("--timeline", "FILE", options->timeline,
                   "Draw into this file, as SVG, how many targets are covered after how long; by default only the "
                   "base algorithm and v3 then run, once each");
    add_force(arguments, options->force);
    return [options] { return bench_command(*options); };
}

} // namespace espalier
