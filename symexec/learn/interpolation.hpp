// Learning from dead ends: a state is skipped where what kept another one from the targets keeps this one, too.
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

#include "symexec/learn/confirmer.hpp"
#include "symexec/learn/interpolants.hpp"
#include "symexec/prune/pruner.hpp"

namespace espalier::sym {

class Interpolation : public Pruner {
public:
    struct Counts {
        uint64_t full = 0, half = 0;      // subtrees that were finished, with an interpolant and without
        uint64_t subsumed = 0, asked = 0; // states that were skipped, and looked at
        uint64_t confirmations = 0, confirmations_failed = 0;
        size_t bytes = 0;   // of interpolants, the most
        double seconds = 0; // of learning, and of looking for interpolants
    };
    struct How {
        bool has_bound = true;
        bool follows = false;      // subsumed states are followed all the same, to put them to the test
        bool stables_wait = false; // before they are followed
        bool all = false;          // each state is learnt from, whatever it costs
    };
    // `effort`: what the search has taken so far, in VM steps; `steps_worth` is a part of it.
    Interpolation(const Retracer::Parts& parts, Interpolants& interpolants, Observer& observer, const How& how,
                  std::function<uint64_t()> effort);
    ~Interpolation() override { is_over_ = true; } // what it holds may let go of more of it
    Interpolation(const Interpolation&) = delete;
    Interpolation& operator=(const Interpolation&) = delete;

    void confirm_with(Confirmer& confirmer) { confirmer_ = &confirmer; }
    // Told of each state that is skipped, and of the condition that it satisfies, in the author's words.
    using Told = std::function<void(const State& state, const std::string& why)>;
    void tell(Told told) { told_ = std::move(told); }
    Advice ask(State& state, Moment moment) override;
    Dropped reason() const override { return Dropped::subsumed; }
    void path_dropped(const State& state, Dropped why) override;
    void way_dropped(const State& state, Dropped why, const std::optional<Turn>& way) override;
    bool is_doubted(const State& state) const override;
    void doubt(State& state) const override;
    uint64_t steps_worth() const override {
        return worth_ + retracer_.steps_worth() + (confirmer_ == nullptr ? 0 : confirmer_->steps_worth());
    }
    size_t bytes() const override { return interpolants_.bytes() + knot_bytes_; }
    void each(const std::function<void(const State&)>& visit) const override;
    void forget() override;
    const Counts& counts() const { return counts_; }
    void settle();         // learns from what is finished
    void leave_all_open(); // what is explored is given up

private:
    // A stable state, or a fork, whose subtree is being explored.
    struct Token;
    struct Knot {
        State state;
        std::shared_ptr<const Outline> outline;
        size_t events = 0; // of its path
        uint64_t place = 0;
        std::shared_ptr<Token> above; // the knot that it comes from; null: none, or one of which nothing will be known
        Ways ways;                    // from there
        Fates fates{};                // of what comes of it
        uint64_t size = 1;            // of the subtree: stretches between knots, and ways that ended
        bool is_open = false;         // nothing will be known of it
        std::shared_ptr<const Reason> reason{}; // where it was subsumed later
    };
    struct Record;
    // Of learning: how many states were looked at; what it has taken, in VM steps that take about as long; and the
    // stretches that were skipped for it.
    struct Costs {
        uint64_t looks = 0, taken = 0, skipped = 0;
    };
    struct Place {
        Costs lately;
        uint32_t rest = 0, failures = 0; // visits without learning that are left; how often in a row it did not pay
        uint32_t unconfirmed = 0, denials = 0; // the same of confirmations
    };
    Advice meet(State& state, Moment moment);
    Advice meet_again(State& state);
    Interpolants::Found look_up(const State& state, const Outline& outline, uint64_t place, bool tries);
    bool confirms(const State& state, uint64_t place);
    void begin(State& state, std::shared_ptr<const Outline> outline, std::shared_ptr<Token> above, Ways ways);
    Knot* known(uint32_t number); // null: it is finished
    Knot* knot_of(const State& state);
    static Ways ways_since(const Knot& knot, const State& state);
    void finish(Knot& knot);
    bool is_part_of(const Knot& knot, const Knot& above) const;
    std::shared_ptr<const Reason> learnt(const Knot& knot);
    static bool is_told(const Knot& knot, const State& state, Dropped why);
    void leave_open(State& state);
    bool is_worth_it() const;
    uint64_t saved(const Costs& costs) const;
    bool rests(Place& place) const;
    void note(uint64_t place, const Costs& more);

    static constexpr size_t most_knots = 1 << 16;
    static size_t bytes_of(const Knot& knot) {
        return sizeof(Knot) + (knot.outline->words.size() + knot.outline->data.size()) * sizeof(uint64_t);
    }
    Portraitist artist_;
    Retracer retracer_;
    Interpolants& interpolants_;
    Told told_;
    Confirmer* confirmer_ = nullptr; // none: nothing is explored aside
    const Terms& terms_;
    Observer& observer_;
    const How how_;
    const std::function<uint64_t()> effort_;
    uint64_t stretches_ = 1; // that the search ran
    uint64_t worth_ = 0;     // VM steps that writing outlines down and learning take, beyond those of the machine
    Counts counts_;
    std::unordered_map<uint64_t, Place> places_;
    Costs all_;
    bool may_learn_ = true;
    std::unordered_map<uint32_t, std::unique_ptr<Knot>> knots_;
    uint32_t next_ = 0;
    size_t knot_bytes_ = 0;
    std::deque<uint32_t> finished_; // knots of which no state is left
    bool is_over_ = false;
};

} // namespace espalier::sym
