// What a search is told, and what it finds.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"
#include "lang/lang.hpp"
#include "symexec/prune/reasons.hpp"
#include "symexec/prune/story.hpp"
#include "symexec/solver/steps.hpp"
#include "symexec/values/limits.hpp"
#include "symexec/values/test_step.hpp"

namespace espalier {

// Depth first, breadth first, by a hash of seed and signature, or the nearest to an uncovered target first; or all of
// these by turns, where there is no bound.
enum class Search : uint8_t { dfs, bfs, random, distance, mixed };

// A depth that no path comes to.
inline constexpr uint32_t no_bound = uint32_t{1} << 30;

// What ended a search that did not end by itself. A search knows its own limits, and that it was stopped. The
// caller that stops it knows why, and says so here.
enum class EndedBy : uint8_t {
    nothing,
    step_limit,
    effort,
    memory_limit,
    stopped,
    internal_error,
    time_limit, // from here on: said by callers
    signal,
    killed,
};
std::string to_text(EndedBy what); // "step limit": what can follow "ended by the"

struct Exploration;
struct FoundTest;

// How far a search has come.
struct Progress {
    size_t covered = 0, waiting = 0; // targets; states
    uint64_t vm_steps = 0, paths = 0, sat_queries = 0;
    double cut_percent = 0;
};

struct ExploreOptions {
    uint32_t depth = 3; // or no_bound: then each stable state is explored once
    Search search = Search::dfs;
    uint64_t seed = 0;
    Schedules schedules = Schedules::first;
    Cut cut = Cut::off;
    const Flow* flow = nullptr; // of the program; for cutting, tracing and Search::distance
    bool trace = false;         // the story is told by variant too: slower, the same search otherwise
    CutParts cut_parts = CutParts::all;
    bool target_info = true;       // the oracle is told which targets are covered (thesis: CPInfo)
    bool bound_info = true;        // and how far a path may still go (thesis: BInfo)
    std::vector<TargetId> targets; // to be reached; empty: all of the program's
    bool all_targets = true;       // false: exactly `targets`
    // Of these the caller has tests already. They are looked for all the same, since what lies on the way to a target
    // guides the search; but when only they are left, the search is over.
    std::vector<TargetId> had;
    // Look for the errors that the analysis is sure of, too: operations that end every run which comes to them.
    bool sure_errors = false;
    bool interpolants = false; // skip stable states that are kept from the targets by what kept another one from them
    bool confirm = true;       // and explore subtrees aside to learn from them, in orders that wander
    bool memo = false;         // skip stable states that are like one whose subtree was explored
    SolverChain chain;
    // A VM step is a block of the λ-IR that is begun, from its start or again after an interruption: after a fork, a
    // wait, or at the test of a clause. Limits are looked at on each step, inside a run too, so they are exact.
    uint64_t step_limit = 0; // VM steps in all; 0: none
    // What the search is worth, in VM steps; likewise. A question to Z3 counts for as many steps as take its time, and
    // so does comparing stable states: so an effort takes about the same time on every model, and is counted all the
    // same.
    uint64_t effort = 0;
    uint64_t quiet_step_limit = 1'000'000; // of one path between two stable states
    size_t memory_limit = 0;               // bytes of the whole program; 0: none
    uint32_t solver_resources = 2'000'000; // Z3's rlimit for one question; deterministic, unlike a timer
    // Asked for each state, every few thousand steps, and while the solver is busy, then by another thread, but never
    // by two at the same time. True ends the search; it must stay so.
    std::function<bool()> stop;
    // Asked by the search as often, but not while the solver is busy. True ends the search alone: its tests still get
    // good values.
    std::function<bool()> enough;
    // Set by another thread when one of these has become true: then it is asked soon, and not only after thousands of
    // steps that may each take long.
    const std::atomic<bool>* interrupt = nullptr;
    // Told of each newly covered target, in order, and of the VM steps that it took; now and then how far it has come.
    std::function<void(TargetId, uint64_t)> covered;
    std::function<void(const Progress&)> progress;
    // Told when a test or an error was found, which is the last one then. A test has the values at hand; it is told of
    // again when it is needed and has good ones.
    std::function<void(const Exploration&)> found;
    std::function<void(const FoundTest&)> improved;
    // Asked once, after the search: which of its tests are needed, given that the values of their inputs will change?
    // Only these get good values, and are kept. Without it: all.
    std::function<std::vector<bool>(const Exploration&)> needed;
};

struct FoundTest {
    uint32_t number = 0; // of all that the search found, in order
    Signature signature;
    std::vector<TestStep> steps;
    std::vector<TargetId> targets; // newly covered: the first is the one that the test is there for
    uint64_t vm_steps = 0;         // of the search, when it was found
    // After the target no stable state was found, nor an end of the model's: on every way an assumption fails, an error
    // is made, or the search gave up. The steps then end at the target, and only a run can tell how it goes on.
    bool open_end = false;
};

struct FoundError : ErrorAt {
    Signature signature;
    std::vector<TestStep> steps;
};

struct Statistics : SolverStatistics {
    uint64_t vm_steps = 0, paths = 0, states_forked = 0;
    uint64_t effort = 0;        // see ExploreOptions
    uint64_t error_queries = 0; // of the solver, for the inputs that lead to model errors
    uint64_t folded = 0;        // conditions on inputs that were constant as soon as they were built
    double total_seconds = 0;
    uint64_t sp_queries = 0, cuts = 0; // questions to the oracle, and how many of them it answered with no
    // Targets covered on paths of which the oracle had said no, or that were put off and followed: one is too many.
    uint64_t disproved = 0;
    // Subtrees that were finished, with an interpolant and without; stable states that were subsumed by one, and looked
    // at.
    uint64_t interpolants_full = 0, interpolants_half = 0, subsumed = 0, subsumption_questions = 0;
    uint64_t confirmations = 0, confirmations_failed = 0;
    double interpolation_seconds = 0; // of learning, and of looking for interpolants
    size_t interpolant_bytes = 0;
    uint64_t memo_hits = 0;     // stable states that were skipped
    uint64_t stable_states = 0; // that were explored: all their ways on were looked at
    // Looks at the sources of a wait, to find a clause that takes something, and at clauses, how far a target is.
    uint64_t wait_looks = 0;
    // Processor time, measured by samples: making oracles, asking them, telling them of covered targets; and of that,
    // finding places in the automaton, which can also be done alone.
    double oracle_seconds = 0, tracking_seconds = 0;
    double flow_seconds = 0; // of analyses of single configurations
    uint64_t ended_by_bound = 0, ended_by_steps = 0, infeasible = 0, assume_failed = 0, finished = 0;
    uint64_t delays_left_out = 0; // symbolic delays of which only the least and greatest were tried
    uint64_t unpacked = 0;        // states that waited as signatures, since memory was short
    size_t peak_waiting = 0;
    size_t peak_memory_bytes = 0; // of states: heap, frames and stores
};

struct Exploration {
    std::unique_ptr<Heap> heap; // owns the values of the steps
    std::vector<FoundTest> tests;
    std::vector<FoundTest> spare;   // tests that were not needed, and the others as they were before values were chosen
    std::vector<FoundError> errors; // of the model, one for each place and text
    std::vector<bool> covered;      // by TargetId
    std::map<std::string, uint64_t> unsupported; // why paths ended that the solver layer cannot express
    Statistics statistics;
    Story story;
    // Operations that may end a run with a model error, as far as the analysis can tell, on paths that were dropped
    // because no target lies ahead of them. The labels are the author's.
    std::vector<Label> untried;
    bool concurrent = false;             // several threads, or timers, could go on at the same time, on some path
    bool complete = true;                // the search ended by itself
    EndedBy ended_by = EndedBy::nothing; // else: what ended it
    size_t given_up = 0;                 // and how many states were still waiting
    // Of those: how many stable states must at least be left on the way from the nearest to an uncovered target. Where
    // the search has no distances, or no waiting state has a target ahead: none.
    std::optional<uint32_t> nearest;
    // A bug of this program ended the search: what it says. What was found before is as good as ever.
    std::optional<std::string> internal_error;
};

// What the program holds of the machine's memory, the solver's part included: what a memory limit is about. 0 where the
// system does not tell.
size_t resident_bytes();

} // namespace espalier
