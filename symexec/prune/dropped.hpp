// The paths that a search dropped, and what may lie ahead of them: nothing else can have been missed.
//
// A state that is dropped is a node of the automaton and a stack for each of its threads. What the automaton reaches
// from there, at any distance, holds all that any run through that state comes to. So a target that is reached from no
// dropped state, and was not covered, is out of every run's reach, however many states were dropped for other reasons.
//
// The sets only grow: adding a state costs what it adds, since nodes and frames are remembered (pda::ReachableSet).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "symexec/prune/cutters.hpp"
#include "symexec/prune/reasons.hpp"

namespace espalier::sym {

class DroppedPaths {
public:
    // All must outlive this. `places` finds states in the automaton; it need not have an oracle.
    DroppedPaths(const Program& program, const Configurations& configurations, Cutters& places);

    void note(Dropped why, const State& state);
    // The target was passed, and not covered for that reason.
    void note(Dropped why, TargetId target);

    // The targets that may lie ahead of what was dropped so, by TargetId.
    std::vector<bool> targets(Dropped why) const;
    // Operations that may end a run with a model error, ahead of what was dropped so: the author's labels, ascending.
    std::vector<Label> fallible(Dropped why) const;

private:
    struct Ahead {
        std::vector<std::unique_ptr<pda::ReachableSet>> sets; // by configuration
        std::vector<TargetId> passed;
    };
    pda::ReachableSet& set_of(Ahead& ahead, uint32_t configuration);
    bool may_ask_demands(const State& state) const;
    void add_demands(const Flow& flow, pda::ReachableSet& set) const;

    const Program& program_;
    const Configurations& configurations_;
    Cutters& places_;
    bool has_inner_messages_; // a field may hold a message
    std::array<Ahead, dropped_reasons> ahead_;
};

} // namespace espalier::sym
