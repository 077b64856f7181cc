#include "testgen/commands/shared_options.hpp"

#include "testgen/export/exporter.hpp"
#include "testgen/testgen.hpp"

namespace espalier {

void add_force(Arguments& arguments, bool& force) {
    arguments.flag("--force", force, "Overwrite files even if espalier has not written them");
}

void add_limits(Arguments& arguments, CommandLimits& limits, const std::string& end) {
    arguments.seconds("--time-limit", limits.time, "Seconds after which " + end);
    arguments.bytes("--memory-limit", limits.memory, "Bytes (or as 500M, 2G) of memory past which " + end);
}

void add_call_limit(Arguments& arguments, uint64_t& calls, const std::string& end) {
    arguments.number("--step-limit", calls, {1}, "Calls after which " + end);
}

void add_format_options(Arguments& arguments, std::string& format, std::string& template_file) {
    std::string names;
    for (const std::string& name : exporter_names()) names += (names.empty() ? "" : ", ") + name;
    const Option named =
        arguments.word_of_list("--format", "NAME", format, exporter_names(), "What to write: " + names);
    arguments
        .text("--template", "FILE", template_file, "Write what this template makes of the suite: see docs/formats.md")
        .excludes(named);
}

OrderOptions add_order_options(Arguments& arguments, GenerateOptions& search) {
    arguments
        .text("--cover", "LIST", search.cover,
              "What the suite must reach: a list of checkpoints, requirements, procedures, branches, states, "
              "transitions, conditions, mcdc, boundaries, errors; or all")
        .shows_default();
    const Option order = arguments.choice(
        "--search", "ORDER", search.search,
        "Order of the search: dfs (depth first), bfs (breadth first), random, distance (the nearest to a target "
        "first), or mixed (several orders take turns, by what each has found of late). By default mixed with --depth "
        "auto, and bfs with --depth N");
    const Option seed = arguments.number("--seed", search.seed, {0},
                                         "Of the orders random, distance and mixed: another number, another order");
    seed.shows_default();
    const Option time =
        arguments.seconds("--time-limit", search.time_limit, "Seconds after which the search ends, with what it found");
    const Option steps = arguments.number("--step-limit", search.step_limit, {1},
                                          "VM steps after which the search ends, with what it found");
    const Option memory =
        arguments.bytes("--memory-limit", search.memory_limit,
                        "Bytes (or as 500M, 2G) of memory past which the search ends, with what it found");
    return {order, seed, time, steps, memory};
}

void add_search_options(Arguments& arguments, GenerateOptions& search) {
    arguments.number_or_word(
        "--depth", search.depth, {1, 1'000'000}, "auto", no_bound,
        "auto: the search goes on until nothing is left or the effort is spent. N: a path ends at its Nth stable state "
        "after its last new target");
    arguments.number("--effort", search.effort, {1},
                     "What the search may take, in VM steps; by default " +
                         std::to_string(GenerateOptions::usual_effort) +
                         " with --depth auto, about ten seconds, and any number with --depth N");
    add_order_options(arguments, search);
    arguments.check([&search] {
        return search.is_bounded() && search.search == Search::mixed
                   ? "--search mixed: the orders are mixed only where there is no bound, with --depth auto"
                   : "";
    });
    arguments.choice("--memo", "WHETHER", search.memo,
                     "Whether stable states are remembered (on), so that one like another that was explored before is "
                     "skipped; or not (off)");
    arguments.choice("--interpolants", "WHETHER", search.interpolants,
                     "Whether the search learns why nothing came of a stable state, and skips others for which that "
                     "holds, too (on); or not (off)");
    arguments.choice(
        "--confirm", "WHETHER", search.confirm,
        "With --interpolants on, in orders other than dfs: whether what comes of a state is explored aside, "
        "within limits, to learn from it (on); or not (off)");
    arguments.choice(
        "--schedules", "WHICH", search.schedules,
        "Of several threads that can go on, the lowest goes first (first); or every order is explored (all)");
    arguments
        .text("--solver-chain", "LIST", search.solver_chain,
              "Who answers questions about paths: a list of models, intervals, independence, cache, enumeration "
              "and z3; `z3` "
              "is the last step alone, `all` is every step")
        .shows_default();
}

} // namespace espalier
