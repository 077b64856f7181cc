// How the commands are spelt. The only place that reads argv.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>

#include "testgen/bench/bench.hpp"
#include "testgen/export/exporter.hpp"
#include "testgen/testgen.hpp"
#include "testgen/text/escapes.hpp"
#include "testgen/text/option_values.hpp"

namespace espalier {

namespace {

// One line: what is wrong, and where to read on.
std::string explain(const CLI::App* app, const CLI::Error& e) {
    const CLI::App* at = app;
    for (const CLI::App* sub : app->get_subcommands()) at = sub;
    std::string name = at->get_name();
    if (at != app) name = app->get_name() + " " + name;
    return name + ": " + printable(e.what()) + " (see `" + name + " --help`)\n";
}

CLI::Validator whole_number(uint64_t least, uint64_t most = UINT64_MAX) {
    return {[=](std::string& text) { return check_whole_number(text, least, most); }, ""};
}

CLI::Validator one_of(const std::vector<std::string>& words) {
    return {[=](std::string& text) { return check_one_of(text, words); }, ""};
}

// One of a few words, in place of what the value is by default.
template <typename Value>
CLI::Option* add_word(CLI::App* cmd, const std::string& name, Value& value, const std::string& what) {
    return cmd
        ->add_option_function<std::string>(
            name, [&](const std::string& word) { value = *value_of<Value>(word); }, what)
        ->default_str(std::string(word_of(value)))
        ->check(one_of(words_of<Value>()));
}
// The same where there is no default.
template <typename Value>
CLI::Option* add_word(CLI::App* cmd, const std::string& name, std::optional<Value>& value, const std::string& what) {
    return cmd
        ->add_option_function<std::string>(
            name, [&](const std::string& word) { value = value_of<Value>(word); }, what)
        ->check(one_of(words_of<Value>()));
}

void add_format_options(CLI::App* cmd, std::string& format, std::string& template_file) {
    std::string names;
    for (const std::string& name : exporter_names()) names += (names.empty() ? "" : ", ") + name;
    auto* named = cmd->add_option("--format", format, "What to write: " + names)
                      ->type_name("NAME")
                      ->check(one_of(exporter_names()));
    cmd->add_option("--template", template_file, "Write what this template makes of the suite: see docs/formats.md")
        ->type_name("FILE")
        ->excludes(named);
}

void add_force(CLI::App* cmd, bool& force) {
    cmd->add_flag("--force", force, "Overwrite files even if espalier has not written them");
}

// An option that the command does not have, or a word too many.
int no_such_argument(const CLI::App& command, const std::string& word) {
    const std::string name = "espalier " + command.get_name();
    std::fprintf(stderr, "%s: there is no use for `%s` here (see `%s --help`)\n", name.c_str(), printable(word).c_str(),
                 name.c_str());
    return exit_usage;
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
    const char* const what = word[0] == '-' ? "option" : "command";
    std::fprintf(stderr, "espalier: there is no %s `%s`%s (see `espalier --help`)\n", what, printable(word).c_str(),
                 near.empty() ? "" : ("; did you mean `" + near + "`?").c_str());
    return exit_usage;
}

void add_limits(CLI::App* cmd, double& seconds, size_t& bytes, const std::string& what) {
    cmd->add_option("--time-limit", seconds, "Seconds after which " + what)
        ->type_name("S")
        ->check(CLI::Validator([](std::string& text) { return check_seconds(text); }, ""));
    cmd->add_option("--memory-limit", bytes, "Bytes (or as 500M, 2G) of memory past which " + what)
        ->type_name("BYTES")
        ->transform(CLI::Validator([](std::string& text) { return check_size(text); }, ""));
}

void add_call_limit(CLI::App* cmd, uint64_t& calls, const std::string& what) {
    cmd->add_option("--step-limit", calls, "Calls after which " + what)->type_name("N")->check(whole_number(1));
}

// What to search for, in which order, and when to stop: the same for all commands that search.
void add_order_options(CLI::App* cmd, GenerateOptions& search) {
    cmd->add_option("--cover", search.cover,
                    "What the suite must reach: a list of checkpoints, requirements, procedures, branches, states, "
                    "transitions, conditions, mcdc, boundaries, errors; or all")
        ->type_name("LIST")
        ->capture_default_str();
    add_word(
        cmd, "--search", search.search,
        "Order of the search: dfs (depth first), bfs (breadth first), random, or distance (the nearest to a target "
        "first)")
        ->type_name("ORDER");
    cmd->add_option("--seed", search.seed, "Of the orders random and distance: another number, another order")
        ->type_name("N")
        ->capture_default_str()
        ->check(whole_number(0));
    cmd->add_option("--time-limit", search.time_limit, "Seconds after which the search ends, with what it found")
        ->type_name("S")
        ->check(CLI::Validator([](std::string& text) { return check_seconds(text); }, ""));
    cmd->add_option("--step-limit", search.step_limit, "VM steps after which the search ends, with what it found")
        ->type_name("N")
        ->check(whole_number(1));
    cmd->add_option("--memory-limit", search.memory_limit,
                    "Bytes (or as 500M, 2G) of memory past which the search ends, with what it found")
        ->type_name("BYTES")
        ->transform(CLI::Validator([](std::string& text) { return check_size(text); }, ""));
}

// How to search: the same for all commands that search once.
void add_search_options(CLI::App* cmd, GenerateOptions& search) {
    cmd->add_option("--depth", search.depth, "A path ends at its Nth stable state after its last new target")
        ->type_name("N")
        ->capture_default_str()
        ->check(whole_number(1, 1'000'000));
    add_order_options(cmd, search);
    add_word(cmd, "--memo", search.memo,
             "Whether stable states are remembered (on), so that one like another that was explored before is "
             "skipped; or not (off)")
        ->type_name("WHETHER");
    add_word(cmd, "--schedules", search.schedules,
             "Of several threads that can go on, the lowest goes first (first); or every order is explored (all)")
        ->type_name("WHICH");
    cmd->add_option("--solver-chain", search.solver_chain,
                    "Who answers questions about paths: a list of models, intervals, independence, cache, enumeration "
                    "and z3; `z3` "
                    "is the last step alone, `all` is every step")
        ->type_name("LIST")
        ->capture_default_str();
}

// A number of seconds, more than none.
void add_seconds(CLI::App* cmd, const std::string& name, double& seconds, const std::string& what) {
    cmd->add_option(name, seconds, what + ", in seconds")
        ->type_name("S")
        ->capture_default_str()
        ->check(CLI::Validator([](std::string& text) { return check_seconds(text); }, ""));
}

// The words after `--` are those of another program: none of them is an option of ours.
std::vector<std::string> cut_after_dashes(int& argc, char** argv) {
    if (argc < 2 || std::strcmp(argv[1], "execute") != 0) return {};
    for (int i = 2; i < argc; ++i) {
        if (std::strcmp(argv[i], "--") != 0) continue;
        std::vector<std::string> words(argv + i + 1, argv + argc);
        argc = i;
        return words;
    }
    return {};
}

int dispatch(int argc, char** argv) {
    std::vector<std::string> after_dashes = cut_after_dashes(argc, argv);
    CLI::App app{"Generates test suites from protocol models.", "espalier"};
    app.require_subcommand(0, 1);
    app.set_version_flag("--version", "espalier 0.1.0");
    app.failure_message([](const CLI::App* failed, const CLI::Error& e) { return explain(failed, e); });
    app.allow_extras(); // so that a command that does not exist can be named
    std::function<int()> command;

    CheckOptions check;
    auto* check_cmd = app.add_subcommand("check", "Say what is wrong with a model");
    check_cmd->add_option("MODEL", check.model, "The model's file")->type_name("")->required();
    add_word(check_cmd, "--dump", check.dump,
             "Print what the tool makes of it: read, the data that were read; expand, the core forms; ir, the λ-IR; "
             "flow, the result of the flow analysis")
        ->type_name("STAGE");
    check_cmd->add_flag("--prelude", check.with_prelude, "With --dump: also what the model uses of the prelude");
    auto* json = check_cmd->add_flag("--json", check.json, "Diagnostics as JSON on standard output, for editors");
    json->excludes("--dump");
    add_limits(check_cmd, check.limits.time, check.limits.memory, "it ends");
    check_cmd->callback([&] { command = [&] { return check_command(check); }; });

    RunOptions run;
    auto* run_cmd = app.add_subcommand("run", "Run a model on given inputs");
    run_cmd->add_option("MODEL", run.model, "The model's file")->type_name("")->required();
    run_cmd
        ->add_option("--inputs", run.inputs,
                     "A datum a line: (port message), value, (wait N), (choose N). Without it, asks on a terminal "
                     "or reads standard input")
        ->type_name("FILE");
    run_cmd->add_flag("--trace", run.trace, "Show states, transitions, messages and variables on standard error");
    add_limits(run_cmd, run.limits.time, run.limits.memory, "the run ends");
    add_call_limit(run_cmd, run.step_limit, "the run ends");
    run_cmd->callback([&] { command = [&] { return run_command(run); }; });

    GenerateOptions generate;
    auto* generate_cmd = app.add_subcommand("generate", "Make a test suite from a model");
    auto* generate_model =
        generate_cmd->add_option("MODEL", generate.model, "The model's file")->option_text("REQUIRED");
    add_search_options(generate_cmd, generate);
    add_word(generate_cmd, "--cut", generate.cut,
             "Which states are not followed: with v1, v2 or v3, three ways to the same answer, those from which "
             "no target is within the bound; with flow or off none. off analyses nothing; otherwise the search "
             "ends when no target is left that the flow analysis believes reachable")
        ->type_name("HOW");
    auto* no_target_info = generate_cmd->add_flag("--no-target-info", generate.no_target_info,
                                                  "The oracle is not told which targets are covered: for comparisons");
    auto* no_bound_info = generate_cmd->add_flag("--no-bound-info", generate.no_bound_info,
                                                 "The oracle is not told how far a path may still go: for comparisons");
    generate_cmd
        ->add_option("--target", generate.targets,
                     "Search only for these targets, named as in the suite: branch:f#1:then, state:m/idle, …")
        ->type_name("ID");
    generate_cmd
        ->add_option("--waive", generate.waive, "A file with a target's name on each line: these need not be reached")
        ->type_name("FILE");
    generate_cmd
        ->add_option("--fail-under", generate.fail_under,
                     "Exit status 1 where less than so many percent of the targets that are asked for are covered")
        ->type_name("PERCENT")
        ->check(CLI::Validator([](std::string& text) { return check_percent(text); }, ""));
    generate_cmd->add_option("--stats", generate.stats, "Write statistics to this file, as JSON")->type_name("FILE");
    generate_cmd->add_option("--timeline", generate.timeline, "Write to this file when each target was covered, as CSV")
        ->type_name("FILE");
    generate_cmd
        ->add_option("--report", generate.report,
                     "Write a page to this file that shows the coverage, the model, the tests and the search, as HTML "
                     "that needs no network")
        ->type_name("FILE.html");
    generate_cmd
        ->add_option("-o,--output", generate.output,
                     "The suite's file; by default the model's base name plus -suite and what the format's files end "
                     "in (.xml), in the current folder")
        ->type_name("FILE");
    add_format_options(generate_cmd, generate.format, generate.template_file);
    generate_cmd
        ->add_option("--keep", generate.keep,
                     "Keep the tests of this suite that the model still takes, under their names; new tests are made "
                     "for what they do not cover")
        ->type_name("FILE");
    auto* watch = generate_cmd->add_flag("--watch", generate.watch,
                                         "Do it again whenever the model changes, each time keeping the tests of the "
                                         "time before, until Ctrl-C");
    generate_cmd->add_flag("--quiet", generate.quiet, "No summary");
    add_force(generate_cmd, generate.force);
    generate_cmd->callback([&] {
        if (generate.model.empty() && generate.targets.size() > 1) { // generate --target A B MODEL
            generate.model = generate.targets.back();
            generate.targets.pop_back();
        }
        if (generate.model.empty()) throw CLI::RequiredError(generate_model->get_name());
        if (!asks_oracle(generate.cut))
            for (const auto* option : {no_target_info, no_bound_info})
                if (option->count() > 0)
                    throw CLI::ValidationError(option->get_name(),
                                               "--cut " + std::string(word_of(generate.cut)) + " asks no oracle");
        if (generate.watch &&
            (!generate.template_file.empty() || (!generate.format.empty() && generate.format != "xml")))
            throw CLI::ValidationError(watch->get_name(), "tests are kept from suites as XML");
        command = [&] { return generate_command(generate); };
    });

    ReplayOptions replay;
    auto* replay_cmd = app.add_subcommand("replay", "Run every test of a suite on its model, and show what differs");
    replay_cmd->add_option("MODEL", replay.model, "The model's file")->type_name("")->required();
    replay_cmd->add_option("SUITE", replay.suite, "The suite's file, generated or written by hand")
        ->type_name("")
        ->required();
    replay_cmd->add_option("--junit", replay.junit, "Write the results to this file, as JUnit XML")->type_name("FILE");
    add_limits(replay_cmd, replay.limits.time, replay.limits.memory, "the replay ends");
    add_call_limit(replay_cmd, replay.step_limit, "the replay ends");
    replay_cmd->add_flag("--quiet", replay.quiet, "Only what differs, no summary");
    add_force(replay_cmd, replay.force);
    replay_cmd->callback([&] { command = [&] { return replay_command(replay); }; });

    ExportOptions exported;
    auto* export_cmd = app.add_subcommand("export", "Write a suite in another format");
    export_cmd->add_option("MODEL", exported.model, "The model's file")->type_name("")->required();
    export_cmd->add_option("SUITE", exported.suite, "The suite's file, generated or written by hand")
        ->type_name("")
        ->required();
    add_format_options(export_cmd, exported.format, exported.template_file);
    export_cmd->add_option("-o,--output", exported.output, "Where to write it; by default to standard output")
        ->type_name("FILE");
    add_force(export_cmd, exported.force);
    export_cmd->callback([&] {
        if (exported.format.empty() && exported.template_file.empty()) throw CLI::RequiredError("--format");
        command = [&] { return export_command(exported); };
    });

    ExecuteOptions execute;
    auto* execute_cmd = app.add_subcommand("execute", "Run a suite against a real system, through an adapter process");
    execute_cmd->footer(
        "After `--` comes the adapter's command, with its arguments: execute SUITE -- ADAPTER ARG...\n"
        "Exit status: 0 nothing speaks against the system; 1 a test failed or had an error; 2 wrong usage");
    auto* execute_suite = execute_cmd->add_option("SUITE", execute.suite, "The suite's file")->option_text("REQUIRED");
    add_seconds(execute_cmd, "--time-unit", execute.timing.time_unit, "How long a unit of the model's time takes");
    add_seconds(execute_cmd, "--timeout", execute.timing.timeout,
                "How long an expected output, or an answer of the adapter, may take");
    add_seconds(execute_cmd, "--quiet-time", execute.timing.quiet_time,
                "How long nothing may come after the expected outputs before the next input is sent");
    add_limits(execute_cmd, execute.limits.time, execute.limits.memory, "it ends");
    execute_cmd->add_option("--test", execute.tests, "Run only these tests, named as in the suite")->type_name("ID");
    execute_cmd
        ->add_option(
            "--model", execute.model,
            "The model of the suite: a difference that another schedule or choice of it allows is inconclusive")
        ->type_name("FILE");
    execute_cmd->add_option("--junit", execute.junit, "Write the verdicts to this file, as JUnit XML")
        ->type_name("FILE");
    execute_cmd
        ->add_option("--report", execute.report, "Put the verdicts into this page, which generate --report has written")
        ->type_name("FILE.html");
    execute_cmd->add_option("--results", execute.results, "Write the verdicts to this file, as JSON")
        ->type_name("FILE");
    execute_cmd->add_flag("--quiet", execute.quiet, "Only what did not pass, no summary");
    add_force(execute_cmd, execute.force);
    execute_cmd->callback([&] {
        if (execute.suite.empty() && execute.tests.size() > 1) { // execute --test A B SUITE
            execute.suite = execute.tests.back();
            execute.tests.pop_back();
        }
        if (execute.suite.empty()) throw CLI::RequiredError(execute_suite->get_name());
        if (after_dashes.empty()) throw CLI::RequiredError("-- ADAPTER");
        execute.adapter = std::move(after_dashes);
        command = [&] { return execute_command(execute); };
    });

    ExplainOptions explained;
    auto* explain_cmd = app.add_subcommand("explain", "Say why a target is covered, infeasible or unreached");
    explain_cmd->add_option("MODEL", explained.search.model, "The model's file")->type_name("")->required();
    explain_cmd->add_option("TARGET", explained.target, "Named as in the suite: branch:f#1:then, state:m/idle, …")
        ->type_name("")
        ->required();
    add_search_options(explain_cmd, explained.search);
    explain_cmd->callback([&] { command = [&] { return explain_command(explained); }; });

    GraphOptions graph;
    auto* graph_cmd = app.add_subcommand("graph", "Draw a model, in Graphviz's DOT language or as SVG");
    graph_cmd->add_option("MODEL", graph.model, "The model's file")->type_name("")->required();
    add_word(
        graph_cmd, "--kind", graph.kind,
        "What to draw: pda, the automaton that the analysis makes of the model; calls, who calls whom; or machines")
        ->type_name("KIND");
    auto* machine =
        graph_cmd
            ->add_option("--machine", graph.machines, "With --kind machines: only this one; may be given several times")
            ->type_name("NAME")
            ->expected(1)
            ->take_all();
    auto* direction = add_word(graph_cmd, "--direction", graph.direction,
                               "With --kind machines: where arrows lead, down or right, which suits machines "
                               "with many states")
                          ->type_name("WAY");
    graph_cmd
        ->add_option("-o,--output", graph.output,
                     "Where to write it: SVG if the name ends in .svg (needs graphviz), else DOT; by default "
                     "DOT on standard output")
        ->type_name("FILE");
    add_force(graph_cmd, graph.force);
    graph_cmd->callback([&, machine, direction] {
        if (graph.kind != Picture::machines)
            for (const CLI::Option* o : {machine, direction})
                if (o->count() > 0) throw CLI::RequiresError(o->get_name(), "--kind machines");
        command = [&] { return graph_command(graph); };
    });

    BenchOptions bench;
    bench.common.time_limit = 600;
    bench.common.search = Search::dfs; // whatever is best for other commands
    auto* bench_cmd = app.add_subcommand("bench", "Compare ways to cut the search, as chapter 6 of Lahola's thesis");
    bench_cmd->add_option("MODEL", bench.models, "The models' files: a column each")->type_name("")->required();
    bench_cmd->add_option("--runs", bench.runs, "How often each configuration runs, in turn [5]")
        ->type_name("N")
        ->check(whole_number(1, 1'000));
    bench_cmd
        ->add_option("--depth", bench.depth,
                     "As for generate; by default the smallest at which the base algorithm needs ten seconds")
        ->type_name("N")
        ->check(whole_number(1, 1'000'000));
    bench_cmd
        ->add_option("--conf", bench.configurations,
                     "Only these, and the base algorithm: a list of " + configuration_names())
        ->type_name("LIST");
    add_order_options(bench_cmd, bench.common);
    bench_cmd->get_option("--time-limit")->description("Seconds after which a run ends")->capture_default_str();
    bench_cmd->get_option("--step-limit")->description("VM steps after which a run ends");
    bench_cmd->get_option("--memory-limit")->description("Bytes (or as 500M, 2G) of memory past which a run ends");
    bench_cmd->add_option("--json", bench.json, "Write all figures to this file, as JSON")->type_name("FILE");
    bench_cmd
        ->add_option("--timeline", bench.timeline,
                     "Draw into this file, as SVG, how many targets are covered after how long; by default only the "
                     "base algorithm and v3 then run, once each")
        ->type_name("FILE");
    add_force(bench_cmd, bench.force);
    bench_cmd->callback([&] { command = [&] { return bench_command(bench); }; });

    PdaOptions pda;
    auto* pda_cmd = app.add_subcommand("pda", "Answer distance queries on a pushdown automaton given as text");
    pda_cmd->add_option("FILE", pda.file, "Lines of `procedure`, `node`, `edge` and `query`")
        ->type_name("")
        ->required();
    add_word(pda_cmd, "--oracle", pda.oracle, "Which algorithm answers: v1, v2 or v3")->type_name("VERSION");
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
    if (const auto extra = app.remaining(true); !extra.empty())
        return no_such_argument(*app.get_subcommands().front(), extra.front());
    return command();
}

} // namespace

int run_command_line(int argc, char** argv) {
    try {
        const int status = dispatch(argc, argv);
        if (status == 128 + SIGPIPE) return status; // its reader has gone, and wants to hear no more
        // What nobody got to see must not pass for done.
        if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
        std::fprintf(stderr, "espalier: cannot write to standard output: %s\n", std::strerror(errno));
        return exit_usage;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "espalier: internal error: %s\n", printable(e.what()).c_str());
        return exit_internal;
    }
}

} // namespace espalier
