// From what the search found to a suite: every test is replayed by the concrete interpreter, which alone says what
// comes out and what is covered; then tests whose targets others cover are dropped.
#include "testgen/suite.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "testgen/replay.hpp"

namespace espalier {

namespace {

// Lower case, words joined by single dashes: stable, and fit for a file name or an XML id.
std::string slug(const std::string& id) {
    std::string out;
    for (char c : id) {
        const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (word) {
            out += c;
        } else if (c >= 'A' && c <= 'Z') {
            out += static_cast<char>(c - 'A' + 'a');
        } else if (!out.empty() && out.back() != '-') {
            out += '-';
        }
    }
    while (!out.empty() && out.back() == '-') out.pop_back();
    return out.empty() ? "test" : out;
}

// Drops tests, last ones first, while every target they cover is covered by another that stays, and every model error
// they end in is shown by another.
void keep_needed(std::vector<SuiteTest>& tests, size_t targets) {
    std::vector<uint32_t> covered_by(targets, 0);
    using Error = std::tuple<std::string, uint32_t, uint32_t>; // the same text may come from several places
    const auto error_of = [](const SuiteTest& t) {
        return t.error.empty() ? Error{} : Error{t.error, index(t.error_at.file), t.error_at.begin};
    };
    std::map<Error, uint32_t> shown_by;
    for (const SuiteTest& t : tests) {
        for (TargetId id : t.covers) ++covered_by[index(id)];
        ++shown_by[error_of(t)];
    }
    shown_by[Error{}] = UINT32_MAX;
    std::vector<bool> drop(tests.size(), false);
    for (size_t i = tests.size(); i-- > 0;) {
        drop[i] =
            shown_by[error_of(tests[i])] > 1 && std::all_of(tests[i].covers.begin(), tests[i].covers.end(),
                                                            [&](TargetId id) { return covered_by[index(id)] > 1; });
        if (!drop[i]) continue;
        for (TargetId id : tests[i].covers) --covered_by[index(id)];
        --shown_by[error_of(tests[i])];
    }
    std::vector<SuiteTest> kept;
    for (size_t i = 0; i < tests.size(); ++i) {
        if (!drop[i]) kept.push_back(std::move(tests[i]));
    }
    tests = std::move(kept);
}

void name_tests(const Program& program, std::vector<SuiteTest>& tests) {
    std::vector<uint32_t> covered_by(program.targets.size(), 0);
    for (const SuiteTest& t : tests) {
        for (TargetId id : t.covers) ++covered_by[index(id)];
    }
    std::set<std::string> used;
    for (SuiteTest& t : tests) {
        std::string name = t.error.empty() ? "test" : "error";
        // The first target that no other test covers is what this one is there for.
        for (TargetId id : t.covers) {
            if (covered_by[index(id)] > 1 && t.error.empty()) continue;
            name = slug((t.error.empty() ? "" : "error-") + target_id(program.targets[index(id)]));
            if (t.error.empty()) break;
        }
        std::string unique = name;
        for (int n = 2; !used.insert(unique).second; ++n) unique = name + "-" + std::to_string(n);
        t.id = unique;
    }
}

} // namespace

Suite make_suite(const Model& model, Exploration& found, uint32_t depth, uint64_t seed) {
    const Program& program = *model.program;
    Suite suite;
    suite.model = std::filesystem::path(model.sources.path(FileId{0})).filename().string();
    suite.depth = depth;
    suite.seed = seed;
    suite.complete = found.complete;
    suite.values = std::make_unique<Heap>(Heap::Lifetime::immortal);
    auto add = [&](const std::vector<Choice>& signature, const std::vector<TestStep>& steps) -> Replay {
        Replay replay = replay_steps(program, steps, *suite.values);
        SuiteTest test;
        test.signature = to_text(signature);
        test.covers = replay.covered;
        test.events = std::move(replay.events);
        if (replay.status == Status::model_error) {
            test.error = replay.error->text;
            test.error_at = replay.error->span;
        }
        suite.tests.push_back(std::move(test));
        return replay;
    };
    for (const FoundTest& t : found.tests) {
        const Replay replay = add(t.signature, t.steps);
        std::string problem;
        if (replay.refused) problem = "step " + std::to_string(*replay.refused + 1) + " is refused";
        for (TargetId id : t.targets) {
            if (std::find(replay.covered.begin(), replay.covered.end(), id) == replay.covered.end())
                problem += (problem.empty() ? "it misses " : ", it misses ") + target_id(program.targets[index(id)]);
        }
        if (problem.empty()) continue;
        suite.tests.pop_back();
        suite.not_replayed.push_back("a test (" + to_text(t.signature) + ") does not replay: " + problem);
    }
    for (FoundError& e : found.errors) {
        const Replay replay = add(e.signature, e.steps);
        if (replay.status == Status::model_error) {
            e.text = replay.error->text; // with the values of the test
            // A test that the search found on its way to the error runs into it too.
            const SuiteTest& last = suite.tests.back();
            const bool known = std::any_of(suite.tests.begin(), suite.tests.end() - 1, [&](const SuiteTest& t) {
                return t.error == last.error && t.signature == last.signature;
            });
            if (known) suite.tests.pop_back();
            continue;
        }
        suite.tests.pop_back();
        suite.not_replayed.push_back("a model error does not replay: " + e.text);
    }
    // A test for a target may run into an error whose own path the search did not follow to its end.
    for (const SuiteTest& t : suite.tests) {
        const auto same = [&](const FoundError& e) { return e.text == t.error && e.span == t.error_at; };
        if (!t.error.empty() && std::none_of(found.errors.begin(), found.errors.end(), same))
            found.errors.push_back({t.error, t.error_at, no_label, {}, {}});
    }
    keep_needed(suite.tests, program.targets.size());
    name_tests(program, suite.tests);
    suite.targets.resize(program.targets.size());
    for (uint32_t i = 0; i < suite.tests.size(); ++i) {
        for (TargetId id : suite.tests[i].covers) {
            TargetResult& r = suite.targets[index(id)];
            if (r.status != TargetStatus::covered) r = {TargetStatus::covered, i};
        }
    }
    return suite;
}

void mark_infeasible(const Program& program, const std::vector<TargetId>& unreachable, Suite& suite) {
    for (TargetId id : unreachable) {
        if (suite.targets[index(id)].status == TargetStatus::covered) {
            suite.not_replayed.push_back("the flow analysis calls " + target_id(program.targets[index(id)]) +
                                         " unreachable, and a test covers it");
        } else {
            suite.targets[index(id)].status = TargetStatus::infeasible;
        }
    }
}

} // namespace espalier
