// Learning from dead ends: a stable state is skipped where what kept another one from the targets keeps this one, too.
//
// An *interpolant* is a condition on the data of the states with one outline: nothing that is wanted comes of any of
// them with at most a given counter that satisfies it. It is learnt when the subtree of a state is finished and nothing
// in it was left open (a full interpolant); of any other subtree nothing is known (a half one), and so of those above
// it.
//
// Why nothing is lost. Let s have the interpolant, and let s′ have the same outline, at most the counter of s, and data
// that satisfy the condition. Take a run from s′ that comes to something wanted within its counter, and follow it
// beside the runs from s. Their outlines are the same, so the tester has the same choices, and up to the first fork or
// decision both do the same. Where a way was not taken from s, and the run from s′ takes it, the condition keeps that
// way closed, or the oracle has said that nothing wanted lies that way within the counter. Where the way was taken, it
// ended: by the model, and so does the run; by the bound or the oracle, and the run comes to nothing within its
// counter; or at a stable state with an interpolant of its own, whose condition holds after this way because the
// condition required it. By induction on the number of stable states left, no such run exists. What is wanted only
// becomes less, so this stays so.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "symexec/learn/interpolants.hpp"
#include "symexec/prune/pruner.hpp"

namespace espalier::sym {

class Interpolation : public Pruner {
public:
    struct Counts {
        uint64_t full = 0, half = 0;      // subtrees that were finished, with an interpolant and without
        uint64_t subsumed = 0, asked = 0; // stable states
        size_t bytes = 0;                 // of interpolants, the most
        double seconds = 0;               // of learning, and of looking for interpolants
    };
    struct How {
        bool has_bound = true;
        bool follows = false; // subsumed states are followed all the same, to put them to the test
    };
    // `effort`: what the search has taken so far, in VM steps; `steps_worth` is a part of it.
    Interpolation(const Retracer::Parts& parts, Observer& observer, const How& how, std::function<uint64_t()> effort);
    ~Interpolation() override { is_over_ = true; } // what it holds may let go of more of it
    Interpolation(const Interpolation&) = delete;
    Interpolation& operator=(const Interpolation&) = delete;

    Advice ask(State& state, Moment moment) override;
    Dropped reason() const override { return Dropped::subsumed; }
    void path_dropped(const State& state, Dropped why) override;
    void way_dropped(const State& state, Dropped why, std::optional<uint32_t> way) override;
    bool is_doubted(const State& state) const override;
    void doubt(State& state) const override;
    uint64_t steps_worth() const override { return worth_; }
    size_t bytes() const override { return interpolants_.bytes() + knots_.size() * sizeof(Knot); }
    void each(const std::function<void(const State&)>& visit) const override;
    void forget() override;
    const Counts& counts() const { return counts_; }

private:
    // A stable state whose subtree is being explored.
    struct Token;
    struct Knot {
        State state;
        std::shared_ptr<const Outline> outline;
        size_t events = 0; // of its path
        uint64_t place = 0;
        std::shared_ptr<Token> above; // the knot that it comes from; null: none, or one of which nothing will be known
        Ways ways;                    // from there
        std::map<Ways, Fate> fates;   // of what comes of it
        uint64_t size = 1;            // of the subtree: stretches between knots, and ways that ended
        bool is_open = false;         // nothing will be known of it
        std::shared_ptr<const Reason> reason{}; // where it was subsumed later
    };
    struct Record;
    // What learning at a place has taken, in VM steps that take about as long, and the stretches that were skipped for
    // it, where the subtrees of states that were skipped have the size of those that the interpolants were learnt from.
    struct Place {
        uint64_t looks = 0, taken = 0, skipped = 0;
    };
    Advice meet(State& state, Moment moment);
    Advice meet_again(State& state);
    void begin(State& state, std::shared_ptr<const Outline> outline, std::shared_ptr<Token> above, Ways ways);
    Knot* knot_of(const State& state);
    static Ways ways_since(const Knot& knot, const State& state);
    void settle();
    void finish(Knot& knot);
    uint64_t place_of(const State& state) const;
    bool pays(const Place& place) const;
    void note(uint64_t place, const Place& more);

    static constexpr size_t most_knots = 1 << 16;
    Portraitist artist_;
    Retracer retracer_;
    Interpolants interpolants_;
    Observer& observer_;
    const How how_;
    const std::function<uint64_t()> effort_;
    uint64_t stretches_ = 1; // that the search ran
    uint64_t worth_ = 0;     // VM steps that writing outlines down and learning take, beyond those of the machine
    Counts counts_;
    std::unordered_map<uint64_t, Place> places_;
    Place all_;
    std::unordered_map<uint32_t, std::unique_ptr<Knot>> knots_;
    uint32_t next_ = 0;
    std::deque<uint32_t> finished_; // knots of which no state is left
    bool is_over_ = false;
};

} // namespace espalier::sym
