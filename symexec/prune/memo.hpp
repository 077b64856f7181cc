// A memory of stable states: what has been explored once need not be again.
//
// A stable state s′ is skipped where a stable state s with at least its counter was explored before, one renaming of
// inputs and addresses maps s onto s′ (their portraits are the same), and the path condition of s′ implies that of s,
// so that every run from s′ is, renamed, a run from s. What s′ could still cover, s has covered: for its subtree is
// finished, and nothing in it was left open (no `unknown`, no path that the solver layer or a limit ended). In breadth
// first order it is enough that s was taken up earlier, since its runs stay ahead of those of s′.
//
// In the order of distances, which wanders, a state is seldom finished when one like it comes. There s′ is postponed
// until nothing else is left to do. By then a postponed state need not be explored where it is like a state of whose
// subtree nothing was left open. For suppose that some postponed states could still come to a new target, and take the
// one from which it is nearest, over the fewest stable states. Its way is, renamed, one from the state it is like. That
// way was followed until the target, or until a postponed state: but from that one the target would be nearer still.
// What a path condition says about inputs that can still be read is in live_conditions.hpp.
//
// A state met for the first time is kept as it is, under a cheap fingerprint; portraits are made when a second one has
// the same.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "symexec/prune/live_conditions.hpp"
#include "symexec/prune/portrait.hpp"
#include "symexec/prune/pruner.hpp"
#include "symexec/prune/subtree.hpp"

namespace espalier::sym {

class Memo : public Pruner {
public:
    enum class Order : uint8_t { breadth_first, nearest_first, other };
    Memo(const Program& program, const Code& code, Terms& terms, Solver& solver, Order order)
        : artist_(program, code, terms), conditions_(terms, solver, artist_), order_(order) {}

    // If a stable state is to be explored, what comes of it belongs to a new subtree, from now on.
    Advice ask(State& state, Moment moment) override;
    Dropped reason() const override { return Dropped::alike; }
    void path_dropped(const State& state, Dropped why) override;
    bool must_be_explored(const State& state) const override;
    bool is_doubted(const State& state) const override;
    void doubt(State& state) const override;
    size_t bytes() const override { return words_ * sizeof(uint64_t); }
    void each(const std::function<void(const State&)>& visit) const override;
    void forget() override;

private:
    struct Entry {
        uint32_t k = 0;
        std::shared_ptr<const Subtree::Progress> progress;
        std::vector<uint64_t> words; // of the portrait
        RememberedPath path;
    };
    using Entries = std::vector<Entry>; // with one portrait, or whose portraits have the same hash; the oldest first
    struct Record;
    Advice meet(State& state);
    Advice compare(State& state, const Portrait& portrait, Entries& alike); // of a postponed one: notes like which
    void remember(const State& state, Portrait portrait, const std::shared_ptr<const Subtree::Progress>& progress);

    static constexpr size_t most_words = size_t{1} << 24; // 128 MB; then nothing new is remembered
    static constexpr size_t most_alike = 8;               // entries with one portrait that are compared
    Portraitist artist_;
    LiveConditions conditions_;
    Order order_;
    size_t words_ = 0;
    // By fingerprint: the only state that had it so far, without its subtree; nothing when there were more.
    struct Kept {
        State state;
        std::shared_ptr<const Subtree::Progress> progress;
    };
    std::unordered_map<uint64_t, std::unique_ptr<Kept>> met_;
    std::unordered_map<uint64_t, Entries> entries_; // by hash of the portrait
};

} // namespace espalier::sym
