// Law 1 on random models: a concrete run, a symbolic run and a replay give the same.
#include "symexec/symexec.hpp"
#include "tests/random/concrete.hpp"
#include "tests/random/law.hpp"
#include "tests/random/protocol.hpp"
#include "tests/symexec/replay.hpp"

using namespace espalier;
using namespace espalier::test;

namespace {

std::string target_name(const Program& program, TargetId t) { return target_id(program.targets[index(t)]); }

Model compiled(const std::string& text, std::string& failure) {
    Model model = compile_text(text);
    if (!model.program) {
        failure = "check: ";
        for (const Diagnostic& d : model.diagnostics.all())
            if (d.severity == Severity::error) failure += render(model.sources, d);
        return model;
    }
    model.program = instrument(*model.program, Criteria::all());
    return model;
}

// Nothing stands between what the search covered and what there is within the bound.
bool says_all(const Exploration& found) {
    return found.complete && found.unsupported.empty() && found.statistics.sat_unknown == 0 &&
           found.statistics.ended_by_steps == 0 && found.statistics.delays_left_out == 0;
}

std::string protocol(uint32_t seed, const ProtocolOptions& options) {
    return counting_hooks(options.inputs) + RandomProtocol(seed, options).text();
}

} // namespace

TEST_CASE("law 1: every test replays, and random testing reaches nothing that the search misses") {
    uint64_t tests = 0, complete = 0, all = 0, reached = 0;
    const auto law = [&](const std::string& text) -> std::string {
        std::string failure;
        const Model model = compiled(text, failure);
        if (!failure.empty()) return failure;
        ExploreOptions options;
        options.depth = 3;
        options.step_limit = 20'000;
        options.quiet_step_limit = 5'000;
        const bool is_usual = text.size() % 3 == 0; // without a bound, as by default
        if (is_usual) {
            options.depth = no_bound;
            options.search = Search::mixed;
            options.memo = true;
        }
        const Exploration found = explore(*model.program, options);
        tests += found.tests.size() + found.errors.size();
        ++all;
        if (const std::string problem = replay_all(*model.program, found); !problem.empty())
            return "replay: " + problem;
        if (!says_all(found)) return "";
        ++complete;
        Heap heap(Heap::Lifetime::immortal);
        for (uint32_t seed = 0; seed < 8; ++seed) {
            const uint32_t inputs = is_usual ? 1 + seed : options.depth - 1;
            const std::vector<TestStep> steps = random_steps(*model.program, heap, seed, inputs);
            for (const auto& [t, left] : ConcreteRun(*model.program, steps).marks) {
                ++reached;
                if (!found.covered[index(t)])
                    return "completeness: the search misses " + target_name(*model.program, t) +
                           ", which random inputs reach";
            }
        }
        return "";
    };
    check_law(
        100, [](uint32_t seed) { return protocol(seed, {}); }, law);
    MESSAGE(tests << " tests, " << complete << " of " << all << " searches say all, " << reached << " marks at random");
    CHECK(enough(tests, 800));
    CHECK(enough(complete, 60));
    CHECK(enough(reached, 5000));
}

namespace {

// Everything that so many inputs can do, against a search that can leave so many stable states.
void check_exact(uint32_t models, uint32_t inputs, const ProtocolOptions& protocol_options, Schedules schedules) {
    uint64_t runs = 0, whole = 0, all = 0, reached = 0, missed_by_bound = 0;
    const auto law = [&](const std::string& text) -> std::string {
        std::string failure;
        const Model model = compiled(text, failure);
        if (!failure.empty()) return failure;
        const Program& program = *model.program;
        const Enumeration enumeration(program, inputs, 400, schedules);
        const Reachable& found = enumeration.found();
        runs += found.runs;
        ++all;
        if (found.runs > 400) return "";
        ExploreOptions options;
        options.depth = inputs + 1;
        options.schedules = schedules;
        options.step_limit = 50'000;
        options.quiet_step_limit = 10'000;
        const Exploration search = explore(program, options);
        if (!says_all(search)) return "";
        ++whole;
        if (const std::string problem = replay_all(program, search); !problem.empty()) return "replay: " + problem;
        for (const auto& [t, left] : found.targets)
            if (!search.covered[index(t)])
                return "completeness: the search misses " + target_name(program, t) + ", which is reached after " +
                       std::to_string(left);
        for (const auto& [place, left] : found.errors) {
            const bool seen = std::any_of(search.errors.begin(), search.errors.end(),
                                          [&, at = place](const FoundError& e) { return e.span.begin == at; });
            const bool everything =
                std::find(search.covered.begin(), search.covered.end(), false) == search.covered.end();
            if (!seen && !everything)
                return "errors: the search misses the error at " + std::to_string(place) + ": " +
                       text.substr(place, 60);
        }
        // One target alone: nothing sets the counter back, so the bound is exact.
        for (uint32_t depth = 1; depth <= inputs + 1; ++depth) {
            for (uint32_t i = 0; i < program.targets.size(); ++i) {
                options.depth = depth;
                options.all_targets = false;
                options.targets = {TargetId{i}};
                if ((i + depth) % 24 != 0) continue; // a search each: these are enough
                const Exploration one = explore(program, options);
                const auto at = found.targets.find(TargetId{i});
                const bool reachable = at != found.targets.end() && at->second < depth;
                reached += reachable ? 1 : 0;
                missed_by_bound += !reachable && at != found.targets.end() ? 1 : 0;
                if (one.covered[i] != reachable && one.complete)
                    return "bound: depth " + std::to_string(depth) +
                           (reachable ? " should cover " : " should not cover ") + target_name(program, TargetId{i});
            }
        }
        return "";
    };
    check_law(
        models, [&](uint32_t seed) { return protocol(seed, protocol_options); }, law);
    MESSAGE(runs << " runs, " << whole << " of " << all << " models compared, " << reached
                 << " targets within a bound, " << missed_by_bound << " past it");
    CHECK(enough(whole, models / 2));
    CHECK(enough(runs, 40 * models));
    CHECK(enough(reached, models));
    CHECK(enough(missed_by_bound, models / 3));
}

} // namespace

TEST_CASE("law 1: what the inputs of a small model can reach is what the search covers, to the bound exactly") {
    ProtocolOptions options;
    options.small = true;
    check_exact(80, 2, options, Schedules::first);
}

TEST_CASE("law 1: and under every schedule") {
    ProtocolOptions options;
    options.small = options.threads = true;
    options.statements = 10;
    check_exact(30, 1, options, Schedules::all);
}

namespace {

const char* const recording_hooks = "(define-channel trace)\n(define taken 0)\n"
                                    "(define (took m) (set! taken (+ taken 1)) (assume (<= taken 3)) (send trace m))\n"
                                    "(define (gave m) (send trace m))\n";

// Inputs are assumed to be those of the script, outputs must be.
std::string following_hooks(const Program& program, const std::vector<Value>& trace) {
    std::string script;
    for (size_t i = 0; i < trace.size(); ++i)
        script += "((" + std::to_string(i) + ") " + expression(program, trace[i]) + ") ";
    return "(define at 0)\n(define taken 0)\n(define (script i) (case i " + script +
           "(else 'nothing)))\n"
           "(define (took m) (set! taken (+ taken 1)) (assume (<= taken 3)) (assume (equal? m (script at))) (set! at "
           "(+ at 1)))\n"
           "(define (gave m) (assert (equal? m (script at))) (set! at (+ at 1)))\n";
}

std::set<std::string> checkpoints(const Program& program, const std::map<TargetId, uint32_t>& marks) {
    std::set<std::string> names;
    for (const auto& [t, left] : marks)
        if (program.targets[index(t)].kind == TargetKind::checkpoint) names.insert(program.targets[index(t)].name);
    return names;
}

std::string joined(const std::set<std::string>& names) {
    std::string out;
    for (const std::string& n : names) out += " " + n;
    return out;
}

} // namespace

TEST_CASE("law 1: a symbolic run constrained to the inputs of a concrete one gives the same outputs and checkpoints") {
    uint64_t compared = 0, errors = 0;
    const auto law = [&](const std::string& text) -> std::string {
        std::string failure;
        const Model recording = compiled(recording_hooks + text, failure);
        if (!failure.empty()) return failure;
        Heap heap(Heap::Lifetime::immortal);
        for (uint32_t seed = 0; seed < 2; ++seed) {
            const std::vector<TestStep> steps = random_steps(*recording.program, heap, seed, 3);
            const ConcreteRun run(*recording.program, steps);
            if (run.status == Status::out_of_steps || run.wants) continue;
            const Model following = compiled(following_hooks(*recording.program, run.trace) + text, failure);
            if (!failure.empty()) return "following " + failure;
            ExploreOptions options;
            options.depth = 5;
            options.step_limit = 20'000;
            const Exploration found = explore(*following.program, options);
            if (!says_all(found)) continue;
            ++compared;
            const auto concrete = checkpoints(*recording.program, run.marks);
            const auto symbolic = covered_names(*following.program, found);
            if (concrete != symbolic) return "marks: concrete" + joined(concrete) + "\nsymbolic" + joined(symbolic);
            const bool fails = run.status == Status::model_error;
            errors += fails ? 1 : 0;
            if (fails ? found.errors.size() != 1 : !found.errors.empty())
                return "errors: concrete " + (fails ? run.error()->text : "none") + ", symbolic " +
                       std::to_string(found.errors.size()) + (found.errors.empty() ? "" : " " + found.errors[0].text);
        }
        return "";
    };
    ProtocolOptions options;
    options.fresh = options.early = false;
    options.safe_guards = true; // an error in one comes before the input is compared
    check_law(
        100, [&](uint32_t seed) { return RandomProtocol(seed, options).text(); }, law);
    MESSAGE(compared << " runs compared, " << errors << " of them end in a model error");
    CHECK(enough(compared, 100));
    CHECK(enough(errors, 10));
}

TEST_CASE("where the search ends by itself, every order covers the same; no order depends on the solver's chain") {
    uint64_t compared = 0;
    const auto law = [&](const std::string& text) -> std::string {
        std::string failure;
        const Model model = compiled(text, failure);
        if (!failure.empty()) return failure;
        ExploreOptions options;
        options.depth = 8; // more than a path can leave
        options.step_limit = 20'000;
        const Exploration first = explore(*model.program, options);
        const auto same_as_first = [&](const Exploration& other) -> std::string {
            if (other.covered != first.covered) return "covered";
            if (other.tests.size() != first.tests.size()) return "number of tests";
            for (size_t i = 0; i < first.tests.size(); ++i) {
                if (other.tests[i].signature != first.tests[i].signature) return "signatures";
                if (other.tests[i].steps.size() != first.tests[i].steps.size()) return "steps";
                for (size_t j = 0; j < first.tests[i].steps.size(); ++j)
                    if (to_text(*model.program, first.tests[i].steps[j].value) !=
                        to_text(*model.program, other.tests[i].steps[j].value))
                        return "values";
            }
            const Statistics &a = first.statistics, &b = other.statistics;
            if (a.vm_steps != b.vm_steps || a.paths != b.paths || a.states_forked != b.states_forked ||
                a.infeasible != b.infeasible || a.finished != b.finished || a.assume_failed != b.assume_failed)
                return "statistics";
            return other.errors.size() == first.errors.size() ? "" : "number of errors";
        };
        SolverChain chain;
        switch (text.size() % 6) {
        case 0: chain.models = false; break;
        case 1: chain.intervals = false; break;
        case 2: chain.independence = false; break;
        case 3: chain.cache = false; break;
        case 4: chain.enumeration = false; break;
        default: chain = {false, false, false, false, false, false}; break;
        }
        ExploreOptions chained = options;
        chained.chain = chain;
        if (const std::string difference = same_as_first(explore(*model.program, chained)); !difference.empty())
            return "chain: other " + difference;
        if (!says_all(first)) return "";
        ++compared;
        for (const auto& [search, seed] :
             {std::pair(Search::bfs, 0), std::pair(Search::random, 1), std::pair(Search::random, 2)}) {
            options.search = search;
            options.seed = static_cast<uint64_t>(seed);
            const Exploration other = explore(*model.program, options);
            if (says_all(other) && other.covered != first.covered) return "order: other targets covered";
        }
        return "";
    };
    ProtocolOptions options;
    options.early = false;
    check_law(
        60, [&](uint32_t seed) { return protocol(seed, options); }, law);
    MESSAGE(compared << " models compared");
    CHECK(enough(compared, 30));
}
