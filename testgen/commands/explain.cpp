// `espalier explain`: what became of one target, and why.
#include <algorithm>
#include <cstdio>

#include "testgen/commands/complain.hpp"
#include "testgen/commands/declarations.hpp"
#include "testgen/commands/model_file.hpp"
#include "testgen/commands/shared_options.hpp"
#include "testgen/explain/explanation.hpp"
#include "testgen/generate/generation.hpp"
#include "testgen/replay/match_outputs.hpp"
#include "testgen/testgen.hpp"
#include "testgen/text/escapes.hpp"

namespace espalier {

namespace {

constexpr size_t most_places = 40, most_others = 3;

class Teller {
public:
    Teller(const Model& model, const GenerateOptions& options, const Generation& result, TargetId target)
        : model_(model), options_(options), result_(result), target_(target) {}

    void tell() const {
        const Target& t = model_.program->targets[index(target_)];
        std::printf("%s at %s is ", printable(target_id(t)).c_str(), model_.sources.place(t.span).c_str());
        const TargetResult& r = result_.suite.targets[index(target_)];
        switch (r.status) {
        case TargetStatus::covered: covered(result_.suite.tests[*r.test]); return;
        case TargetStatus::infeasible: std::visit([this](const auto& by) { infeasible(by); }, r.proof.value()); return;
        case TargetStatus::unreached: unreached(); return;
        }
    }

private:
    void covered(const SuiteTest& test) const {
        std::printf("covered, by the test %s:\n", printable(test.id).c_str());
        const OutputMatcher names(*model_.program, test);
        for (const SuiteEvent& e : test.events) std::printf("  %s\n", printable(names.expected_text(e)).c_str());
        if (!test.error.empty()) std::printf("  error %s\n", printable(test.error).c_str());
    }

    Explanation explanation() const {
        return Explainer(*model_.program, model_.sources, *result_.flow, result_.found, options_.schedules)
            .explain_fully(target_);
    }

    // One for each prover.
    void infeasible(const proof::Flow&) const {
        std::printf("infeasible: %s\n", printable(to_text(explanation(), model_.sources)).c_str());
    }
    void infeasible(const proof::Exhausted&) const {
        std::printf("infeasible: every run that could lead there was looked at\n");
        const Explanation e = explanation();
        way(e);
        obstacles(e);
    }

    void unreached() const {
        std::printf("unreached, %s\n", how_far().c_str());
        if (!result_.flow)
            return tell("the " + to_text(result_.found.ended_by) + " came before the model was analysed");
        const Explanation e = explanation();
        way(e);
        obstacles(e);
        for (const LeftOut& what : e.left_out)
            if (!is_told(e, what)) tell("but " + to_text(what, model_.sources, options_.depth));
        if (e.left_out.empty()) tell("but nothing that the search left out leads there");
        hint(e);
    }

    // An effort that was not spent kept nothing from being found.
    std::string how_far() const {
        if (options_.is_bounded()) return "with depth " + depth_text(options_.depth);
        if (result_.found.ended_by != EndedBy::effort) return "without a bound";
        return "with an effort of " + std::to_string(options_.steps_worth());
    }

    // Is it the obstacle itself?
    static bool is_told(const Explanation& e, const LeftOut& what) {
        if (what.kind == LeftOut::Kind::bound) return e.kind == Explanation::Kind::wait && e.bounded > 0;
        if (what.kind == LeftOut::Kind::undecided) return e.kind == Explanation::Kind::undecided && e.at == what.at;
        return what.at.known() && std::any_of(e.path_ends.begin(), e.path_ends.end(),
                                              [&](const PathEnd& end) { return end.at == what.at; });
    }

    void tell(const std::string& text) const { std::printf("  %s\n", printable(text).c_str()); }

    void obstacles(const Explanation& e) const {
        tell(to_text(e, model_.sources));
        if (!result_.found.complete) return; // then there is more that did not happen
        for (size_t i = 0; i < e.others.size() && i < most_others; ++i)
            tell("also " + to_text(e.others[i], model_.sources));
        if (e.others.size() > most_others)
            tell("also " + std::to_string(e.others.size() - most_others) + " more conditions");
    }

    // What was taken of it first, then what was not.
    void way(const Explanation& e) const {
        std::printf("  the shortest way that the analysis believes in leaves %u stable state%s:\n", e.stable_states,
                    e.stable_states == 1 ? "" : "s");
        const size_t from = e.way.size() > most_places && e.taken > most_places / 2 ? e.taken - most_places / 2 : 0;
        const size_t to = std::min(e.way.size(), from + most_places);
        if (from > 0) std::printf("    … %zu steps\n", from);
        size_t width = 0;
        for (size_t i = from; i < to; ++i) width = std::max(width, model_.sources.place(e.way[i].at).size());
        for (size_t i = from; i < to; ++i) {
            const WayStep& s = e.way[i];
            const std::string stable = s.stable > 0 ? "stable state " + std::to_string(s.stable) + ": " : "";
            std::printf("    %s %-*s  %s%s\n", i < e.taken ? "taken " : "missed", static_cast<int>(width),
                        model_.sources.place(s.at).c_str(), stable.c_str(), printable(to_text(s)).c_str());
        }
        if (to < e.way.size()) std::printf("    … %zu steps\n", e.way.size() - to);
        if (!e.whole) std::printf("    … and so on\n");
    }

    void hint(const Explanation& e) const {
        const auto has = [&](LeftOut::Kind kind) {
            return std::any_of(e.left_out.begin(), e.left_out.end(),
                               [&](const LeftOut& what) { return what.kind == kind; });
        };
        if (!result_.found.complete)
            std::printf("hint: %s\n", hint_of_limit(result_.found, options_).c_str());
        else if (has(LeftOut::Kind::bound))
            std::printf("hint: try --depth auto\n");
        else if (has(LeftOut::Kind::schedules))
            std::printf("hint: try --schedules all\n");
    }

    const Model& model_;
    const GenerateOptions& options_;
    const Generation& result_;
    TargetId target_;
};

int explain_within(const ExplainOptions& options, Limits& limits, std::optional<StopSignals>& signals) {
    auto model = load_or_report(options.search.model, true, &limits);
    if (!model) return exit_usage;
    limits.heed(signals.emplace());
    GenerateOptions search = options.search;
    // The explanation needs the analysis, and a search that went as far as the bound allows. Without a bound, states
    // are cut only where no target lies ahead at all, and the search is the same as that of `generate`.
    if (search.is_bounded()) search.cut = Cutting::flow;
    search.trace = true;
    const auto kind = target_kind(options.target);
    Criteria asked;
    if (kind && parse_criteria(search.cover, asked).empty() && !asked.has(*kind))
        search.cover += "," + std::string(criterion_name(*kind));
    const auto result = generate(*model, search, limits);
    if (!result) return complain("explain", result.problem());
    const auto target = find_target(*model->program, options.target);
    if (!target) return complain("explain", target.problem());
    Teller(*model, search, *result, *target).tell();
    if (limits.signal() != 0) return 128 + limits.signal();
    if (!result->found.internal_error) return exit_done;
    std::fflush(stdout); // before what goes to standard error, also in a log
    std::fprintf(stderr, "espalier: internal error: %s\n", printable(*result->found.internal_error).c_str());
    return exit_internal;
}

} // namespace

int explain_command(const ExplainOptions& options) {
    std::optional<StopSignals> signals;
    Limits limits(nullptr, options.search.time_limit, options.search.memory_limit);
    return unless_stopped("explain", limits, [&] { return explain_within(options, limits, signals); });
}

Action declare_explain(Arguments& arguments) {
    const auto options = std::make_shared<ExplainOptions>();
    arguments.word("MODEL", options->search.model, "The model's file");
    arguments.word("TARGET", options->target, "Named as in the suite: branch:f#1:then, state:m/idle, …");
    add_search_options(arguments, options->search);
    return [options] { return explain_command(*options); };
}

} // namespace espalier
