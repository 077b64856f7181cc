#include "testgen/generate/kept_tests.hpp"

#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>
#include <set>

#include "testgen/replay/suite_replay.hpp"
#include "testgen/suite/copy_value.hpp"
#include "testgen/suite/reader.hpp"
#include "testgen/text/escapes.hpp"

namespace espalier {

namespace {

constexpr size_t most_listed = 30;

// Tests are named after what they are there for. So a new test may have the name of one that was dropped: seen by its
// name, the test has changed.
void tell_added(KeptTests& kept, const std::vector<SuiteTest>& tests) {
    std::map<std::string, std::string> dropped; // why, by name
    for (const KeptTests::Note& note : kept.dropped) dropped.emplace(note.id, note.why);
    std::set<std::string> replaced;
    for (const SuiteTest& t : tests) {
        const auto old = dropped.find(t.id);
        if (old == dropped.end()) {
            kept.added.push_back(t.id);
            continue;
        }
        const std::string& why = old->second;
        kept.changed.push_back({t.id, why + (why.empty() ? "" : "; ") + "another test takes its place"});
        replaced.insert(t.id);
    }
    std::erase_if(kept.dropped, [&](const KeptTests::Note& note) { return replaced.erase(note.id) > 0; }); // one each
}

} // namespace

Result<KeptTests> keep_tests(const std::string& path, const Model& model, Limits* limits) {
    auto text = read_file(path);
    if (!text) return Problem{"cannot read `" + path + "`: " + std::strerror(errno)};
    Sources sources;
    Diagnostics diagnostics;
    const auto tree = parse_xml(sources, sources.add(path, std::move(*text)), diagnostics);
    auto old = tree ? read_old_suite(*tree, *model.program, diagnostics) : std::nullopt;
    if (!old) {
        Problem problem{{}, Problem::Form::lines};
        for (const Diagnostic& d : diagnostics.all()) problem.text += render(sources, d);
        return problem;
    }
    KeptTests kept;
    kept.values = std::make_unique<Heap>(Heap::Lifetime::immortal);
    Rerunner rerunner(model);
    for (OldTest& one : old->tests) {
        if (!one.problem.empty()) {
            // Finding a place takes time in proportion to its line, and all tests may stand on one.
            const bool told = kept.dropped.size() < most_listed;
            kept.dropped.push_back({one.test.id, told ? sources.place(one.problem_at) + ": " + one.problem : ""});
            continue;
        }
        Rerun run;
        run.is_stopped = limits != nullptr && limits->is_all_over();
        if (!run.is_stopped)
            run = rerunner.rerun(one.test, *kept.values, limits == nullptr ? nullptr : &limits->begin_replay());
        if (!run.refused.empty()) {
            kept.dropped.push_back({one.test.id, run.refused});
            continue;
        }
        SuiteTest test = std::move(one.test);
        test.covers = std::move(run.covered);
        test.error_at = run.error_at;
        if (run.is_stopped) kept.unfinished.push_back({test.id, ""});
        if (run.is_stopped ||
            (run.difference.empty() && !one.lost_outputs)) { // word for word: it may leave something open on purpose
            for (SuiteEvent& e : test.events) e.value = copy_value(*kept.values, e.value);
        } else {
            kept.changed.push_back(
                {test.id, run.difference.empty() ? "it expects what the model cannot send any more" : run.difference});
            test.events = std::move(run.events);
            test.error = std::move(run.error);
            test.open_end = run.open_end;
            test.fresh_names = std::move(run.fresh_names);
            test.fresh_ranges = std::move(run.fresh_ranges);
        }
        kept.tests.push_back(std::move(test));
    }
    return kept;
}

void leave_out_kept(const KeptTests& kept, SuiteRequest& request) {
    for (const SuiteTest& t : kept.tests) {
        request.names.insert(t.id);
        if (!t.error.empty()) request.errors.emplace_back(t.error, t.error_at);
        for (const TargetId id : t.covers) request.wanted[index(id)] = false;
    }
}

void put_first(KeptTests& kept, Suite& suite) {
    const auto count = static_cast<uint32_t>(kept.tests.size());
    tell_added(kept, suite.tests);
    for (SuiteTest& t : kept.tests)
        for (SuiteEvent& e : t.events) e.value = copy_value(*suite.values, e.value);
    suite.tests.insert(suite.tests.begin(), std::make_move_iterator(kept.tests.begin()),
                       std::make_move_iterator(kept.tests.end()));
    kept.tests.clear();
    kept.tests.shrink_to_fit();
    for (TargetResult& r : suite.targets)
        if (r.test) *r.test += count;
    for (uint32_t i = count; i-- > 0;)
        for (const TargetId id : suite.tests[i].covers) suite.targets[index(id)] = {TargetStatus::covered, i};
}

std::string kept_text(const KeptTests& kept, const Suite& suite) {
    const auto number = [](size_t n) { return std::to_string(n); };
    std::string out = "  " + number(suite.tests.size() - kept.added.size() - kept.changed.size()) + " kept, " +
                      number(kept.changed.size()) + " changed, " + number(kept.added.size()) + " added, " +
                      number(kept.dropped.size()) + " dropped\n";
    const auto list = [&](const char* word, const std::vector<KeptTests::Note>& notes) {
        for (size_t i = 0; i < notes.size() && i < most_listed; ++i)
            out += std::string("  ") + word + ": " + printable(notes[i].id) +
                   (notes[i].why.empty() ? "" : ": " + printable(notes[i].why)) + "\n";
        if (notes.size() > most_listed)
            out += std::string("  ") + word + ": " + number(notes.size() - most_listed) + " more\n";
    };
    std::vector<KeptTests::Note> added;
    for (const std::string& id : kept.added) added.push_back({id, ""});
    list("changed", kept.changed);
    list("added", added);
    list("dropped", kept.dropped);
    list("kept as it was, not replayed to its end", kept.unfinished);
    return out;
}

} // namespace espalier
