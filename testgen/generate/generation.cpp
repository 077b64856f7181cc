#include "testgen/generate/generation.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <stdexcept>

#include "testgen/explain/left_out.hpp"
#include "testgen/generate/needed_tests.hpp"
#include "testgen/generate/suite_maker.hpp"
#include "testgen/replay/replay.hpp"
#include "testgen/terminal/live_line.hpp"

namespace espalier {

namespace {

Cut oracle_of(Cutting cutting) {
    switch (cutting) {
    case Cutting::off:
    case Cutting::flow: break;
    case Cutting::v1: return Cut::v1;
    case Cutting::v2: return Cut::v2;
    case Cutting::v3: return Cut::v3;
    }
    return Cut::off;
}

// Errors that kept tests show, and that the search, which has less to look for, may not have come to.
void report_shown(const std::vector<std::pair<std::string, Span>>& errors, Exploration& found) {
    for (const auto& shown : errors) {
        const bool known = std::any_of(found.errors.begin(), found.errors.end(), [&](const FoundError& e) {
            return e.text == shown.first && e.span == shown.second;
        });
        if (!known) found.errors.push_back({shown.first, shown.second, no_label, {}, {}});
    }
}

// Where memory runs out in the middle of it, there is none: the limits have been told.
std::optional<Flow> analyse_within(const Program& program, const Limits& limits) {
    try {
        return analyse(program, {}, [&] { return limits.is_over(); });
    } catch (const std::bad_alloc&) {
        return std::nullopt;
    }
}

} // namespace

size_t Generation::count(TargetStatus status) const {
    return static_cast<size_t>(std::count_if(suite.targets.begin(), suite.targets.end(),
                                             [&](const TargetResult& r) { return r.status == status; }));
}

size_t Generation::waived() const {
    return static_cast<size_t>(std::count(selection.waived.begin(), selection.waived.end(), true));
}

double Generation::coverage() const {
    size_t all = 0, covered = 0;
    for (size_t i = 0; i < suite.targets.size(); ++i) {
        if (!selection.wanted[i]) continue;
        ++all;
        if (suite.targets[i].status == TargetStatus::covered) ++covered;
    }
    return all == 0 ? 100 : 100 * static_cast<double>(covered) / static_cast<double>(all);
}

Result<Generation> generate(Model& model, const GenerateOptions& options, const StopSignals& signals) {
    Limits limits(&signals, options.time_limit, options.memory_limit);
    return generate(model, options, limits);
}

Result<Generation> generate(Model& model, const GenerateOptions& options, Limits& limits) {
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    Generation result;
    if (const std::string wrong = parse_criteria(options.cover, result.criteria); !wrong.empty())
        return Problem{"--cover: " + wrong};
    model.program = instrument(*model.program, result.criteria);
    const Program& program = *model.program;
    auto selection = select_targets(program, options.targets, options.waive);
    if (!selection) return selection.problem();
    result.selection = std::move(*selection);

    ExploreOptions search;
    search.depth = options.depth;
    search.search = options.search;
    search.seed = options.seed;
    search.schedules = options.schedules;
    search.step_limit = options.step_limit;
    search.memory_limit = options.memory_limit;
    if (options.quiet_step_limits) search.quiet_step_limit = options.quiet_step_limits->search;
    search.memo = options.memo;
    try {
        search.chain = parse_solver_chain(options.solver_chain);
    } catch (const std::invalid_argument& e) {
        return Problem{e.what()};
    }
    search.all_targets = false;
    search.sure_errors = options.targets.empty();
    std::vector<TargetId> unreachable;
    search.stop = [&] { return limits.is_over(); };
    search.interrupt = &limits.over();
    if (options.cut != Cutting::off || search.search == Search::distance) result.flow = analyse_within(program, limits);
    if (result.flow) {
        search.flow = &*result.flow;
        search.trace = options.trace;
    } else if (options.cut != Cutting::off || search.search == Search::distance) { // there is nothing to search with
        search.search = Search::dfs;
        search.stop = [] { return true; };
    }
    if (options.cut != Cutting::off && result.flow) {
        unreachable = result.flow->unreachable_targets();
        search.cut = oracle_of(options.cut);
        search.cut_parts = options.cut_parts;
        search.target_info = !options.no_target_info;
        search.bound_info = !options.no_bound_info;
    }
    std::vector<bool> sought = result.selection.wanted;
    // When only what no run can reach is left, the search is over; who knows nothing of what is covered cannot tell.
    if (options.cut_parts == CutParts::all && !options.no_target_info)
        for (TargetId id : unreachable) sought[index(id)] = false;
    SuiteRequest request{options.depth, options.seed, result.selection.wanted, {}};
    if (!options.keep.empty()) {
        auto kept = keep_tests(options.keep, model, &limits);
        if (!kept) return kept.problem();
        result.kept = std::move(*kept);
        leave_out_kept(*result.kept, request, sought);
        for (uint32_t i = 0; i < sought.size(); ++i)
            if (result.selection.wanted[i] && !request.wanted[i])
                result.timeline.push_back({elapsed(), 0, TargetId{i}});
    }
    for (uint32_t i = 0; i < sought.size(); ++i)
        if (sought[i]) search.targets.push_back(TargetId{i});

    Replayer replayer(program, options.quiet_step_limits ? options.quiet_step_limits->replay : replay_step_limit,
                      &limits);
    request.stop = [&] { return limits.is_all_over(); };
    search.needed = [&](const Exploration& found) { return needed_tests(program, replayer, found, request); };
    {
        LiveLine line(!options.quiet, search.targets.size(), options.live_label);
        search.progress = [&](const Progress& p) { line.show(p); };
        search.covered = [&](TargetId t, uint64_t steps) { result.timeline.push_back({elapsed(), steps, t}); };
        result.found = explore(program, search);
    }
    if (result.found.ended_by == EndedBy::stopped) result.found.ended_by = limits.reason();
    result.suite = make_suite(model, replayer, result.found, request);
    if (result.kept) {
        put_first(*result.kept, result.suite);
        report_shown(request.errors, result.found);
    }
    const bool has_unfinished = result.kept && !result.kept->unfinished.empty();
    if (has_unfinished) result.suite.complete = false;
    if (result.suite.left_out > 0 || result.suite.cut_short > 0 || has_unfinished) {
        if (result.found.complete) result.found.ended_by = limits.reason();
        result.found.complete = false;
        std::erase_if(result.timeline, [&](const TimelineRow& row) {
            return result.suite.targets[index(row.target)].status != TargetStatus::covered;
        });
    }
    mark_infeasible(program, unreachable, result.suite);
    const LeftOuts left_out(program, options.cut != Cutting::off && result.flow ? &*result.flow : nullptr, result.found,
                            search.schedules);
    for (uint32_t i = 0; i < sought.size(); ++i)
        if (sought[i] && !result.found.covered[i] && result.suite.targets[i].status == TargetStatus::unreached &&
            left_out.saw_all(TargetId{i}))
            result.suite.targets[i].status = TargetStatus::infeasible;
    // What tests cover beyond what they were made for, such as an edge that a value happens to be at.
    std::vector<bool> known(program.targets.size(), false);
    for (const TimelineRow& row : result.timeline) known[index(row.target)] = true;
    result.seconds = elapsed();
    for (uint32_t i = 0; i < known.size(); ++i)
        if (!known[i] && result.suite.targets[i].status == TargetStatus::covered)
            result.timeline.push_back({result.seconds, result.found.statistics.vm_steps, TargetId{i}});
    return result;
}

} // namespace espalier
