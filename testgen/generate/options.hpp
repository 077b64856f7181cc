// The options of `generate`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "symexec/symexec.hpp"
#include "testgen/text/words.hpp"

namespace espalier {

// Which states are cut. off: none, and nothing is analysed. flow: none, and the search ends when no target is left that
// the analysis believes reachable. v1, v2, v3: states from which this oracle sees no target within the bound.
enum class Cutting : uint8_t { off, flow, v1, v2, v3 };
constexpr bool asks_oracle(Cutting cutting) { return cutting != Cutting::off && cutting != Cutting::flow; }

template <>
struct Words<Cutting> {
    static constexpr std::array<Word<Cutting>, 5> all{{{Cutting::off, "off"},
                                                       {Cutting::flow, "flow"},
                                                       {Cutting::v1, "v1"},
                                                       {Cutting::v2, "v2"},
                                                       {Cutting::v3, "v3"}}};
};
template <>
struct Words<Search> {
    static constexpr std::array<Word<Search>, 5> all{{{Search::dfs, "dfs"},
                                                      {Search::bfs, "bfs"},
                                                      {Search::random, "random"},
                                                      {Search::distance, "distance"},
                                                      {Search::mixed, "mixed"}}};
};
template <>
struct Words<Schedules> {
    static constexpr std::array<Word<Schedules>, 2> all{{{Schedules::first, "first"}, {Schedules::all, "all"}}};
};

struct GenerateOptions {
    std::string model;
    uint32_t depth = no_bound;
    // VM steps that a search without a bound is worth: about ten seconds of one core.
    static constexpr uint64_t usual_effort = 25'000'000;
    std::optional<uint64_t> effort;
    std::string cover = "checkpoints,requirements,procedures,branches,states,transitions";
    std::optional<Search> search; // none: the best, with a bound and without
    uint64_t seed = 0;
    double time_limit = 0;   // seconds; 0: none
    uint64_t step_limit = 0; // VM steps in all; 0: none
    bool memo = true;
    bool interpolants = false, confirm = true;
    size_t memory_limit = 0; // bytes; 0: none
    Cutting cut = Cutting::v3;
    CutParts cut_parts = CutParts::all;
    bool no_target_info = false; // the oracle is not told what is covered
    bool no_bound_info = false;  // nor how far a path may still go
    Schedules schedules = Schedules::first;
    std::vector<std::string> targets; // empty: all
    std::string waive;                // a file, or ""
    std::optional<double> fail_under; // percent
    std::string output;               // "": the model's base name plus -suite.xml, in the current folder
    std::string format;               // see exporters.cpp; "": xml, or by the template
    std::string template_file;        // or ""
    std::string keep;                 // an earlier suite's file, or ""
    bool watch = false;               // again whenever the model changes
    std::string stats, timeline;      // files, or ""
    std::string report;               // a file, or ""
    std::string solver_chain = "all"; // see parse_solver_chain
    bool quiet = false;
    bool force = false; // files that this program has not written may be overwritten
    bool trace = false; // for explain, which needs the story by variant: not on the command line
    struct QuietStepLimits {
        uint64_t search; // of one path between two stable states, in VM steps
        uint64_t replay; // of a test, in calls
    };
    std::optional<QuietStepLimits> quiet_step_limits; // of models that go on for ever without a wait; none: the usual
    std::string live_label;                           // before the live line

    bool is_bounded() const { return depth < no_bound; }
    Search order() const { return search.value_or(is_bounded() ? Search::bfs : Search::mixed); }
    uint64_t steps_worth() const { return effort.value_or(is_bounded() ? 0 : usual_effort); } // 0: any number
};

} // namespace espalier
