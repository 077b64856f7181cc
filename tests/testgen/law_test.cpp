// Laws 5, 6 and 7 on random models and on mutilated ones: suites are right, the same twice, and nothing crashes.
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "flowanalysis/flowanalysis.hpp"
#include "testgen/generate/proofs.hpp"
#include "testgen/generate/suite_maker.hpp"
#include "testgen/replay/replay.hpp"
#include "testgen/replay/replay_report.hpp"
#include "testgen/suite/reader.hpp"
#include "tests/random/concrete.hpp"
#include "tests/random/law.hpp"
#include "tests/random/mutate.hpp"
#include "tests/random/protocol.hpp"
#include "tests/random/shipped.hpp"

using namespace espalier;
using namespace espalier::test;

namespace {

class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "espalier-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path = name;
    }
    ~Folder() { std::filesystem::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::filesystem::path path;
};

std::string protocol(uint32_t seed) {
    ProtocolOptions options;
    return counting_hooks(options.inputs) + RandomProtocol(seed, options).text();
}

struct Generated {
    Suite suite;
    std::string xml;
};

// As `generate` does it.
Generated generated(const Model& model, uint32_t depth, Search search, uint64_t step_limit) {
    ExploreOptions options;
    options.depth = depth;
    options.search = search;
    options.memo = depth == no_bound;
    options.seed = 5;
    options.step_limit = step_limit;
    options.quiet_step_limit = 10'000;
    Exploration found = explore(*model.program, options);
    Replayer replayer(*model.program);
    const SuiteRequest request{.depth = depth, .seed = options.seed};
    FoundReplays replays(*model.program, replayer, request);
    Generated out{make_suite(model, replays, found, request), {}};
    prove_by_flow(*model.program, analyse(*model.program).unreachable_targets(), out.suite);
    out.xml = suite_to_xml(model, out.suite);
    return out;
}

std::vector<TestStep> steps_of(const SuiteTest& test) {
    std::vector<TestStep> steps;
    for (const SuiteEvent& e : test.events) {
        switch (e.kind) {
        case SuiteEvent::Kind::input: steps.push_back({.port = e.port, .value = e.value}); break;
        case SuiteEvent::Kind::wait: steps.push_back({.kind = TestStep::Kind::wait, .units = e.units}); break;
        case SuiteEvent::Kind::choice:
            steps.push_back({.kind = TestStep::Kind::choice, .choice = {{}, e.taken, e.alternatives}});
            break;
        case SuiteEvent::Kind::schedule:
            steps.push_back({.kind = TestStep::Kind::schedule, .choice = {{}, e.taken, 0}});
            break;
        case SuiteEvent::Kind::output: break;
        }
    }
    return steps;
}

std::string wrong_with(const Model& model, const Suite& suite) {
    const Program& program = *model.program;
    const auto name = [&](TargetId t) { return target_id(program.targets[index(t)]); };
    if (!suite.not_replayed.empty()) return "replay: " + suite.not_replayed[0];
    std::vector<uint32_t> covered_by(program.targets.size(), 0);
    std::set<std::string> ids;
    for (const SuiteTest& test : suite.tests) {
        if (!ids.insert(test.id).second) return "ids: two tests are called " + test.id;
        const std::vector<TestStep> steps = steps_of(test);
        const ConcreteRun run(program, steps);
        if (run.status == Status::refused) return "steps: " + test.id + " is refused";
        for (TargetId t : test.covers) {
            ++covered_by[index(t)];
            // Where the environment goes on choosing after the test's end, its first choice is taken.
            if (run.marks.count(t) == 0 && !run.wants) return "covers: " + test.id + " does not cover " + name(t);
        }
        for (const auto& [t, left] : run.marks)
            if (std::find(test.covers.begin(), test.covers.end(), t) == test.covers.end())
                return "covers: " + test.id + " does not list " + name(t);
    }
    for (const SuiteTest& test : suite.tests)
        if (test.error.empty() &&
            std::none_of(test.covers.begin(), test.covers.end(), [&](TargetId t) { return covered_by[index(t)] == 1; }))
            return "minimal: nothing needs " + test.id;
    for (uint32_t i = 0; i < suite.targets.size(); ++i) {
        const TargetResult& r = suite.targets[i];
        if ((r.status == TargetStatus::covered) != (covered_by[i] > 0)) return "status: of " + name(TargetId{i});
        if (r.status != TargetStatus::covered) continue;
        const auto& covers = suite.tests.at(r.test.value()).covers;
        if (std::find(covers.begin(), covers.end(), TargetId{i}) == covers.end())
            return "status: " + name(TargetId{i}) + " is not covered by the test named";
    }
    Heap heap(Heap::Lifetime::immortal);
    for (uint32_t seed = 0; seed < 10; ++seed) {
        const std::vector<TestStep> steps = random_steps(program, heap, seed, 3);
        for (const auto& [t, left] : ConcreteRun(program, steps).marks)
            if (suite.targets[index(t)].status == TargetStatus::infeasible)
                return "infeasible: random inputs reach " + name(t);
    }
    return "";
}

// ── There and back: what is written is read, and replays ──

// What a replay of the suite, read from its text, has to say; "" where all is as the suite says.
std::string said_of(const Model& model, const std::string& xml) {
    Sources sources;
    Diagnostics diagnostics;
    const auto tree = parse_xml(sources, sources.add("suite.xml", xml), diagnostics);
    std::optional<Suite> suite;
    if (tree) suite = read_suite(*tree, *model.program, diagnostics);
    if (!suite) return "unreadable: " + (diagnostics.all().empty() ? "" : render(sources, diagnostics.all()[0]));
    const SuiteReplay replay = replay_suite(model, *suite, criteria_of(*tree));
    return replay.passed() ? "" : "differences: " + differences_text(replay, *suite, sources);
}

// The lines of an element, of which several stand in the text: first and past the last.
std::vector<std::pair<size_t, size_t>> elements(const std::vector<std::string>& lines, const std::string& name) {
    std::vector<std::pair<size_t, size_t>> found;
    for (size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].find("<" + name + " ") == std::string::npos) continue;
        size_t end = i;
        const auto is_last = [&](const std::string& l) {
            return l.find("</" + name + ">") != std::string::npos || (end == i && l.find("/>") != std::string::npos);
        };
        while (!is_last(lines[end])) ++end;
        found.emplace_back(i, end + 1);
    }
    return found;
}

// The suite with one thing changed that its replay must find; "" where there is nothing of the kind.
std::string with_a_lie(const std::string& xml, uint32_t kind) {
    std::vector<std::string> lines;
    std::istringstream in(xml);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    const bool of_covers = kind % 4 == 3;
    const auto all = elements(lines, of_covers ? "covers" : "output");
    if (all.empty()) return "";
    const auto [first, last] = all[kind / 4 % all.size()];
    const auto at = [&](size_t i) { return lines.begin() + static_cast<std::ptrdiff_t>(i); };
    if (kind % 4 == 0) { // another number, where there is one
        std::string& line = *std::find_if(at(first), at(last) - 1,
                                          [](const std::string& l) { return l.find("type=\"int\">") != l.npos; });
        const size_t number = line.find("type=\"int\">");
        if (number == std::string::npos) return "";
        line.insert(line.find('<', number), "1");
    } else if (kind % 4 == 1) {
        const std::vector<std::string> again(at(first), at(last));
        lines.insert(at(last), again.begin(), again.end());
    } else {
        lines.erase(at(first), at(last));
    }
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

// The last one without a bound, as by default.
constexpr std::array searches = {Search::dfs, Search::bfs, Search::random, Search::mixed};

} // namespace

TEST_CASE("law 5: suites of random models are right; law 6: and the same twice") {
    const Folder folder;
    uint32_t files = 0;
    uint64_t tests = 0, lies = 0;
    const auto law = [&](const std::string& text) -> std::string {
        Model model = compile_text(text);
        if (!model.program) return "check: the model is wrong";
        const Criteria criteria = text.size() % 2 == 0 ? Criteria::all() : Criteria::standard();
        model.program = instrument(*model.program, criteria);
        const Search search = searches.at(text.size() / 2 % searches.size());
        const uint32_t depth = search == Search::mixed ? no_bound : 3;
        const Generated first = generated(model, depth, search, 20'000);
        tests += first.suite.tests.size();
        std::ofstream(folder.path / ("suite-" + std::to_string(files++) + ".xml")) << first.xml;
        if (std::string wrong = wrong_with(model, first.suite); !wrong.empty()) return wrong;
        if (std::string said = said_of(model, first.xml); !said.empty()) return "read back: " + said;
        for (uint32_t kind = 0; kind < 8; ++kind) {
            const std::string lie = with_a_lie(first.xml, kind);
            if (lie.empty()) continue;
            ++lies;
            if (said_of(model, lie).empty()) return "lie: nobody notices number " + std::to_string(kind);
        }
        // Again from the text: other addresses, another history of the heap and of the symbols.
        Model again = compile_text(text);
        again.program = instrument(*again.program, criteria);
        if (generated(again, depth, search, 20'000).xml != first.xml) return "bytes: another suite the second time";
        return "";
    };
    check_law(80, protocol, law);
    MESSAGE(tests << " tests in " << files << " suites, and " << lies << " lies");
    CHECK(enough(lies, 50));
    if (std::system("command -v xmllint >/dev/null") != 0) {
        MESSAGE("no xmllint: the suites are not validated");
        return;
    }
    const std::string lint = "cd '" + folder.path.string() +
                             "' && ls *.xml | xargs xmllint --noout --schema '" ESPALIER_SOURCE_DIR
                             "/testgen/suite/suite.xsd' >said 2>&1 || { grep -v validates said; false; }";
    CHECK(std::system(lint.c_str()) == 0);
}

TEST_CASE("law 7: a mutilated model is refused or works") {
    std::vector<std::string> texts;
    for (const std::string& file : shipped_models())
        if (const auto text = read_file(file)) texts.push_back(*text);
    REQUIRE(!texts.empty());
    uint64_t compiled = 0, all = 0;
    const auto law = [&](const std::string& text) -> std::string {
        const Model model = compile_text(text);
        ++all;
        if (!model.program) return model.diagnostics.has_errors() ? "" : "silent: no program, and no error";
        ++compiled;
        const Generated made = generated(model, 2, Search::dfs, 3'000);
        if (!made.suite.not_replayed.empty()) return "replay: " + made.suite.not_replayed[0];
        Heap heap(Heap::Lifetime::immortal);
        for (uint32_t seed = 0; seed < 2; ++seed) random_steps(*model.program, heap, seed, 4);
        return "";
    };
    check_law(
        200,
        [&](uint32_t seed) {
            return seed % 2 == 0 ? mutilated(texts[seed / 2 % texts.size()], seed) : mutilated(protocol(seed), seed);
        },
        law);
    MESSAGE(compiled << " of " << all << " mutilated models still compile");
    if (std::getenv("ESPALIER_SEED") != nullptr) return; // of one model there is nothing to count
    CHECK(enough(compiled, 10));                         // else none of them was tried
    CHECK(enough(all - compiled, 50));                   // else none of them was refused
}
