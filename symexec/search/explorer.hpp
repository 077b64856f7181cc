// The bounded search (Lahola 2010, definition 3.3): which paths are followed, how far, and in which order.
//
// The counter is charged on the edge that leaves a stable state: with k = 1 the path ends there, otherwise each
// successor has k − 1. An uncovered target that is reached sets k back.
//
// Its parts: brancher.hpp (the ways on from a state), path_solver.hpp (questions to the solver), oracles.hpp (distances
// in the automaton), findings.hpp (tests and errors); pruners and ledger are in their room.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <variant>
#include <vector>

#include "symexec/follow/follow.hpp"
#include "symexec/learn/interpolation.hpp"
#include "symexec/prune/memo.hpp"
#include "symexec/search/confirmation.hpp"
#include "symexec/search/findings.hpp"

namespace espalier::sym {

class Explorer : public Observer, public RootSet, private CoverageListener {
public:
    Explorer(const Program& program, const ExploreOptions& options, const Trials& trials = {});
    Exploration run();

    // Of the machine.
    bool wants(TargetId target) const override { return coverage_.is_wanted(target); }
    bool assume(State& state, Value condition) override;
    SolverWord positive_range(State& s, Value integer) override { return paths_.positive_range(s, integer); }
    SolverWord few_values(State& s, Value v, int64_t most) override { return paths_.few_values(s, v, most); }
    void moments_left_out(const State& s, Label at) override { ledger_.doubt(s, Dropped::moment, at); }
    std::span<const Value> conditions(const State& s) override { return paths_.conditions(s); }
    bool should_stop() override;
    void collect() override;
    void mark_roots(Marker& marker) override;

private:
    // What becomes of a state that was run: it waits, or its successors do; or it is dropped, with its entry.
    struct Waiting {
        std::vector<Successor> states;
        bool is_postponed = false;
    };
    static Waiting alone(State&& s, bool is_stable = false);
    using Fate = std::variant<Waiting, Gone>;

    void search();
    void follow(Successor next);
    Fate advance(State& s);
    Fate divide(State& s, const Fork& fork);
    Fate end_of(State& s, Outcome outcome);
    Fate go_on_from_stable(State& s);
    Fate leave_stable(State& s, Moment moment);
    Outcome run_to_end(State& s);
    bool is_explored() const;
    SearchView view();
    void add_learning(const ExploreOptions& options);
    void note_subsumed(const State& s, const std::string& why);
    void add_memory(const ExploreOptions& options);

    bool limits_hit();
    uint64_t effort_spent() const;
    bool is_stopped() const { return (options_.stop && options_.stop()) || (options_.enough && options_.enough()); }
    void tell_progress();
    void end_by(EndedBy why);
    void end_by_bug(const char* what);
    // What was found before an exception stays, whatever throws: memory that is used up, the solver, a bug of ours.
    // After any of them the search is over.
    void guarded(const std::function<void()>& act);

    void target_covered(TargetId target) override;
    void error_found(Label at) override;
    void tell_dropped();
    void measure_nearest();
    void drop_waiting(const State& s, Dropped why);
    void tell_statistics();
    void choose_values();
    void forget_waiting();
    void unpack(Successor& packed);
    void pack_waiting(size_t bytes);
    size_t own_bytes();

    const Program& program_;
    const ExploreOptions& options_;
    const Trials trials_;
    Exploration found_;
    Terms terms_;
    Machine machine_;
    Coverage coverage_;
    Ledger ledger_;
    PathSolver paths_;
    Oracles oracles_;
    Pruners pruners_;
    std::optional<Cutting> learning_oracle_;       // asked by them
    std::optional<Interpolants> interpolants_;     // where the search learns
    const Interpolation* interpolation_ = nullptr; // one of them, where there is one
    std::unique_ptr<Confirmation> confirmation_;
    const Cutting* cutting_; // one of them; null: nothing is cut
    std::unique_ptr<Frontier> frontier_;
    Brancher brancher_;
    Findings findings_;
    const State* running_ = nullptr;
    const State* followed_ = nullptr; // while a packed state is had again
    uint32_t round_ = 0;              // of the collector
    uint64_t taken_ = 0;              // states
    size_t pack_at_;                  // bytes
    bool is_packed_ = false;          // the waiting states were packed since the last collection
};

} // namespace espalier::sym
