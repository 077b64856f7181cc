// The search: which paths are followed, how far, and what comes of them.
#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "symexec/machine/machine.hpp"
#include "symexec/prune/coverage.hpp"
#include "symexec/prune/cutting.hpp"
#include "symexec/prune/ledger.hpp"
#include "symexec/prune/memo.hpp"
#include "symexec/search/exploration.hpp"
#include "symexec/search/search.hpp"
#include "symexec/solver/solver.hpp"

namespace espalier::sym {

class Explorer : public Observer, public RootSet, private CoverageListener {
public:
    Explorer(const Program& program, const ExploreOptions& options);
    Exploration run();

    bool wants(TargetId target) const override { return coverage_.is_wanted(target); }
    bool assume(State& state, Value condition) override;
    std::pair<std::optional<Value>, std::optional<Value>> positive_range(State& state, Value integer) override;
    void moments_left_out(const State& state, Label at) override;
    std::span<const Value> conditions(const State& state) override;
    bool may_hold(State& state, Value condition) override;
    bool should_stop() override;
    void collect() override;
    void mark_roots(Marker& marker) override;

private:
    // The search (explore.cpp)
    // What becomes of a state that was run: it waits, or its successors do; or it is dropped, with its entry.
    struct Waiting {
        std::vector<Successor> states;
        bool is_postponed = false;
    };
    using Fate = std::variant<Waiting, Gone>;
    Fate advance(State& state);
    Fate go_on_from_stable(State& state);
    using WayOn = std::variant<Successor, Gone>;
    struct Ways; // of one fork
    std::vector<Successor> successors(State& state, const Fork& fork);
    WayOn take_way(State& state, Ways& ways, uint32_t way);
    std::vector<Successor> tester_successors(const State& state);
    struct Opinion {
        Advice advice;
        Dropped reason;
    };
    Opinion ask_pruners(State& state, Moment moment);
    enum class Admission : uint8_t { yes, no, beyond }; // beyond: see Answer; why is in `beyond_`
    Admission admit(State& child, Value condition);
    enum class Verified : uint8_t { yes, no, unknown };
    Verified verify(State& state);
    bool limits_hit();
    bool is_explored() const;
    bool is_known_near() const;
    Gone give_up(const State& state, const std::string& why);
    void doubt_unsupported(const State& state, const std::string& why);
    void target_covered(TargetId target) override;
    void error_found(Label at) override;
    void set_in_tail(bool in_tail);
    BlockId decided_block(const State& state, const Fork& fork, uint32_t way) const;
    void end_by(EndedBy why);
    void end_by_bug(const char* what);
    void search();
    void tell_statistics();
    void forget_waiting();

    // Tests (found.cpp)
    Outcome run_to_end(State& state);
    bool arrive(State& state, TargetId target, Value condition);
    void note_undecided(const State& state, TargetId target, Label at);
    void cover(State& state, TargetId target);
    std::optional<State> to_next_stable(const State& from);
    void choose_values();
    std::optional<FoundTest> with_good_values(const FoundTest& test, const State& end);
    Answer canonical(const State& state);
    void tell_dropped();
    bool write_steps(const State& state, const Assignment& values, std::vector<Choice>& signature,
                     std::vector<TestStep>& steps);
    void report(State& state, FoundError error);

    // What was found before an exception stays, whatever throws: memory that is used up, the solver, a bug of ours.
    // After any of them the search is over.
    template <typename Act>
    void guarded(const Act& act) {
        try {
            return act();
        } catch (const std::bad_alloc&) {
            if (found_.complete) end_by(EndedBy::memory_limit);
        } catch (const std::exception& e) {
            end_by_bug(e.what());
        }
        active_.clear();
        tail_.clear();
        set_in_tail(false);
    }

    const Program& program_;
    const ExploreOptions& options_;
    Exploration found_;
    Terms terms_;
    Machine machine_;
    std::unique_ptr<Solver> solver_;
    std::unique_ptr<Frontier> frontier_;
    std::optional<Configurations> configurations_; // where somebody asks an oracle
    StackNumbers stacks_;
    std::shared_ptr<Cutters> cutter_; // null: nothing is cut
    std::shared_ptr<Cutters> guide_;  // of Search::distance
    std::shared_ptr<Cutters> places_; // one of these, or one without an oracle; null: there is no automaton
    Coverage coverage_;
    Ledger ledger_;
    std::unique_ptr<Cutting> cutting_; // null: nothing is cut
    std::unique_ptr<Memo> memo_;       // null: stable states are not remembered
    std::vector<Pruner*> pruners_;     // these, the cheapest first
    const char* beyond_ = nullptr;     // what the last condition that was not admitted takes
    bool in_tail_ = false;             // on the way from a target to the next stable state
    std::vector<const State*> active_; // being run
    std::vector<State> tail_;          // states waiting in a tail
    std::vector<State> ends_;          // of the tests found so far, by test
    std::set<std::pair<uint32_t, std::string>> reported_;
    uint32_t round_ = 0;
    uint64_t taken_ = 0;
    // The conditions of the path that was asked about last; paths share beginnings.
    Chain<Value> asked_;
    std::vector<Value> asked_values_;
    std::vector<const Chain<Value>::Node*> asked_nodes_;
};

} // namespace espalier::sym
