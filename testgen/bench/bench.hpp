// Chapter 6 of the thesis (Lahola 2010) as an experiment that anyone can repeat: each model is searched by each of the
// configurations of its table 6.1, several times and in turn, and the results are printed as its tables 6.4 to 6.7.
//
// Nothing here looks at a clock or starts a process but process.cpp: the rest is given a function that measures.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testgen/generate/options.hpp"
#include "testgen/text/result.hpp"

namespace espalier {

// One run of one configuration on one model.
struct BenchRun {
    bool complete = true;                // the search ended by itself
    EndedBy ended_by = EndedBy::nothing; // else: what ended it
    uint64_t vm_steps = 0, sat_queries = 0, sat_unknown = 0, sp_queries = 0, cuts = 0, disproved = 0;
    uint64_t peak_memory_bytes = 0;
    // Of the processor in user mode, from the loaded model to the suite; and the parts, measured where they happen.
    double user_seconds = 0, flow_seconds = 0, tracking_seconds = 0, oracle_seconds = 0;
    double seconds = 0;           // by the clock on the wall
    std::vector<bool> covered;    // by TargetId
    std::vector<double> timeline; // when each target was covered, by the clock on the wall
};

// Runs a search; the rest of the options is the configuration's.
using Measure = std::function<BenchRun(const GenerateOptions&)>;

// ── Configurations (configurations.cpp) ──

struct BenchConfiguration {
    // What its time is: all of it, or that of one part, in a search that follows every state.
    enum class Time : uint8_t { all, flow, tracking, oracle };
    std::string name; // as in table 6.1, where it is there
    std::string meaning;
    std::string_view table; // "6.4" to "6.7"
    Time time = Time::all;
    GenerateOptions options; // how it differs from the others: the rest is the same for all
};

// All of them, the base algorithm first. The options are those that all have in common.
std::vector<BenchConfiguration> bench_configurations(const GenerateOptions& common);
std::string configuration_names();
// Of a list of names, in the order of the tables and always with the base algorithm.
Result<std::vector<BenchConfiguration>> choose_configurations(std::vector<BenchConfiguration> all,
                                                              const std::string& list);

bool is_component(const BenchConfiguration& configuration);
bool asks_oracle(const BenchConfiguration& configuration); // and heeds it
// Must it cover what the base algorithm covers? (The law of cutting; another order may cover other targets.)
bool same_order(const BenchConfiguration& a, const BenchConfiguration& b);
double seconds_of(const BenchConfiguration& configuration, const BenchRun& run);

// ── Depth (depth.cpp) ──

struct DepthChoice {
    enum class Why : uint8_t { given, needs_time, needs_limit, grows_no_more, stopped };
    uint32_t depth = 0;
    Why why = Why::given;
    uint64_t steps = 0; // of the base algorithm there, as far as it ran
};
// Seconds that the base algorithm must need.
inline constexpr double enough_seconds = 10;
DepthChoice choose_depth(const GenerateOptions& base, const Measure& measure, const std::function<bool()>& stopped);
std::string to_text(const DepthChoice& choice);

// ── Runs (rounds.cpp) ──

struct BenchColumn {
    std::string model; // the file's base name, without .scm
    DepthChoice depth;
    std::vector<std::vector<BenchRun>> runs; // by configuration
};
// In rounds, so that what changes on the machine meanwhile changes all alike. What a limit of time or memory ended is
// not repeated. Where that was the base algorithm, the parts are measured over as many steps as it came.
void measure_rounds(const std::vector<BenchConfiguration>& configurations, uint32_t runs, const Measure& measure,
                    const std::function<bool()>& stopped, BenchColumn& column);

struct TimeSummary {
    double average = 0, deviation = 0; // the greatest, from the average
};
TimeSummary summarise(const BenchConfiguration& configuration, const std::vector<BenchRun>& runs);

// A percentage of the base algorithm's time, or what is known of it.
struct Percentage {
    enum class Kind : uint8_t { exact, less, more, unknown } kind = Kind::unknown;
    double percent = 0;
};
Percentage percentage_of_base(const BenchConfiguration& configuration, const std::vector<BenchRun>& runs,
                              const BenchConfiguration& base, const std::vector<BenchRun>& base_runs);

// What contradicts the laws: runs of one configuration that differ, or a complete search that covers something else
// than the base algorithm. A line each.
std::vector<std::string> contradictions(const std::vector<BenchConfiguration>& configurations,
                                        const BenchColumn& column);

// ── Output ──

// The rows of a table.
enum class BenchRow : uint8_t { vm_steps, sat_queries, sp_queries, cut_percent, average_time, max_deviation, of_base };
template <>
struct Words<BenchRow> {
    static constexpr std::array<Word<BenchRow>, 7> all{{{BenchRow::vm_steps, "vm steps"},
                                                        {BenchRow::sat_queries, "sat queries"},
                                                        {BenchRow::sp_queries, "sp queries"},
                                                        {BenchRow::cut_percent, "cut %"},
                                                        {BenchRow::average_time, "avg time"},
                                                        {BenchRow::max_deviation, "max dev"},
                                                        {BenchRow::of_base, "% of BA"}}};
};
// The thesis's figure in a row of a table, as printed there; empty where there is none (thesis.cpp).
std::string_view thesis_figure(std::string_view model, std::string_view configuration, BenchRow row);
std::string bench_tables(const std::vector<BenchConfiguration>& configurations,
                         const std::vector<BenchColumn>& columns);
std::string bench_json(const std::vector<BenchConfiguration>& configurations, const std::vector<BenchColumn>& columns,
                       const GenerateOptions& common, uint32_t runs);
// Figure 6.1: covered targets over time, a line for each configuration that has a run (timeline_svg.cpp).
std::string timeline_svg(const std::vector<BenchConfiguration>& configurations, const BenchColumn& column);

// ── Processes (process.cpp) ──

class StopSignals;
// Runs a search in a process of its own, so that no run finds the memory as another left it. Throws where that fails.
BenchRun measure_in_process(Model& model, const GenerateOptions& options, const StopSignals& signals);

} // namespace espalier
