// What a search finds: tests and model errors, with concrete inputs.
//
// A test runs on from its target to the next stable state, along the first feasible continuation, and its values are
// chosen for that longer path. The continuation, the test's tail, is run aside, at once: so a test does not depend on
// the order of the search or on what is cut later, and it is there whenever the search is stopped. Targets on the
// continuation are covered by the test too. Where there is no such continuation the test ends at its target, and its
// end is open.
//
// Choosing values well takes questions for each input, and depth first most tests are the beginnings of longer ones,
// that are not needed in the end. So while the search goes on a test has the values of the solution at hand, and its
// state is kept; good ones are chosen at the end, for the tests that are needed.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "symexec/search/brancher.hpp"

namespace espalier::sym {

class Findings {
public:
    Findings(const ExploreOptions& options, Machine& machine, Brancher& brancher, PathSolver& paths, Ledger& ledger,
             const Pruners& pruners, Coverage& coverage, Exploration& found)
        : options_(options), machine_(machine), brancher_(brancher), paths_(paths), ledger_(ledger), pruners_(pruners),
          coverage_(coverage), found_(found) {}

    // The state stands at marks of wanted targets. False: its path cannot be.
    bool arrive(State& s, const Arrival& arrival);
    void report(State& s, FoundError error);
    // At the end: are these the tests that are needed? The others are put aside.
    void keep_needed(const std::vector<bool>& needed, const std::function<void(const std::function<void()>&)>& guarded);
    // The states that are kept, for the collector; and what a tail left when it was given up.
    void each(const std::function<void(const State&)>& visit) const;
    void abandon_tail();

private:
    bool arrive_at(State& s, TargetId target, Value condition);
    void arrive_under(State& s, TargetId target, Value condition);
    void note_undecided(const State& s, TargetId target, Label at);
    void cover(State& s, TargetId target);
    std::optional<State> to_next_stable(const State& from);
    Outcome run_tail(State& s);
    std::optional<FoundTest> with_good_values(const FoundTest& test, const State& end,
                                              const std::function<bool()>& stop);
    void tell_found() const;
    bool write_steps(const State& s, const Assignment& values, std::vector<TestStep>& steps);

    static constexpr size_t most_tail_states = 256;
    const ExploreOptions& options_;
    Machine& machine_;
    Brancher& brancher_;
    PathSolver& paths_;
    Ledger& ledger_;
    const Pruners& pruners_;
    Coverage& coverage_;
    Exploration& found_;
    const State* running_ = nullptr; // in a tail
    std::vector<State> tail_;        // states waiting in a tail
    std::vector<State> ends_;        // of the tests found so far, by test
    std::set<std::pair<uint32_t, std::string>> reported_;
};

} // namespace espalier::sym
