// How the commands are spelt. The only place that reads argv.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <functional>

#include "testgen/testgen.hpp"

namespace espalier {

namespace {

// One line: what is wrong, and where to read on.
std::string explain(const CLI::App* app, const CLI::Error& e) {
    const CLI::App* at = app;
    for (const CLI::App* sub : app->get_subcommands()) at = sub;
    std::string name = at->get_name();
    if (at != app) name = app->get_name() + " " + name;
    return name + ": " + e.what() + " (see `" + name + " --help`)\n";
}

int no_such_command(const CLI::App& app, const std::string& word) {
    std::string near;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
        const std::string& name = sub->get_name();
        // A slip of one letter: the same but for one changed, missing, added or swapped.
        size_t front = 0;
        while (front < word.size() && front < name.size() && word[front] == name[front]) ++front;
        size_t back = 0;
        while (back < word.size() - front && back < name.size() - front &&
               word[word.size() - 1 - back] == name[name.size() - 1 - back])
            ++back;
        if (word.size() - front - back <= 2 && name.size() - front - back <= 2 && front + back > 0) near = name;
    }
    std::fprintf(stderr, "espalier: there is no command `%s`%s (see `espalier --help`)\n", word.c_str(),
                 near.empty() ? "" : ("; did you mean `" + near + "`?").c_str());
    return exit_usage;
}

// How to search: the same for all commands that do.
void add_search_options(CLI::App* cmd, GenerateOptions& search) {
    cmd->add_option("--depth", search.depth, "Stable states that a path may pass since its last new target")
        ->capture_default_str()
        ->check(CLI::Range(1U, 1000000U));
    cmd->add_option("--cover", search.cover,
                    "What the suite must reach, any of checkpoints, requirements, procedures, branches, states, "
                    "transitions, conditions, mcdc, boundaries, errors; or all")
        ->capture_default_str();
    cmd->add_option("--search", search.search, "Order of the search")
        ->capture_default_str()
        ->check(CLI::IsMember({"dfs", "bfs", "random"}));
    cmd->add_option("--seed", search.seed, "Of the random search")->capture_default_str();
    cmd->add_option("--time-limit", search.time_limit, "Seconds after which the search ends, with what it found")
        ->check(CLI::PositiveNumber);
    cmd->add_option("--step-limit", search.step_limit, "VM steps after which the search ends, with what it found");
    cmd->add_option("--memory-limit", search.memory_limit,
                    "Bytes (or as 500M, 2G) of memory past which the search ends, with what it found")
        ->transform(CLI::AsSizeValue(false));
    cmd->add_option("--schedules", search.schedules,
                    "Of several threads that can go on, the lowest goes first; or all orders are explored")
        ->capture_default_str()
        ->check(CLI::IsMember({"first", "all"}));
    cmd->add_option("--solver-chain", search.solver_chain,
                    "Who answers questions about paths: a list of models, intervals, independence, cache and z3; `z3` "
                    "is the last step alone, `all` is every step")
        ->capture_default_str();
}

int dispatch(int argc, char** argv) {
    CLI::App app{"Generates test suites from protocol models.", "espalier"};
    app.require_subcommand(0, 1);
    app.set_version_flag("--version", "espalier 0.1.0");
    app.failure_message([](const CLI::App* failed, const CLI::Error& e) { return explain(failed, e); });
    app.allow_extras(); // so that a command that does not exist can be named
    std::function<int()> command;

    CheckOptions check;
    auto* check_cmd = app.add_subcommand("check", "Say what is wrong with a model");
    check_cmd->add_option("MODEL", check.model, "The model's file")->required();
    check_cmd
        ->add_option("--dump", check.dump,
                     "Print what the tool makes of it: the data that were read, the core forms, the λ-IR, or the "
                     "result of the flow analysis")
        ->check(CLI::IsMember({"read", "expand", "ir", "flow"}));
    check_cmd->add_flag("--prelude", check.with_prelude, "With --dump: also what the model uses of the prelude");
    auto* json = check_cmd->add_flag("--json", check.json, "Diagnostics as JSON on standard output, for editors");
    json->excludes("--dump");
    check_cmd->callback([&] { command = [&] { return check_command(check); }; });

    RunOptions run;
    auto* run_cmd = app.add_subcommand("run", "Run a model on given inputs");
    run_cmd->add_option("MODEL", run.model, "The model's file")->required();
    run_cmd->add_option("--inputs", run.inputs,
                        "A datum a line: (port message), value, (wait N), (choose N). Without it, asks on a terminal "
                        "or reads standard input");
    run_cmd->add_flag("--trace", run.trace, "Show states, transitions, messages and variables on standard error");
    run_cmd->callback([&] { command = [&] { return run_command(run); }; });

    GenerateOptions generate;
    auto* generate_cmd = app.add_subcommand("generate", "Make a test suite from a model");
    auto* generate_model = generate_cmd->add_option("MODEL", generate.model, "The model's file");
    add_search_options(generate_cmd, generate);
    generate_cmd
        ->add_option("--cut", generate.cut,
                     "flow: the search ends when no target is left that the flow analysis believes reachable; off: "
                     "nothing is analysed, and no target is called infeasible")
        ->capture_default_str()
        ->check(CLI::IsMember({"off", "flow", "v1", "v2", "v3"}));
    generate_cmd->add_option("--target", generate.targets,
                             "Search only for these targets, named as in the suite: branch:f#1:then, state:m/idle, …");
    generate_cmd->add_option("--waive", generate.waive,
                             "A file with a target's name on each line: these need not be reached");
    generate_cmd
        ->add_option("--fail-under", generate.fail_under,
                     "Exit status 1 where less than so many percent of the targets that are not waived are covered")
        ->check(CLI::Range(0.0, 100.0));
    generate_cmd->add_option("--stats", generate.stats, "Write statistics to this file, as JSON");
    generate_cmd->add_option("--timeline", generate.timeline,
                             "Write to this file when each target was covered, as CSV");
    generate_cmd->add_option(
        "-o,--output", generate.output,
        "The suite's file; by default the model's base name plus -suite.xml, in the current folder");
    generate_cmd->add_flag("--quiet", generate.quiet, "No summary");
    generate_cmd->callback([&] {
        if (generate.model.empty() && generate.targets.size() > 1) { // generate --target A B MODEL
            generate.model = generate.targets.back();
            generate.targets.pop_back();
        }
        if (generate.model.empty()) throw CLI::RequiredError(generate_model->get_name());
        command = [&] { return generate_command(generate); };
    });

    ReplayOptions replay;
    auto* replay_cmd = app.add_subcommand("replay", "Run every test of a suite on its model, and show what differs");
    replay_cmd->add_option("MODEL", replay.model, "The model's file")->required();
    replay_cmd->add_option("SUITE", replay.suite, "The suite's file, generated or written by hand")->required();
    replay_cmd->add_flag("--quiet", replay.quiet, "Only what differs, no summary");
    replay_cmd->callback([&] { command = [&] { return replay_command(replay); }; });

    ExplainOptions explained;
    auto* explain_cmd = app.add_subcommand("explain", "Say why a target is covered, infeasible or unreached");
    explain_cmd->add_option("MODEL", explained.search.model, "The model's file")->required();
    explain_cmd->add_option("TARGET", explained.target, "Named as in the suite: branch:f#1:then, state:m/idle, …")
        ->required();
    add_search_options(explain_cmd, explained.search);
    explain_cmd->callback([&] { command = [&] { return explain_command(explained); }; });

    GraphOptions graph;
    auto* graph_cmd = app.add_subcommand("graph", "Draw a model, in Graphviz's DOT language or as SVG");
    graph_cmd->add_option("MODEL", graph.model, "The model's file")->required();
    graph_cmd
        ->add_option("--kind", graph.kind,
                     "What to draw: the pushdown automaton that the search is cut by, who calls whom, or the machines")
        ->capture_default_str()
        ->check(CLI::IsMember({"pda", "calls", "machines"}));
    graph_cmd->add_option("-o,--output", graph.output,
                          "Where to write it: SVG if the name ends in .svg (needs graphviz), else DOT; by default "
                          "DOT on standard output");
    graph_cmd->callback([&] { command = [&] { return graph_command(graph); }; });

    PdaOptions pda;
    auto* pda_cmd = app.add_subcommand("pda", "Answer distance queries on a pushdown automaton given as text");
    pda_cmd->add_option("FILE", pda.file, "Lines of `procedure`, `node`, `edge` and `query`")->required();
    pda_cmd->add_option("--oracle", pda.oracle, "Which algorithm answers")
        ->capture_default_str()
        ->check(CLI::IsMember({"v1", "v2", "v3"}));
    pda_cmd->callback([&] { command = [&] { return pda_command(pda); }; });

    try {
        app.parse(argc, argv);
        if (app.get_subcommands().empty()) {
            if (!app.remaining().empty()) return no_such_command(app, app.remaining().front());
            std::fputs(app.help().c_str(), stderr);
            return exit_usage;
        }
    } catch (const CLI::ParseError& e) {
        const int code = app.exit(e);
        return code == 0 ? exit_done : exit_usage;
    }
    if (const auto extra = app.remaining(true); !extra.empty()) {
        std::fprintf(stderr, "espalier: there is no use for `%s` here (see `espalier --help`)\n",
                     extra.front().c_str());
        return exit_usage;
    }
    return command();
}

} // namespace

int run_command_line(int argc, char** argv) {
    try {
        return dispatch(argc, argv);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "espalier: internal error: %s\n", e.what());
        return exit_internal;
    }
}

} // namespace espalier
