// What `--stats` and `--timeline` write: a contract with scripts.
#include <sys/resource.h>

#include <array>
#include <cstdio>
#include <optional>

#include "testgen/explain/explanation.hpp"
#include "testgen/explain/left_out.hpp"
#include "testgen/generate/generation.hpp"
#include "testgen/text/escapes.hpp"
#include "testgen/text/json.hpp"

namespace espalier {

namespace {

constexpr size_t most_steps = 200; // of a path
// Ways can be as long as the model, and as many as it has targets.
constexpr size_t most_steps_told = 1'000'000;

uint64_t peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

void search_members(JsonWriter& json, const Generation& r) {
    const Statistics& s = r.found.statistics;
    json.member("vm_steps", s.vm_steps);
    json.member("paths", s.paths);
    json.member("states_forked", s.states_forked);
    json.member("sat_queries", s.sat_queries);
    json.member("error_queries", s.error_queries);
    json.member("z3_queries", s.z3_queries);
    json.member("sat_unknown", s.sat_unknown);
    json.member("sat_seconds", s.sat_seconds);
    json.member("folded", s.folded);
    json.member("answered_by_model", s.answered_by_model);
    json.member("answered_by_intervals", s.answered_by_intervals);
    json.member("answered_by_equalities", s.answered_by_equalities);
    json.member("conditions_left_out", s.conditions_left_out);
    json.member("answered_by_cache", s.answered_by_cache);
    json.member("answered_by_cached_model", s.answered_by_cached_model);
    json.member("answered_by_core", s.answered_by_core);
    json.member("answered_by_enumeration", s.answered_by_enumeration);
    json.member("asked_again", s.asked_again);
    json.member("sp_queries", s.sp_queries);
    json.member("cuts", s.cuts);
    json.member("cut_percent",
                s.sp_queries == 0 ? 0.0 : 100.0 * static_cast<double>(s.cuts) / static_cast<double>(s.sp_queries));
    json.member("memo_hits", s.memo_hits);
    json.member("interpolants_full", s.interpolants_full);
    json.member("interpolants_half", s.interpolants_half);
    json.member("subsumed", s.subsumed);
    json.member("subsumed_percent", s.subsumption_questions == 0 ? 0.0
                                                                 : 100.0 * static_cast<double>(s.subsumed) /
                                                                       static_cast<double>(s.subsumption_questions));
    json.member("confirmations", s.confirmations);
    json.member("confirmations_failed", s.confirmations_failed);
    json.member("interpolation_seconds", s.interpolation_seconds);
    json.member("interpolant_bytes", uint64_t{s.interpolant_bytes});
    json.member("effort_spent", s.effort);
    json.member("stable_states", s.stable_states);
    json.member("states_unpacked", s.unpacked);
    json.member("ended_by_bound", s.ended_by_bound);
    json.member("ended_by_steps", s.ended_by_steps);
    json.member("infeasible_states", s.infeasible);
    json.member("assume_failed", s.assume_failed);
    json.member("peak_waiting", uint64_t{s.peak_waiting});
    json.member("flow_seconds", (r.flow ? r.flow->statistics().seconds : 0.0) + s.flow_seconds);
    json.member("pda_procedures", uint64_t{r.flow ? r.flow->statistics().procedures : 0});
    json.member("pda_nodes", uint64_t{r.flow ? r.flow->statistics().nodes : 0});
    json.member("tracking_seconds", s.tracking_seconds);
    json.member("oracle_seconds", s.oracle_seconds);
    json.member("total_seconds", r.seconds);
    json.member("peak_memory_bytes", peak_memory());
}

// Why a target is not covered, and by which way the analysis believes that it could be.
void explanation(JsonWriter& json, const Model& model, const GenerateOptions& options, const Explanation& e) {
    json.member("reason", std::string_view(to_text(e, model.sources)));
    if (e.kind == Explanation::Kind::dead) return;
    json.member("distance", uint64_t{e.stable_states});
    json.key("path");
    json.begin_list();
    for (size_t i = 0; i < e.way.size() && i < most_steps; ++i) {
        json.begin_object();
        json.member("at", std::string_view(model.sources.place(e.way[i].at)));
        json.member("step", to_text(e.way[i]));
        if (e.way[i].stable > 0) json.member("stable_state", uint64_t{e.way[i].stable});
        json.member("taken", i < e.taken);
        json.end_object();
    }
    json.end_list();
    if (!e.whole || e.way.size() > most_steps) json.member("path_continues", true);
    json.key("left_out");
    json.begin_list();
    for (const LeftOut& what : e.left_out) json.value(std::string_view(to_text(what, model.sources, options.depth)));
    json.end_list();
}

void details(JsonWriter& json, const Model& model, const GenerateOptions& options, const Generation& r) {
    const Program& program = *model.program;
    std::optional<Explainer> explainer; // made when the first reason is asked for
    size_t steps = 0;                   // of the ways that were told
    json.key("targets_detail");
    json.begin_list();
    for (uint32_t i = 0; i < program.targets.size(); ++i) {
        const TargetResult& t = r.suite.targets[i];
        json.begin_object();
        json.member("id", std::string_view(target_id(program.targets[i])));
        json.member("criterion", criterion_name(program.targets[i].kind));
        json.member("status", word_of(t.status));
        if (t.proof) json.member("proof", proof_word(*t.proof));
        if (t.test) json.member("test", std::string_view(r.suite.tests[*t.test].id));
        json.member("at", std::string_view(model.sources.place(program.targets[i].span)));
        if (r.selection.waived[i]) json.member("waived", true);
        if (t.status != TargetStatus::covered && r.flow && steps < most_steps_told) {
            if (!explainer) explainer.emplace(program, model.sources, *r.flow, r.found, options.schedules);
            const Explanation e = explainer->explain(TargetId{i});
            steps += e.way.size();
            explanation(json, model, options, e);
        }
        json.end_object();
    }
    json.end_list();
    json.key("errors_not_looked_for");
    json.begin_list();
    for (const Span& at : untried_places(program, r.found)) json.value(std::string_view(model.sources.place(at)));
    json.end_list();
    json.key("errors_detail");
    json.begin_list();
    for (const FoundError& e : r.found.errors) {
        json.begin_object();
        json.member("site", std::string_view(model.sources.place(e.span)));
        json.member("text", std::string_view(e.text));
        for (const SuiteTest& t : r.suite.tests)
            if (t.error == e.text && t.error_at == e.span) {
                json.member("test", std::string_view(t.id));
                break;
            }
        json.end_object();
    }
    json.end_list();
}

// As in RFC 4180, with what cannot be seen as in the suite: \x7;
std::string csv_field(const std::string& name) {
    std::string text = printable(name);
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

} // namespace

std::string statistics_json(const Model& model, const GenerateOptions& options, const Generation& r) {
    JsonWriter json;
    json.begin_object();
    json.member("model", std::string_view(r.suite.model));
    if (options.is_bounded())
        json.member("depth", uint64_t{options.depth});
    else
        json.member("depth", std::string_view(depth_text(options.depth)));
    if (options.steps_worth() > 0) json.member("effort", options.steps_worth());
    json.member("cover", std::string_view(to_text(r.criteria)));
    json.member("cut", word_of(options.cut));
    json.member("target_info", !options.no_target_info);
    json.member("bound_info", !options.no_bound_info);
    json.member("search", word_of(options.order()));
    json.member("memo", word_of(options.memo));
    json.member("interpolants", word_of(options.interpolants));
    json.member("confirm", word_of(options.confirm));
    json.member("seed", options.seed);
    json.member("complete", r.found.complete);
    if (!r.found.complete) json.member("ended_by", to_text(r.found.ended_by));
    if (r.found.internal_error) json.member("internal_error", std::string_view(*r.found.internal_error));
    if (!r.found.complete) json.member("states_given_up", uint64_t{r.found.given_up});
    json.member("targets", uint64_t{r.suite.targets.size()});
    json.member("covered", uint64_t{r.count(TargetStatus::covered)});
    json.member("infeasible", uint64_t{r.count(TargetStatus::infeasible)});
    json.member("unreached", uint64_t{r.count(TargetStatus::unreached)});
    json.member("waived", uint64_t{r.waived()});
    json.member("coverage_percent", r.coverage());
    json.member("model_errors", uint64_t{r.found.errors.size()});
    json.member("tests", uint64_t{r.suite.tests.size()});
    if (r.suite.left_out > 0) json.member("tests_left_out", uint64_t{r.suite.left_out});
    json.member("schedules", word_of(options.schedules));
    search_members(json, r);
    json.key("unsupported");
    json.begin_object();
    for (const auto& [why, times] : r.found.unsupported) json.member(why, times);
    json.end_object();
    details(json, model, options, r);
    json.end_object();
    return json.take();
}

std::string timeline_csv(const Model& model, const Generation& r) {
    std::string out = "seconds,vm_steps,covered,target\n";
    const auto row = [&](double seconds, uint64_t steps, size_t covered, const std::string& target) {
        std::array<char, 32> time{};
        std::snprintf(time.data(), time.size(), "%.6f", seconds);
        out += std::string(time.data()) + "," + std::to_string(steps) + "," + std::to_string(covered) + "," +
               csv_field(target) + "\n";
    };
    size_t covered = 0;
    for (const TimelineRow& each : r.timeline)
        row(each.seconds, each.vm_steps, ++covered, target_id(model.program->targets[index(each.target)]));
    row(r.seconds, r.found.statistics.vm_steps, covered, "");
    return out;
}

} // namespace espalier
