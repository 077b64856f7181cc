// Kept tests: those of an earlier suite, run again on the model as it is now. A test that the model still takes stays,
// under its name. What it covers is found out anew, and its outputs are replaced where they differ. New tests are made
// only for targets that no kept test covers. A test that was written by hand is treated like any other. A test whose
// run a limit ends stays as it was, and covers what it had reached by then, so that nothing of the earlier suite is
// lost.
#pragma once

#include <string>
#include <vector>

#include "testgen/generate/suite_maker.hpp"
#include "testgen/suite/suite.hpp"
#include "testgen/terminal/limits.hpp"
#include "testgen/text/result.hpp"

namespace espalier {

struct KeptTests {
    struct Note {
        std::string id, why;
    };
    std::vector<SuiteTest> tests; // in the order of the earlier suite
    std::unique_ptr<Heap> values;
    std::vector<Note> changed; // they are in `tests` too: something else comes out; then new ones for those dropped
    std::vector<Note> dropped;
    std::vector<Note> unfinished;   // they are in `tests` too: a limit ended their run, or came before it
    std::vector<std::string> added; // names of new tests, but for these
};

// A problem: there is no such suite.
Result<KeptTests> keep_tests(const std::string& path, const Model& model, Limits* limits = nullptr);

// What new tests need not have: names, errors that are shown, and targets that are covered. The request says for each
// target whether it is wanted.
void leave_out_kept(const KeptTests& kept, SuiteRequest& request);

// The kept tests first, then those of the suite, whose table of targets becomes that of all of them.
void put_first(KeptTests& kept, Suite& suite);

// How many of the suite's tests were kept, changed and added, how many were dropped, and which.
std::string kept_text(const KeptTests& kept, const Suite& suite);

} // namespace espalier
