// What searches say of a model's targets, and the laws that hold between them, whatever the order, the depth, the
// memory of states, cutting and the criteria.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "testgen/explain/left_out.hpp"
#include "testgen/generate/generation.hpp"
#include "tests/random/random_walk.hpp"

namespace espalier::test {

struct Configuration {
    Search search;
    bool memo;
    Cutting cut;
    std::string cover;
    Schedules schedules;
    uint32_t depth;
    uint64_t seed;

    std::string name() const {
        const auto word = [](auto value) { return std::string(word_of(value)); };
        return "--search " + word(search) + " --depth " + depth_text(depth) + " --memo " + word(memo) + " --cut " +
               word(cut) + " --seed " + std::to_string(seed) + " --schedules " + word(schedules) + " --cover " + cover;
    }
};

using Names = std::set<std::string>;

// What one search says of a model.
struct Verdicts {
    Configuration how;
    Names asked;                         // all targets
    Names covered, in_suite, infeasible; // by the search; by a test; by none
    std::set<uint32_t> errors, untried;  // places of model errors that were found, and that were not looked for
    bool ends_by_itself = false;         // by no limit, and with every question answered
    bool bounded = false;                // a counter ended a path
    bool all_covered = false;
    std::string xml; // the suite
    std::string wrong;
};

inline constexpr const char* standard_criteria = "checkpoints,requirements,procedures,branches,states,transitions";

inline Verdicts verdicts(const std::string& text, const Configuration& how) {
    Verdicts v;
    v.how = how;
    Model model = compile_text(text);
    GenerateOptions options;
    options.search = how.search;
    options.depth = how.depth;
    options.memo = how.memo;
    options.cut = how.cut;
    options.seed = how.seed;
    options.schedules = how.schedules;
    options.cover = how.cover;
    options.step_limit = 30'000;
    options.quiet_step_limits = {1'000, 20'000};
    options.quiet = true;
    const StopSignals signals;
    const Result<Generation> made = generate(model, options, signals);
    if (!made) {
        v.wrong = "options: " + made.problem().text;
        return v;
    }
    const Program& program = *model.program;
    for (uint32_t i = 0; i < program.targets.size(); ++i) {
        const std::string id = target_id(program.targets[i]);
        v.asked.insert(id);
        if (made->found.covered[i]) v.covered.insert(id);
        if (made->suite.targets[i].status == TargetStatus::covered) v.in_suite.insert(id);
        if (made->suite.targets[i].status == TargetStatus::infeasible) v.infeasible.insert(id);
        if (made->found.covered[i] && made->suite.targets[i].status != TargetStatus::covered && v.wrong.empty())
            v.wrong = "lost: " + id + " was covered by the search and is not in the suite";
    }
    for (const FoundError& e : made->found.errors) v.errors.insert(e.span.begin);
    for (const Span& s : untried_places(program, made->found)) v.untried.insert(s.begin);
    for (const Block& b : program.blocks) { // the error of a delay is told of its clause, not of the whole wait
        const auto* select = std::get_if<terminator::Select>(&b.terminator.kind);
        if (select == nullptr || v.untried.count(b.terminator.span.begin) == 0) continue;
        for (const SelectClause& c : program.select_clauses(*select)) v.untried.insert(c.span.begin);
    }
    v.xml = suite_to_xml(model, made->suite);
    const Statistics& s = made->found.statistics;
    v.ends_by_itself = made->found.complete && made->found.unsupported.empty() && s.sat_unknown == 0 &&
                       s.ended_by_steps == 0 && s.delays_left_out == 0;
    v.bounded = s.ended_by_bound > 0;
    v.all_covered = made->found.complete && v.covered.size() == program.targets.size();
    if (!made->suite.not_replayed.empty()) v.wrong = "replay: " + made->suite.not_replayed[0];
    return v;
}

// What is in the first and not in the second.
inline std::string first_missing(const Names& some, const Names& others) {
    for (const std::string& id : some)
        if (others.count(id) == 0) return id;
    return "";
}
inline std::string first_common(const Names& some, const Names& others) {
    for (const std::string& id : some)
        if (others.count(id) > 0) return id;
    return "";
}

struct Counted {
    uint64_t models = 0, searches = 0, infeasible = 0, ended = 0, walks = 0, reached = 0, errors = 0;
    uint64_t proofs = 0, lost_proofs = 0; // of searches that do not cut; and those that their counterparts do not make
};

// Searches of one order and depth, with or without cutting and a memory, are one search.
inline std::string same_search(const std::vector<Verdicts>& all, Counted& counted) {
    for (const Verdicts& a : all)
        for (const Verdicts& b : all) {
            if (a.how.search != b.how.search || a.how.depth != b.how.depth || a.how.cover != b.how.cover ||
                a.how.seed != b.how.seed || a.how.schedules != b.how.schedules || &a == &b)
                continue;
            if (!a.ends_by_itself || !b.ends_by_itself) continue;
            const bool puts_off =
                a.how.search == Search::distance && a.how.memo != b.how.memo && (a.bounded || b.bounded);
            if (!puts_off)
                if (const std::string id = first_missing(a.covered, b.covered); !id.empty())
                    return "covered: " + id + " with " + a.how.name() + ", not with " + b.how.name();
            // What cutting drops may have something ahead that only the rest of the path would have refuted.
            if (a.how.cut == Cutting::off && b.how.cut != Cutting::off && !a.how.memo && !b.how.memo)
                for (const std::string& id : a.infeasible) {
                    ++counted.proofs;
                    if (b.infeasible.count(id) == 0) ++counted.lost_proofs;
                }
        }
    return "";
}

inline std::string random_runs(const std::string& text, const std::vector<Verdicts>& all, uint32_t walks,
                               Counted& counted) {
    Model model = compile_text(text);
    model.program = instrument(*model.program, Criteria::all());
    const Program& program = *model.program;
    const Constants constants(program);
    CompiledProgram code(program);
    for (uint32_t seed = 0; seed < walks; ++seed) {
        const WalkOptions options{1 + seed % 6, seed % 4 == 3, seed % 5 == 4};
        const RandomWalk walk(program, code, constants, seed, options);
        ++counted.walks;
        Names reached;
        for (const auto& [t, left] : walk.marks) reached.insert(target_id(program.targets[index(t)]));
        counted.reached += reached.size();
        if (walk.error) ++counted.errors;
        for (const Verdicts& v : all) {
            if (const std::string id = first_common(v.infeasible, reached); !id.empty())
                return "infeasible: " + id + " with " + v.how.name() + ", and a run reaches it:\n" + walk.story;
            if (options.schedules || options.any_moment || !v.ends_by_itself) continue;
            for (const auto& [t, left] : walk.marks) {
                const std::string id = target_id(program.targets[index(t)]);
                if (v.asked.count(id) > 0 && left < v.how.depth && v.covered.count(id) == 0)
                    return "missed: " + id + " with " + v.how.name() + ", and a run reaches it:\n" + walk.story;
            }
            if (!walk.error || walk.left >= v.how.depth || v.all_covered) continue;
            const uint32_t place = walk.error->span.begin;
            if (v.errors.count(place) == 0 && v.untried.count(place) == 0)
                return "error: " + walk.error->text + " is not found with " + v.how.name() + ":\n" + walk.story;
        }
    }
    return "";
}

// Everything above of one model.
inline std::string judge_verdicts(const std::string& text, const std::vector<Configuration>& configurations,
                                  uint32_t walks, Counted& counted) {
    if (const Model model = compile_text(text); !model.program) {
        std::string failure = "check: ";
        for (const Diagnostic& d : model.diagnostics.all())
            if (d.severity == Severity::error) failure += render(model.sources, d);
        return failure;
    }
    ++counted.models;
    std::vector<Verdicts> all;
    for (const Configuration& how : configurations) {
        all.push_back(verdicts(text, how));
        const Verdicts& v = all.back();
        if (!v.wrong.empty()) return v.wrong + " (" + how.name() + ")";
        ++counted.searches;
        counted.infeasible += v.infeasible.size();
        counted.ended += v.ends_by_itself ? 1 : 0;
    }
    for (const Verdicts& a : all)
        for (const Verdicts& b : all)
            if (const std::string id = first_common(a.infeasible, b.in_suite); !id.empty())
                return "infeasible: " + id + " with " + a.how.name() + ", covered with " + b.how.name();
    if (std::string wrong = same_search(all, counted); !wrong.empty()) return wrong;
    const Verdicts& some = all[text.size() % all.size()];
    if (verdicts(text, some.how).xml != some.xml) return "bytes: another suite the second time, " + some.how.name();
    return random_runs(text, all, walks, counted);
}

} // namespace espalier::test
