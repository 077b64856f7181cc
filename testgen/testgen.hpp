// The commands of `espalier`, each a plain function of its options. How they are spelt is declared in commands/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pda/pda.hpp"
#include "testgen/execute/timing.hpp"
#include "testgen/generate/options.hpp"
#include "testgen/graph/graph.hpp"
#include "testgen/terminal/exit_status.hpp"
#include "testgen/text/words.hpp"

namespace espalier {

// How long a command may take, and how much memory it may hold.
struct CommandLimits {
    double time = 0;   // seconds; 0: none
    size_t memory = 0; // bytes; 0: none
};

// What the tool makes of a model: the data that were read, the core forms, the λ-IR, the result of the flow analysis.
enum class Dump : uint8_t { read, expand, ir, flow };
template <>
struct Words<Dump> {
    static constexpr std::array<Word<Dump>, 4> all{
        {{Dump::read, "read"}, {Dump::expand, "expand"}, {Dump::ir, "ir"}, {Dump::flow, "flow"}}};
};

struct CheckOptions {
    std::string model;
    CommandLimits limits;
    std::optional<Dump> dump;
    bool with_prelude = false; // in a dump
    bool json = false;
};
int check_command(const CheckOptions& options);

struct RunOptions {
    std::string model;
    CommandLimits limits;
    uint64_t step_limit = 0; // calls; 0: none
    std::string inputs;      // a file; "" asks on a terminal, or reads standard input where that is none
    bool trace = false;
};
int run_command(const RunOptions& options);

int generate_command(const GenerateOptions& options);

struct ExplainOptions {
    GenerateOptions search; // as generate would
    std::string target;
};
int explain_command(const ExplainOptions& options);

struct ReplayOptions {
    std::string model;
    std::string suite;
    CommandLimits limits;
    uint64_t step_limit = 0; // calls in all; 0: none
    std::string junit;       // a file, or ""
    bool quiet = false;      // only what differs
    bool force = false;
};
int replay_command(const ReplayOptions& options);

struct ExportOptions {
    std::string model, suite;
    std::string format, template_file; // one of them is given
    std::string output;                // "": standard output
    bool force = false;
};
int export_command(const ExportOptions& options);

struct ExecuteOptions {
    std::string suite;
    CommandLimits limits;
    std::vector<std::string> adapter; // the command, a word each
    Timing timing;
    std::vector<std::string> tests; // ids; empty: all
    std::string model;              // to look for other schedules in; "": none
    std::string results, junit;     // files, or ""
    std::string report;             // a page of generate's, to put verdicts into, or ""
    bool quiet = false;             // only what did not pass
    bool force = false;
};
int execute_command(const ExecuteOptions& options);

enum class Picture : uint8_t { pda, calls, machines };
template <>
struct Words<Picture> {
    static constexpr std::array<Word<Picture>, 3> all{
        {{Picture::pda, "pda"}, {Picture::calls, "calls"}, {Picture::machines, "machines"}}};
};
template <>
struct Words<Direction> {
    static constexpr std::array<Word<Direction>, 2> all{{{Direction::down, "down"}, {Direction::right, "right"}}};
};

struct GraphOptions {
    std::string model;
    Picture kind = Picture::pda;
    std::string output;                    // "": standard output; a name that ends in .svg gets SVG, any other DOT
    std::vector<std::string> machines;     // empty: all
    Direction direction = Direction::down; // of machines
    bool force = false;
};
int graph_command(const GraphOptions& options);

struct BenchOptions {
    std::vector<std::string> models;
    GenerateOptions common;        // of every run
    std::optional<uint32_t> depth; // none: chosen for each model
    std::optional<uint32_t> runs;  // of each configuration; none: 5, or 1 for the figure alone
    std::string configurations;    // "": all, or those of the figure
    std::string json, timeline;    // files, or ""
    bool force = false;
};
int bench_command(const BenchOptions& options);

template <>
struct Words<pda::OracleKind> {
    static constexpr std::array<Word<pda::OracleKind>, 3> all{
        {{pda::OracleKind::v1, "v1"}, {pda::OracleKind::v2, "v2"}, {pda::OracleKind::v3, "v3"}}};
};

struct PdaOptions {
    std::string file;
    pda::OracleKind oracle = pda::OracleKind::v3;
};
int pda_command(const PdaOptions& options);

// Parses the arguments and runs the command; the program's exit status.
int run_command_line(int argc, char** argv);

} // namespace espalier
