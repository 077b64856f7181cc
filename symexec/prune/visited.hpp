// The stable states that a search without a bound has been to: each is explored once.
//
// Where no bound ends paths, counters do not matter, and a stable state s′ is skipped when its turn comes where there
// is a state s that it is like (as memo.hpp says: one renaming maps s onto s′, and the path condition of s′ implies
// that of s), whether s was explored or is being explored. Why nothing is lost: suppose that some skipped states could
// still come to a target that is not covered when the search has ended by itself. Take the one from which it is
// nearest, over the fewest stable states. Its way is, renamed, a way from the state it is like, which was explored.
// That way was followed to the target, which is covered then; or to a state that was dropped for a reason that hides
// the target, and the ledger says so; or to a state that was skipped, from which the target would be nearer still.
//
// A path that was left open (the solver gave up, or an operation is not supported) may be decided on the path of
// another state that is like the one it came from. So a state is skipped only where nothing was left open right behind
// the other, before the next stable states.
//
// Whether a state is like another is looked at when it is explored, and not when it begins to wait: to portray a state
// may take longer than all that led to it, and most states of a large model wait until the search is over.
//
// Portraits are kept exactly (portrait_set.hpp). When they take more memory than they may, the least useful half is
// forgotten: states that were never met again, the oldest first. Forgetting loses nothing; a state may be explored
// again.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "symexec/prune/live_conditions.hpp"
#include "symexec/prune/portrait.hpp"
#include "symexec/prune/portrait_set.hpp"
#include "symexec/prune/pruner.hpp"

namespace espalier::sym {

class Visited : public Pruner {
public:
    // Does the search explore a stable state when it comes to it, or later, when the state's turn comes?
    enum class Exploring : uint8_t { at_once, later };
    Visited(const Program& program, const Code& code, Terms& terms, Solver& solver, Exploring when, size_t most_bytes)
        : artist_(program, code, terms), conditions_(terms, solver, artist_), when_(when), most_bytes_(most_bytes) {}

    Advice ask(State& state, Moment moment) override;
    Dropped reason() const override { return Dropped::alike; }
    void path_dropped(const State& state, Dropped why) override;
    uint64_t steps_worth() const override { return portrayed_ / words_of_step; }
    size_t bytes() const override;
    void forget() override;

private:
    static constexpr uint32_t none = UINT32_MAX;
    // What a portrait takes, in words that are written: those that it has, one for so many conditions of a long path,
    // and some for each of very many inputs; and how many of them are one step.
    static constexpr uint64_t conditions_of_word = 16, words_of_input = 40;
    static constexpr size_t usual_inputs = 256;
    static constexpr uint64_t words_of_step = 16;
    static constexpr size_t most_alike = 8; // states with one portrait that are compared
    // A state that was explored. It keeps its number for as long as the search lasts; what it is like may be forgotten.
    struct Visit {
        uint32_t portrait = none;               // none: forgotten
        uint32_t next = none;                   // the next older one with this portrait
        uint16_t hits = 0;                      // how often one like it was skipped, since some was last forgotten
        bool is_open = false;                   // something right behind it was left open
        std::unique_ptr<RememberedPath> path{}; // null where the portrait mentions no input
    };
    struct Record;

    Advice visit(State& state);
    uint32_t like(const State& state, const Portrait& portrait, uint32_t number);
    void remember(State& state, Portrait&& portrait, uint32_t number);
    void forget_half();

    Portraitist artist_;
    LiveConditions conditions_;
    Exploring when_;
    const size_t most_bytes_;
    size_t forget_at_ = most_bytes_;
    uint64_t portrayed_ = 0; // words
    size_t path_bytes_ = 0;  // of the visits' paths, roughly
    PortraitSet portraits_;
    std::vector<uint32_t> newest_; // by portrait: the last visit that has it, or none
    std::vector<Visit> visits_;
};

} // namespace espalier::sym
