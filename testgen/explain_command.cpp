// `espalier explain`: what became of one target, and why.
#include <cstdio>

#include "testgen/explanation.hpp"
#include "testgen/generation.hpp"
#include "testgen/match_outputs.hpp"
#include "testgen/model_file.hpp"

namespace espalier {

namespace {

constexpr size_t most_places = 40;

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
        case TargetStatus::infeasible: infeasible(); return;
        case TargetStatus::unreached: unreached(); return;
        }
    }

private:
    void covered(const SuiteTest& test) const {
        std::printf("covered, by the test %s:\n", test.id.c_str());
        const OutputMatcher names(*model_.program, test);
        for (const SuiteEvent& e : test.events) std::printf("  %s\n", printable(names.expected_text(e)).c_str());
        if (!test.error.empty()) std::printf("  error %s\n", printable(test.error).c_str());
    }

    void infeasible() const {
        const Explainer explainer(*model_.program, *result_.flow, result_.found.story);
        const Explanation e = explainer.explain(target_);
        const char* by = e.kind == Explanation::Kind::dead ? "" : "every run was looked at, and ";
        std::printf("infeasible: %s%s\n", by, printable(to_text(e, model_.sources)).c_str());
    }

    void unreached() const {
        const Explainer explainer(*model_.program, *result_.flow, result_.found.story);
        const Explanation e = explainer.explain(target_);
        std::printf("unreached, with depth %u%s\n", options_.depth,
                    result_.found.complete ? ""
                                           : (", and the search was ended by the " + result_.found.ended_by).c_str());
        std::printf("  the shortest way that the analysis believes in leaves %u stable state%s:\n", e.stable_states,
                    e.stable_states == 1 ? "" : "s");
        const size_t from = e.way.size() > most_places && e.gone > most_places / 2 ? e.gone - most_places / 2 : 0;
        if (from > 0) std::printf("    … %zu places\n", from);
        for (size_t i = from; i < e.way.size() && i < from + most_places; ++i)
            std::printf("    %s %s  %s\n", i < e.gone ? "reached " : "missed  ", model_.sources.place(e.way[i]).c_str(),
                        line_at(e.way[i]).c_str());
        if (e.way.size() > from + most_places) std::printf("    … %zu places\n", e.way.size() - from - most_places);
        std::printf("  %s\n", printable(to_text(e, model_.sources)).c_str());
        if (e.bounded > 0) std::printf("hint: try --depth %u\n", options_.depth + 1);
    }

    std::string line_at(Span span) const {
        std::string text{model_.sources.text(span)};
        const size_t end = text.find('\n');
        if (end != std::string::npos) text = text.substr(0, end) + " …";
        constexpr size_t longest = 70;
        if (text.size() > longest) text = text.substr(0, longest) + "…";
        return printable(text);
    }

    const Model& model_;
    const GenerateOptions& options_;
    const Generation& result_;
    TargetId target_;
};

} // namespace

int explain_command(const ExplainOptions& options) {
    auto model = load_or_report(options.search.model, true);
    if (!model) return exit_usage;
    GenerateOptions search = options.search;
    search.cut = "flow"; // the explanation needs the analysis
    const auto kind = target_kind(options.target);
    if (kind && search.cover.find(criterion_name(*kind)) == std::string::npos)
        search.cover += "," + std::string(criterion_name(*kind));
    std::string problem;
    const StopSignals signals;
    const auto result = generate(*model, search, signals, problem);
    if (!result) {
        std::fprintf(stderr, "espalier explain: %s\n", problem.c_str());
        return exit_usage;
    }
    const TargetSelection named = select_targets(*model->program, {options.target}, "");
    if (!named.problem.empty()) {
        std::fprintf(stderr, "espalier explain: %s\n", named.problem.substr(named.problem.find(' ') + 1).c_str());
        return exit_usage;
    }
    for (uint32_t i = 0; i < named.wanted.size(); ++i)
        if (named.wanted[i]) Teller(*model, search, *result, TargetId{i}).tell();
    return signals.received() != 0 ? 128 + signals.received() : exit_done;
}

} // namespace espalier
