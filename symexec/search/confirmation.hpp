// Greedy confirmation: a subtree is explored aside, so that an order of the search that wanders has full interpolants,
// too.
//
// Seed: Jaffar, Murali, Navas 2013, section 5. An order that goes from one path to another seldom finishes a subtree.
// So when it comes to a state, what comes of the state is explored depth first, each place at most once: where a place
// is met again, the state there must be subsumed, or the confirmation has failed. So it takes time with the number of
// places, and not with that of the paths. Deviation: the paper confirms what a finished path has left open; here any
// state may be tried, and places where that failed rest for a while.
//
// Nothing of it counts but what was learnt: where it comes to a target that is wanted, to an error of the model, or to
// anything that is left open, it has failed, and the state is followed as ever.
#pragma once

#include <unordered_set>
#include <vector>

#include "symexec/learn/confirmer.hpp"
#include "symexec/learn/interpolation.hpp"
#include "symexec/learn/place.hpp"
#include "symexec/search/brancher.hpp"

namespace espalier::sym {

class Confirmation : public Confirmer {
public:
    struct Parts {
        const Program& program;
        Machine& machine;
        PathSolver& paths;
        Oracles& oracles;
        Ledger& ledger; // of the search: what the solver cannot say here is none of it
    };
    // `oracle`: null where nothing is cut.
    Confirmation(const Parts& parts, std::unique_ptr<Cutting> oracle, std::unique_ptr<Interpolation> learning);

    bool confirm(const State& state) override;
    uint64_t steps_worth() const override { return pruners_.steps_worth(); }
    void each(const std::function<void(const State&)>& visit) const override;

private:
    bool explore(State start);
    bool run(State s);
    bool is_new_place(const State& s) { return places_.insert(place_of(s)).second; }
    bool leave_stable(State& s);
    bool add(std::vector<Successor> successors);

    static constexpr uint64_t most_steps = 20'000;
    static constexpr size_t most_waiting = 1'000;
    const Parts parts_;
    // Its own, so that the search's say nothing of what is explored aside.
    Story story_;
    std::map<std::string, uint64_t> unsupported_;
    Statistics statistics_;
    Ledger ledger_;
    Pruners pruners_;
    Interpolation& learning_; // one of them
    Brancher brancher_;
    std::vector<State> waiting_;
    const State* running_ = nullptr;
    std::unordered_set<uint64_t> places_;
};

} // namespace espalier::sym
