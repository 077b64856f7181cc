// The summary at the end of `generate`: tests, coverage by criterion, what is left and why, and a hint where one helps.
#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "testgen/explain/explanation.hpp"
#include "testgen/generate/generation.hpp"
#include "testgen/replay/replay_report.hpp"
#include "testgen/text/escapes.hpp"

namespace espalier {

namespace {

constexpr size_t most_listed = 30, most_places = 2;

std::string plural(size_t n, const std::string& what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

class Summary {
public:
    Summary(const Model& model, const GenerateOptions& options, const Generation& result)
        : model_(model), program_(*model.program), options_(options), result_(result) {}

    std::string write(const std::string& file) {
        head(file);
        coverage();
        list(TargetStatus::infeasible);
        list(TargetStatus::unreached);
        ends();
        errors();
        untried();
        hint();
        return std::move(out_);
    }

private:
    void line(const std::string& text) { out_ += text + "\n"; }

    void head(const std::string& file) {
        std::array<char, 32> time{};
        std::snprintf(time.data(), time.size(), "%.2f s", result_.seconds);
        std::string text = printable(file) + ": " + plural(result_.suite.tests.size(), "test") + " in " + time.data();
        if (!result_.found.complete) {
            text += ", incomplete: ended by the " + to_text(result_.found.ended_by);
            if (result_.found.given_up > 0)
                text += " with " + plural(result_.found.given_up, "state") + " not explored";
        }
        line(text);
        if (result_.found.internal_error)
            line("  internal error: " + printable(*result_.found.internal_error) +
                 "; this is a bug of espalier: please report it");
        if (const size_t n = result_.suite.left_out; n > 0)
            line("  left out: " + plural(n, "test") + " that the search found and there was no time left to replay");
    }

    void coverage() {
        std::vector<bool> covered;
        for (const TargetResult& r : result_.suite.targets) covered.push_back(r.status == TargetStatus::covered);
        const bool some = !options_.targets.empty();
        if (some) line("  of " + plural(asked(), "target") + " asked for:");
        out_ += coverage_text(program_, covered, some ? result_.selection.wanted : std::vector<bool>{});
        if (covered.empty()) line("  the model has no target for these criteria");
        if (const size_t n = result_.waived(); n > 0) line("  " + plural(n, "target") + " waived");
    }

    size_t asked() const {
        const std::vector<bool>& wanted = result_.selection.wanted;
        return static_cast<size_t>(std::count(wanted.begin(), wanted.end(), true));
    }

    void list(TargetStatus status) {
        const std::string word(word_of(status));
        size_t listed = 0, more = 0;
        for (uint32_t i = 0; i < program_.targets.size(); ++i) {
            if (result_.suite.targets[i].status != status || result_.selection.waived[i]) continue;
            if (!options_.targets.empty() && !result_.selection.wanted[i]) continue; // not asked for
            if (listed == most_listed) {
                ++more;
                continue;
            }
            ++listed;
            line("  " + word + ": " + printable(target_id(program_.targets[i])) + " at " +
                 model_.sources.place(program_.targets[i].span));
            if (result_.flow) {
                if (!explainer_)
                    explainer_.emplace(program_, model_.sources, *result_.flow, result_.found, options_.schedules);
                line("    " + printable(reason(result_.suite.targets[i], explainer_->explain(TargetId{i}))));
            }
        }
        if (more > 0) line("  " + word + ": " + std::to_string(more) + " more; --stats lists all");
    }

    // Why the target is not covered. What the analysis has proved has no way, and so nothing stands in it.
    std::string reason(const TargetResult& target, const Explanation& e) const {
        if (!target.proof) return obstacle(e);
        return std::visit(Overloaded{[&](const proof::Flow&) { return to_text(e, model_.sources); },
                                     [&](const proof::Exhausted&) { return obstacle(e); }},
                          *target.proof);
    }
    std::string obstacle(const Explanation& e) const {
        const bool is_found = e.kind == Explanation::Kind::left_out; // then nothing stands in the way
        const std::string inputs = is_found ? "" : inputs_text(e);
        return (inputs.empty() ? "" : "on the way " + inputs + ": ") + to_text(e, model_.sources);
    }

    // Why paths ended short of their bound.
    void ends() {
        const auto times = [](uint64_t n) { return std::to_string(n) + (n == 1 ? " time" : " times"); };
        for (const auto& [why, n] : result_.found.unsupported)
            line("  not followed, " + times(n) + ": " + printable(why));
        const Statistics& s = result_.found.statistics;
        if (s.sat_unknown > 0) line("  the solver gave up " + times(s.sat_unknown));
        if (s.ended_by_steps > 0) line("  a path that reaches no stable state was given up " + times(s.ended_by_steps));
        if (s.delays_left_out > 0)
            line("  symbolic delays of which only the least and the greatest were tried: " +
                 std::to_string(s.delays_left_out));
    }

    void errors() {
        for (const FoundError& e : result_.found.errors) {
            line("  model error at " + model_.sources.place(e.span) + ": " + printable(e.text));
            for (const SuiteTest& t : result_.suite.tests)
                if (t.error == e.text && t.error_at == e.span) {
                    line("    shown by the test " + t.id);
                    break;
                }
        }
    }

    // Errors are found on the way to targets. Where no target lies ahead, nothing is followed, and nothing is known.
    void untried() {
        if (!options_.targets.empty()) return; // some targets were asked for, and nothing else
        const std::vector<Span> places = untried_places(program_, result_.found);
        if (places.empty()) return;
        std::string text = "  not looked for: model errors where no target lies ahead, at " +
                           plural(places.size(), "place") + " that may fail: ";
        for (size_t i = 0; i < std::min(places.size(), most_places); ++i)
            text += (i == 0 ? "" : ", ") + quoted(model_.sources, places[i]) + " at " + model_.sources.place(places[i]);
        line(printable(text + (places.size() > most_places ? ", …" : "")));
    }

    void hint() {
        size_t unreached = 0, behind_the_bound = 0;
        const auto hidden = [&](Dropped why, uint32_t target) {
            const std::vector<bool>& all = result_.found.story.hidden[static_cast<size_t>(why)];
            return all.empty() || all[target];
        };
        for (uint32_t i = 0; i < program_.targets.size(); ++i) {
            if (result_.suite.targets[i].status != TargetStatus::unreached || !result_.selection.wanted[i]) continue;
            ++unreached;
            if (hidden(Dropped::bound, i) || hidden(Dropped::cut, i)) ++behind_the_bound;
        }
        if (unreached == 0) return;
        const Exploration& found = result_.found;
        if (!found.complete)
            line("hint: " + hint_of_limit(found, options_));
        else if (behind_the_bound > 0 && found.story.count(Dropped::bound) + found.story.count(Dropped::cut) > 0)
            line("hint: the bound ended paths that may lead to " +
                 (behind_the_bound == unreached ? "what is unreached" : plural(behind_the_bound, "unreached target")) +
                 "; --depth auto has no bound");
        else if (found.concurrent && options_.schedules == Schedules::first)
            line("hint: other orders of the threads may reach more: --schedules all");
        else
            line("hint: no effort finds more: what is unreached lies behind paths that were not followed, as said "
                 "above");
    }

    const Model& model_;
    const Program& program_;
    const GenerateOptions& options_;
    const Generation& result_;
    std::optional<Explainer> explainer_; // made when the first reason is asked for
    std::string out_;
};

} // namespace

std::string hint_of_limit(const Exploration& found, const GenerateOptions& options) {
    const std::string what = found.ended_by == EndedBy::effort
                                 ? "more effort: --effort " + std::to_string(2 * options.steps_worth())
                                 : "a higher limit";
    const std::string where = found.nearest && *found.nearest > 0
                                  ? "; no state that waits is nearer than " + plural(*found.nearest, "stable state") +
                                        " to an unreached target"
                                  : "";
    return "more may be found with " + what + where;
}

std::string summary(const Model& model, const GenerateOptions& options, const Generation& result,
                    const std::string& file) {
    return Summary(model, options, result).write(file);
}

} // namespace espalier
