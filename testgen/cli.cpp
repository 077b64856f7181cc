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
