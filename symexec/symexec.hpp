// Bounded symbolic execution: the base algorithm of the thesis (Lahola 2010, chapter 3.4). A model goes in; out come
// inputs that reach its checkpoints.
//
//   Model model = load_model("turnstile.scm");
//   ExploreOptions options;
//   options.depth = 2;
//   Exploration found = explore(*model.program, options);
//   for (const FoundTest& test : found.tests)
//       for (const TestStep& step : test.steps) …;        // deliver, let time pass, choose: in this order
//
// The search follows every path of the model, with inputs that stand for all their values, while the path's counter
// allows (definition 3.3). Values in the results are concrete and live in `Exploration::heap`; outputs are not here:
// whoever writes a test replays its steps with the concrete interpreter.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"
#include "lang/lang.hpp"

namespace espalier {

// Depth first, breadth first, by a hash of seed and signature, or the nearest to an uncovered target first.
enum class Search : uint8_t { dfs, bfs, random, distance };

// Which of the threads that can go on does: the lowest, or each in turn.
enum class Schedules : uint8_t { first, all };

// Who says which states cannot come to a target within their bound, and need not be followed: nobody, or an oracle.
enum class Cut : uint8_t { off, v1, v2, v3 };

// How much of cutting is done. All but the last follow every state, and are there to measure what the parts cost
// (Lahola 2010, table 6.1, configurations 4b to 4d).
enum class CutParts : uint8_t {
    track, // find each state's place in the automaton
    ask,   // and ask the oracle about it, until it says no of a path: that stays so, and is put to the test
    all,   // and heed the answer
};

// Steps of the solver chain before Z3; each can be left out. Folding is part of how terms are built.
struct SolverChain {
    bool models = true;       // the path's current model already satisfies one side
    bool intervals = true;    // bounds and equalities known on the path
    bool independence = true; // only constraints that share variables with the question
    bool cache = true;        // answers, models and unsat cores
    bool enumeration = true;  // products and divisions of few values, by trying them
    bool validate = false;    // for tests: every answer is checked against plain Z3
};
// From a list of steps: "models,intervals,independence,cache,enumeration,z3", "z3", "all" (these six), with or without
// "validate". The order in which they are asked is fixed, Z3 always the last. Throws std::invalid_argument that says
// what is wrong with the list.
SolverChain parse_solver_chain(std::string_view list);

struct Exploration;

// Why a search drops a path that the model does not end.
enum class Dropped : uint8_t {
    bound,       // it may leave no further stable state
    cut,         // no target is within its bound, says the oracle
    undecided,   // the solver does not say whether it can be: it is followed, but covers nothing
    unsupported, // an operation on symbolic values, or values beyond what this program makes
    steps,       // it does not come to wait
    delay,       // of a symbolic delay only the least and the greatest value were tried
    moment,      // a timer begins while another one runs, and which is due first depends on when the tester acted
    done,        // every target was covered
};
inline constexpr size_t dropped_reasons = static_cast<size_t>(Dropped::done) + 1;

// How far a search has come.
struct Progress {
    size_t covered = 0, waiting = 0; // targets; states
    uint64_t vm_steps = 0, paths = 0, sat_queries = 0;
    double cut_percent = 0;
};

struct ExploreOptions {
    uint32_t depth = 3;
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
    // Look for the errors that the analysis is sure of, too: operations that end every run which comes to them.
    bool sure_errors = false;
    size_t places = size_t{1} << 18; // of waits, and stacks, about which the oracle remembers anything
    bool memo = false;               // skip stable states that are like one whose subtree was explored
    bool follow_put_off = false;     // for tests: who is put off and need not be explored is, to put that to the test
    SolverChain chain;
    // A VM step is a block of the λ-IR that is begun, from its start or again after an interruption: after a fork, a
    // wait, or at the test of a clause. Limits are looked at on each step, inside a run too, so they are exact.
    uint64_t step_limit = 0;               // VM steps in all; 0: none
    uint64_t quiet_step_limit = 1'000'000; // of one path between two stable states
    size_t memory_limit = 0;               // bytes of the whole program; 0: none
    uint32_t solver_resources = 2'000'000; // Z3's rlimit for one question; deterministic, unlike a timer
    // Asked for each state, every few thousand steps, and while the solver is busy, then by another thread, but never
    // by two at the same time. True ends the search; it must stay so.
    std::function<bool()> stop;
    // Set by another thread when `stop` has become true: then it is asked soon, and not only after thousands of steps
    // that may each take long.
    const std::atomic<bool>* interrupt = nullptr;
    // Told of each newly covered target, in order, and of the VM steps that it took; now and then how far it has come.
    std::function<void(TargetId, uint64_t)> covered;
    std::function<void(const Progress&)> progress;
    // Asked once, after the search: which of its tests are needed, given that the values of their inputs will change?
    // Only these get good values, and are kept. Without it: all.
    std::function<std::vector<bool>(const Exploration&)> needed;
};

// One entry of a branch signature (thesis, definition 4.1): which way a branching event went. At a branch 0 is "then";
// at a stable state it numbers the tester's choices.
struct Choice {
    Label label{};
    uint32_t taken = 0;
    uint32_t of = 0;
    friend bool operator==(const Choice&, const Choice&) = default;
};

// An input field that the model compared with a fresh value: the tester sends that value, or one that differs from it.
struct FreshUse {
    std::vector<uint32_t> place; // numbers of fields and list items, outside in; empty for a bare value
    uint32_t fresh = 0;          // its number: binding name "x<number>"
    bool equal = false;
};

struct TestStep {
    enum class Kind : uint8_t { input, wait, choice, schedule } kind = Kind::input;
    PortId port{};                 // input
    Value value{};                 // input: a message, or a bare value
    std::vector<FreshUse> fresh{}; // input
    Units units{};                 // wait: until the earliest deadline, so many units away
    Choice choice{};               // of the environment, at a (choose …); of the scheduler, among turns
};

struct FoundTest {
    std::vector<Choice> signature;
    std::vector<TestStep> steps;
    std::vector<TargetId> targets; // newly covered: the first is the one that the test is there for
    uint64_t vm_steps = 0;         // of the search, when it was found
    // After the target no stable state was found, nor an end of the model's: on every way an assumption fails, an error
    // is made, or the search gave up. The steps then end at the target, and only a run can tell how it goes on.
    bool open_end = false;
};

struct FoundError {
    std::string text;
    Span span;
    Label label = no_label;
    std::vector<Choice> signature;
    std::vector<TestStep> steps;
};

struct Statistics {
    uint64_t vm_steps = 0, paths = 0, states_forked = 0;
    uint64_t sat_queries = 0, z3_queries = 0, sat_unknown = 0;
    uint64_t error_queries = 0; // of them: for the inputs that lead to model errors
    // The steps of the solver chain. Folding: conditions on inputs that were constant as soon as they were built.
    uint64_t folded = 0, answered_by_model = 0, answered_by_intervals = 0, answered_by_equalities = 0;
    uint64_t conditions_left_out = 0; // by independence: it answers nothing itself, but makes questions smaller
    uint64_t answered_by_cache = 0, answered_by_cached_model = 0, answered_by_core = 0, answered_by_enumeration = 0;
    uint64_t asked_again = 0;     // of Z3, in a fresh context
    uint64_t sat_interrupted = 0; // questions that `stop` left without an answer
    double sat_seconds = 0, total_seconds = 0;
    uint64_t sp_queries = 0, cuts = 0; // questions to the oracle, and how many of them it answered with no
    // Targets covered on paths of which the oracle had said no, or that were put off and followed: one is too many.
    uint64_t disproved = 0;
    uint64_t memo_hits = 0; // stable states that were skipped
    // Processor time, measured by samples: making oracles, asking them, telling them of covered targets; and of that,
    // finding places in the automaton, which can also be done alone.
    double oracle_seconds = 0, tracking_seconds = 0;
    double flow_seconds = 0; // of analyses of single configurations
    uint64_t ended_by_bound = 0, ended_by_steps = 0, infeasible = 0, assume_failed = 0, finished = 0;
    uint64_t delays_left_out = 0; // symbolic delays of which only the least and greatest were tried
    size_t peak_waiting = 0;
    size_t peak_memory_bytes = 0; // of states: heap, frames and stores
};

// Where a search has been, for saying why it did not come further. A label is the author's: what happens in prelude
// code is told of the place that called it, but for ways of branches.
struct Story {
    using Times = std::map<Label, uint64_t>; // how often, by place
    // What became of a target where its mark was passed and it was not covered.
    struct Mark {
        uint64_t refuted = 0;    // a condition of its own could not be
        uint64_t undecided = 0;  // the solver did not say whether the path can be, or its own condition
        uint64_t unaccepted = 0; // in a message that no clause took in the end
        uint64_t unwritten = 0;  // no inputs could be given for it
        Label undecided_at = no_label;
    };
    struct Trace {                     // of a procedure, as entered from one place
        std::vector<bool> entered;     // by block of the λ
        std::vector<bool> then, other; // by block that ends in a branch: did it go that way?
    };
    std::vector<bool> entered;                                     // by BlockId
    std::vector<Trace> traces;                                     // by VariantId, where asked for
    std::map<std::pair<Label, uint32_t>, uint64_t> refuted;        // ways of a branch that could not be, how often
    std::map<std::pair<Label, uint32_t>, uint64_t> cut;            // and that lead to no target within the bound
    Times cut_elsewhere;                                           // other decisions of which the bound left out ways
    std::map<BlockId, uint64_t> cut_into;                          // where all these ways would have gone on
    Times cut_from;                                                // or, where that is at no one block, came from
    Times bounded;                                                 // waits at which the bound ended paths
    Times undecided;                                               // conditions that the solver did not decide
    Times delays;                                                  // symbolic delays of which only the ends were tried
    Times moments;                                                 // where the tester's timing may matter
    Times assumed, failed, out_of_steps;                           // where paths ended
    std::map<std::pair<Label, std::string>, uint64_t> unsupported; // and why
    std::map<TargetId, Mark> marks;
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
    // By reason, and by TargetId: may the target lie ahead of a path that was so dropped? Empty where there is no
    // analysis to tell: then any may.
    std::array<std::vector<bool>, dropped_reasons> hidden;
    // Operations that may end a run with a model error, as far as the analysis can tell, on paths that were dropped
    // because no target lies ahead of them. The labels are the author's.
    std::vector<Label> untried;
    bool concurrent = false; // several threads, or timers, could go on at the same time, on some path
    bool complete = true;    // the search ended by itself
    std::string ended_by;    // else: what ended it
    size_t given_up = 0;     // and how many states were still waiting
    // A bug of this program ended the search: what it says. What was found before is as good as ever.
    std::optional<std::string> internal_error;
};

Exploration explore(const Program& program, const ExploreOptions& options = {});

// What the program holds of the machine's memory, the solver's part included: what a memory limit is about. 0 where the
// system does not tell.
size_t resident_bytes();

// "12:0/19:1": labels and the ways taken.
std::string to_text(const std::vector<Choice>& signature);

} // namespace espalier
