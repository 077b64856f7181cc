// From what the search found to a suite: every test was replayed by the concrete interpreter, which alone says what
// comes out and what is covered; tests whose targets others cover are dropped.
#include "testgen/generate/suite_maker.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "testgen/generate/needed_tests.hpp"
#include "testgen/suite/copy_value.hpp"
#include "testgen/text/escapes.hpp"

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

// The same text may come from several places; none for a test that ends well.
using Error = std::tuple<std::string, uint32_t, uint32_t>;
Error error_of(const std::string& text, Span at) {
    return text.empty() ? Error{} : Error{text, index(at.file), at.begin};
}
Error error_of(const SuiteTest& t) { return error_of(t.error, t.error_at); }

class SuiteMaker {
public:
    SuiteMaker(const Model& model, FoundReplays& replays, const SuiteRequest& request)
        : program_(*model.program), replays_(replays), request_(request) {
        suite_.model = valid_utf8(std::filesystem::path(model.sources.path(FileId{0})).filename().string());
        suite_.depth = request.depth;
        suite_.seed = request.seed;
        suite_.values = std::make_unique<Heap>(Heap::Lifetime::immortal);
    }

    Suite make(Exploration& found) {
        suite_.complete = found.complete;
        for (const FoundTest& t : found.tests) add(t);
        for (size_t i = 0; i < found.errors.size(); ++i) add(found.errors[i], i);
        if (suite_.left_out > 0 || suite_.cut_short > 0) suite_.complete = false;
        report_errors(found);
        keep_needed();
        restore_lost(found);
        name_tests();
        suite_.targets.resize(program_.targets.size());
        for (uint32_t i = 0; i < suite_.tests.size(); ++i) {
            for (TargetId id : suite_.tests[i].covers) {
                TargetResult& r = suite_.targets[index(id)];
                if (r.status != TargetStatus::covered) r = {TargetStatus::covered, i};
            }
        }
        return std::move(suite_);
    }

private:
    // The replay's values become the suite's.
    SuiteTest test_of(const Signature& signature, OwnedReplay&& made) {
        Replay& replay = made.run;
        SuiteTest test;
        test.signature = to_text(signature);
        test.covers = std::move(replay.covered);
        test.events = std::move(replay.events);
        for (SuiteEvent& e : test.events) e.value = copy_value(*suite_.values, e.value);
        test.fresh_ranges = std::move(replay.fresh_ranges);
        test.open_end = ends_open(replay.status);
        if (replay.status == Status::model_error) {
            test.error = replay.error->text;
            test.error_at = replay.error->span;
        }
        return test;
    }

    void add(SuiteTest&& test) {
        if (!test.error.empty()) error_paths_.emplace(test.error, test.signature);
        suite_.tests.push_back(std::move(test));
    }

    void add(const FoundTest& t) {
        std::optional<OwnedReplay> made = replays_.take(t);
        if (!made) {
            ++suite_.left_out;
            return;
        }
        const Replay& replay = made->run;
        std::string problem;
        const std::set<TargetId> covered(replay.covered.begin(), replay.covered.end());
        if (replay.status == Status::stopped) {
            const bool is_done = !replay.refused && std::all_of(t.targets.begin(), t.targets.end(),
                                                                [&](TargetId id) { return covered.count(id) != 0; });
            ++(is_done ? suite_.cut_short : suite_.left_out);
            if (is_done) add(test_of(t.signature, std::move(*made)));
            return;
        }
        // What the search does not bound, a number for one, is an error of the model all the same.
        if (replay.status == Status::model_error && replay.error->is_about_size) {
            add(test_of(t.signature, std::move(*made)));
            return;
        }
        if (replay.refused) problem = "step " + std::to_string(*replay.refused + 1) + " is refused";
        // The search knows a way on; a run that is merely too long for the interpreter is no contradiction.
        if (!t.open_end && replay.status == Status::assume_failed) problem = "an assumption fails at its end";
        for (TargetId id : t.targets) {
            if (covered.count(id) == 0)
                problem += (problem.empty() ? "it misses " : ", it misses ") + target_id(program_.targets[index(id)]);
        }
        if (problem.empty())
            add(test_of(t.signature, std::move(*made)));
        else
            suite_.not_replayed.push_back("a test (" + to_text(t.signature) + ") does not replay: " + problem);
    }

    void add(FoundError& e, size_t number) {
        std::optional<OwnedReplay> made = replays_.take(e, number);
        if (!made || made->run.status == Status::stopped) {
            ++suite_.left_out;
            return;
        }
        const Replay& replay = made->run;
        if (replay.status != Status::model_error) {
            suite_.not_replayed.push_back("a model error does not replay: " + e.text);
            return;
        }
        e.text = replay.error->text; // with the values of the test
        SuiteTest test = test_of(e.signature, std::move(*made));
        // A test that the search found on its way to the error runs into it too.
        if (error_paths_.count({test.error, test.signature}) == 0) add(std::move(test));
    }

    // A test for a target may run into an error whose own path the search did not follow to its end.
    void report_errors(Exploration& found) const {
        std::set<Error> reported;
        for (const FoundError& e : found.errors) reported.insert(error_of(e.text, e.span));
        for (const SuiteTest& t : suite_.tests)
            if (!t.error.empty() && reported.insert(error_of(t)).second)
                found.errors.push_back({t.error, t.error_at, no_label, {}, {}});
    }

    // A test stays for a target, or for the model error that it ends in, where no other that stays has it.
    void keep_needed() {
        std::map<Error, uint32_t> errors;
        std::set<Error> shown; // by tests that stand before these
        for (const auto& [text, at] : request_.errors) shown.insert(error_of(text, at));
        std::vector<std::vector<uint32_t>> worth;
        for (const SuiteTest& t : suite_.tests) {
            auto& own = worth.emplace_back();
            for (TargetId id : t.covers)
                if (request_.is_wanted(id)) own.push_back(index(id));
            if (t.error.empty() || shown.count(error_of(t)) > 0) continue;
            const auto next = static_cast<uint32_t>(program_.targets.size() + errors.size());
            own.push_back(errors.try_emplace(error_of(t), next).first->second);
        }
        const std::vector<bool> keep = needed(worth, program_.targets.size() + errors.size());
        std::vector<SuiteTest> kept;
        for (size_t i = 0; i < suite_.tests.size(); ++i)
            if (keep[i]) kept.push_back(std::move(suite_.tests[i]));
        suite_.tests = std::move(kept);
    }

    // What the search covered, the suite covers. Where it does not, something above is wrong: that is told, and a test
    // of the search's that covers the target is kept as it was found.
    void restore_lost(const Exploration& found) {
        if (suite_.left_out > 0) return; // it was asked to stop, and says so
        std::vector<uint32_t> covered_by = covering_tests();
        for (uint32_t i = 0; i < found.covered.size(); ++i) {
            if (!found.covered[i] || !request_.is_wanted(TargetId{i}) || covered_by[i] > 0) continue;
            const bool restored = std::any_of(found.spare.begin(), found.spare.end(), [&](const FoundTest& t) {
                if (std::find(t.targets.begin(), t.targets.end(), TargetId{i}) == t.targets.end()) return false;
                std::optional<OwnedReplay> made = replays_.replay(t.steps);
                if (!made || std::find(made->run.covered.begin(), made->run.covered.end(), TargetId{i}) ==
                                 made->run.covered.end())
                    return false;
                add(test_of(t.signature, std::move(*made)));
                return true;
            });
            suite_.not_replayed.push_back(target_id(program_.targets[i]) + " was covered by the search, and " +
                                          (restored ? "the test for it was dropped: it is kept" : "no test covers it"));
            covered_by = covering_tests();
        }
    }

    std::vector<uint32_t> covering_tests() const {
        std::vector<uint32_t> count(program_.targets.size(), 0);
        for (const SuiteTest& t : suite_.tests)
            for (TargetId id : t.covers) ++count[index(id)];
        return count;
    }

    // The first wanted target that no other test covers is what a test is there for; one that ends in an error is named
    // after the last target on its way.
    std::string name_of(const SuiteTest& t, const std::vector<uint32_t>& covered_by) const {
        const auto id_of = [&](TargetId id) { return target_id(program_.targets[index(id)]); };
        if (!t.error.empty()) return t.covers.empty() ? "error" : slug("error-" + id_of(t.covers.back()));
        for (TargetId id : t.covers)
            if (request_.is_wanted(id) && covered_by[index(id)] == 1) return slug(id_of(id));
        return "test";
    }

    void name_tests() {
        const std::vector<uint32_t> covered_by = covering_tests();
        std::set<std::string> used = request_.names;
        std::map<std::string, uint32_t> numbers; // the last that was given to a name
        for (SuiteTest& t : suite_.tests) {
            const std::string name = name_of(t, covered_by);
            t.id = name;
            uint32_t& number = numbers.try_emplace(name, 1).first->second;
            while (!used.insert(t.id).second) t.id = name + "-" + std::to_string(++number);
        }
    }

    const Program& program_;
    FoundReplays& replays_;
    const SuiteRequest& request_;
    Suite suite_;
    std::set<std::pair<std::string, std::string>> error_paths_; // of tests: what they end in, and the signature
};

} // namespace

Suite make_suite(const Model& model, FoundReplays& replays, Exploration& found, const SuiteRequest& request) {
    return SuiteMaker(model, replays, request).make(found);
}

} // namespace espalier
