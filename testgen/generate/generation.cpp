#include "testgen/generate/generation.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <stdexcept>

#include "testgen/explain/left_out.hpp"
#include "testgen/generate/found_replays.hpp"
#include "testgen/generate/proofs.hpp"
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

// Errors that kept tests show. The search has less to look for then, and may not have found them.
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

Result<SolverChain> chain_of(const GenerateOptions& options) {
    try {
        return parse_solver_chain(options.solver_chain);
    } catch (const std::invalid_argument& e) {
        return Problem{e.what()};
    }
}

// One generation, from the options to the suite. Each step below does one thing, and `run` is their order.
class Generator {
public:
    Generator(Model& model, const GenerateOptions& options, Limits& limits)
        : model_(model), options_(options), limits_(limits) {}

    Result<Generation> run() {
        if (auto problem = choose_targets()) return *problem;
        if (auto problem = set_up_search()) return *problem;
        analyse_model();
        sought_ = result_.selection.wanted;
        // When only what no run can reach is left, the search is over. A search that is not told what is covered cannot
        // know that.
        if (options_.cut_parts == CutParts::all && !options_.no_target_info)
            for (const TargetId id : unreachable_) sought_[index(id)] = false;
        request_ = {options_.depth, options_.seed, result_.selection.wanted, {}};
        if (auto problem = take_kept_tests()) return *problem;
        Replayer replayer(*model_.program,
                          options_.quiet_step_limits ? options_.quiet_step_limits->replay : replay_step_limit,
                          &limits_);
        request_.stop = [this] { return limits_.is_all_over(); };
        FoundReplays replays(*model_.program, replayer, request_);
        explore_with(replays);
        make_suite_with(replays);
        prove();
        finish_timeline();
        return std::move(result_);
    }

private:
    double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    bool needs_flow() const { return options_.cut != Cutting::off || options_.order() == Search::distance; }
    bool cuts_with_flow() const { return options_.cut != Cutting::off && result_.flow; }

    std::optional<Problem> choose_targets() {
        if (const std::string wrong = parse_criteria(options_.cover, result_.criteria); !wrong.empty())
            return Problem{"--cover: " + wrong};
        model_.program = instrument(*model_.program, result_.criteria);
        auto selection = select_targets(*model_.program, options_.targets, options_.waive);
        if (!selection) return selection.problem();
        result_.selection = std::move(*selection);
        return std::nullopt;
    }

    std::optional<Problem> set_up_search() {
        search_.depth = options_.depth;
        search_.search = options_.order();
        search_.effort = options_.steps_worth();
        search_.seed = options_.seed;
        search_.schedules = options_.schedules;
        search_.step_limit = options_.step_limit;
        search_.memory_limit = options_.memory_limit;
        if (options_.quiet_step_limits) search_.quiet_step_limit = options_.quiet_step_limits->search;
        search_.memo = options_.memo;
        search_.interpolants = options_.interpolants;
        search_.confirm = options_.confirm;
        auto chain = chain_of(options_);
        if (!chain) return chain.problem();
        search_.chain = *chain;
        search_.all_targets = false;
        search_.sure_errors = options_.targets.empty();
        search_.stop = [this] { return limits_.is_over(); };
        search_.enough = [this] { return limits_.is_search_over(); };
        search_.interrupt = &limits_.search_over();
        return std::nullopt;
    }

    void analyse_model() {
        if (!needs_flow()) return;
        result_.flow = analyse_within(*model_.program, limits_);
        if (!result_.flow) { // there is nothing to search with
            search_.search = Search::dfs;
            search_.stop = [] { return true; };
            return;
        }
        search_.flow = &*result_.flow;
        search_.trace = options_.trace;
        if (!cuts_with_flow()) return;
        unreachable_ = result_.flow->unreachable_targets();
        search_.cut = oracle_of(options_.cut);
        search_.cut_parts = options_.cut_parts;
        search_.target_info = !options_.no_target_info;
        search_.bound_info = !options_.no_bound_info;
    }

    std::optional<Problem> take_kept_tests() {
        if (options_.keep.empty()) return std::nullopt;
        auto kept = keep_tests(options_.keep, model_, &limits_);
        if (!kept) return kept.problem();
        result_.kept = std::move(*kept);
        leave_out_kept(*result_.kept, request_);
        for (uint32_t i = 0; i < sought_.size(); ++i)
            if (is_kept(TargetId{i})) {
                result_.timeline.push_back({elapsed(), 0, TargetId{i}});
                search_.had.push_back(TargetId{i});
            }
        return std::nullopt;
    }

    // Does a kept test cover it? The search looks for it all the same: so it goes the same way as without kept tests,
    // and finds at least what it would find then.
    bool is_kept(TargetId id) const { return result_.selection.wanted[index(id)] && !request_.wanted[index(id)]; }

    void explore_with(FoundReplays& replays) {
        const Program& program = *model_.program;
        for (uint32_t i = 0; i < sought_.size(); ++i)
            if (sought_[i]) search_.targets.push_back(TargetId{i});
        search_.found = [&](const Exploration& found) {
            replays.follow(found);
            limits_.keep_back(replays.left(found));
        };
        search_.needed = [&](const Exploration& found) {
            limits_.begin_suite();
            return replays.needed(found);
        };
        search_.improved = [&](const FoundTest& test) { replays.improve(test); };
        LiveLine line(!options_.quiet, search_.targets.size(), options_.live_label);
        search_.progress = [&](const Progress& p) { line.show(p); };
        search_.covered = [&](TargetId t, uint64_t steps) {
            if (!is_kept(t)) result_.timeline.push_back({elapsed(), steps, t});
        };
        result_.found = explore(program, search_);
        if (result_.found.ended_by == EndedBy::stopped) result_.found.ended_by = limits_.reason();
    }

    void make_suite_with(FoundReplays& replays) {
        result_.suite = make_suite(model_, replays, result_.found, request_);
        if (result_.kept) {
            put_first(*result_.kept, result_.suite);
            report_shown(request_.errors, result_.found);
        }
        const bool has_unfinished = result_.kept && !result_.kept->unfinished.empty();
        if (has_unfinished) result_.suite.complete = false;
        if (result_.suite.left_out == 0 && result_.suite.cut_short == 0 && !has_unfinished) return;
        if (result_.found.complete) result_.found.ended_by = limits_.reason();
        result_.found.complete = false;
        std::erase_if(result_.timeline, [&](const TimelineRow& row) {
            return result_.suite.targets[index(row.target)].status != TargetStatus::covered;
        });
    }

    void prove() {
        prove_by_flow(*model_.program, unreachable_, result_.suite);
        const LeftOuts left_out(*model_.program, cuts_with_flow() ? &*result_.flow : nullptr, result_.found,
                                search_.schedules);
        prove_by_exhaustion(left_out, result_.found, sought_, result_.suite);
    }

    // What tests cover beyond what they were made for, such as an edge that a value happens to be at.
    void finish_timeline() {
        std::vector<bool> known(model_.program->targets.size(), false);
        for (const TimelineRow& row : result_.timeline) known[index(row.target)] = true;
        result_.seconds = elapsed();
        for (uint32_t i = 0; i < known.size(); ++i)
            if (!known[i] && result_.suite.targets[i].status == TargetStatus::covered)
                result_.timeline.push_back({result_.seconds, result_.found.statistics.vm_steps, TargetId{i}});
    }

    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    Model& model_;
    const GenerateOptions& options_;
    Limits& limits_;
    Generation result_;
    ExploreOptions search_;
    SuiteRequest request_;
    std::vector<TargetId> unreachable_; // as far as the analysis knows
    std::vector<bool> sought_;          // by TargetId: what the search looks for
};

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
    return Generator(model, options, limits).run();
}

} // namespace espalier
