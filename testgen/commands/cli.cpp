// The commands by their names. The only place that is given argv.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "testgen/commands/declarations.hpp"
#include "testgen/testgen.hpp"
#include "testgen/text/escapes.hpp"

namespace espalier {

namespace {

int dispatch(int argc, char** argv) {
    CommandLine line("espalier", "0.1.0", "Generates test suites from protocol models.");
    line.add("check", "Say what is wrong with a model", declare_check);
    line.add("run", "Run a model on given inputs", declare_run);
    line.add("generate", "Make a test suite from a model", declare_generate);
    line.add("replay", "Run every test of a suite on its model, and show what differs", declare_replay);
    line.add("export", "Write a suite in another format", declare_export);
    line.add("execute", "Run a suite against a real system, through an adapter process", declare_execute);
    line.add("explain", "Say why a target is covered, infeasible or unreached", declare_explain);
    line.add("graph", "Draw a model, in Graphviz's DOT language or as SVG", declare_graph);
    line.add("bench", "Compare ways to cut the search, as chapter 6 of Lahola's thesis", declare_bench);
    line.add("pda", "Answer distance queries on a pushdown automaton given as text", declare_pda);
    return line.run(argc, argv);
}

} // namespace

int run_command_line(int argc, char** argv) {
    try {
        const int status = dispatch(argc, argv);
        if (status == 128 + SIGPIPE) return status; // its reader has gone, and wants to hear no more
        // Output that was lost must not pass for done.
        if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
        std::fprintf(stderr, "espalier: cannot write to standard output: %s\n", std::strerror(errno));
        return exit_usage;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "espalier: internal error: %s\n", printable(e.what()).c_str());
        return exit_internal;
    }
}

} // namespace espalier
