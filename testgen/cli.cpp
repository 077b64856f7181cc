// How the commands are spelt. The only place that reads argv.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "testgen/commands.hpp"

namespace espalier {

namespace {

int dispatch(int argc, char** argv) {
    CLI::App app{"Generates test suites from protocol models.", "espalier"};
    app.require_subcommand(1);
    app.set_version_flag("--version", "espalier 0.1.0");
    app.failure_message(CLI::FailureMessage::help);
    int status = exit_done;

    CheckOptions check;
    auto* check_cmd = app.add_subcommand("check", "Say what is wrong with a model");
    check_cmd->add_option("MODEL", check.model, "The model's file")->required();
    check_cmd->add_option("--dump", check.dump, "Print what the tool makes of it: the data that were read, the core forms, or the λ-IR")
        ->check(CLI::IsMember({"read", "expand", "ir"}));
    check_cmd->add_flag("--prelude", check.with_prelude, "With --dump: also what the model uses of the prelude");
    check_cmd->add_flag("--json", check.json, "Diagnostics as JSON on standard output, for editors");
    check_cmd->callback([&] { status = check_command(check); });

    RunOptions run;
    auto* run_cmd = app.add_subcommand("run", "Run a model on given inputs");
    run_cmd->add_option("MODEL", run.model, "The model's file")->required();
    run_cmd->add_option("--inputs", run.inputs, "A datum a line: (port message), value, (wait N), (choose N). Without it, asks on a terminal or reads standard input");
    run_cmd->add_flag("--trace", run.trace, "Show states, transitions, messages and variables on standard error");
    run_cmd->callback([&] { status = run_command(run); });

    GenerateOptions generate;
    auto* generate_cmd = app.add_subcommand("generate", "Make a test suite from a model");
    generate_cmd->add_option("MODEL", generate.model, "The model's file")->required();
    generate_cmd->add_option("--depth", generate.depth, "Stable states that a path may pass since its last new target")->capture_default_str()->check(CLI::Range(1U, 1000000U));
    generate_cmd->add_option("--search", generate.search, "Order of the search")->capture_default_str()->check(CLI::IsMember({"dfs", "bfs", "random"}));
    generate_cmd->add_option("--seed", generate.seed, "Of the random search")->capture_default_str();
    generate_cmd->add_option("--time-limit", generate.time_limit, "Seconds after which the search ends, with what it found")->check(CLI::PositiveNumber);
    generate_cmd->add_option("--step-limit", generate.step_limit, "VM steps after which the search ends, with what it found");
    generate_cmd->add_option("-o,--output", generate.output, "The suite's file; by default the model's base name plus -suite.xml, in the current folder");
    generate_cmd->add_flag("--quiet", generate.quiet, "No summary");
    generate_cmd->callback([&] { status = generate_command(generate); });

    PdaOptions pda;
    auto* pda_cmd = app.add_subcommand("pda", "Answer distance queries on a pushdown automaton given as text");
    pda_cmd->add_option("FILE", pda.file, "Lines of `procedure`, `node`, `edge` and `query`")->required();
    pda_cmd->add_option("--oracle", pda.oracle, "Which algorithm answers")->capture_default_str()->check(CLI::IsMember({"v1", "v2", "v3"}));
    pda_cmd->callback([&] { status = pda_command(pda); });

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        const int code = app.exit(e);
        return code == 0 ? exit_done : exit_usage;
    }
    return status;
}

}  // namespace

int run_command_line(int argc, char** argv) {
    try {
        return dispatch(argc, argv);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "espalier: internal error: %s\n", e.what());
        return exit_internal;
    }
}

}  // namespace espalier
