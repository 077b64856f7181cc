// What a path condition says about the inputs that a portrait mentions, and whether one state's implies another's.
//
// Inputs that the portrait does not mention are dead. Conditions on dead inputs alone say nothing about what can still
// happen, since they can be satisfied. One that ties a dead input to a live one is projected (projection.hpp), or else
// must be found among those of the other state as it is.
#pragma once

#include <optional>
#include <vector>

#include "symexec/prune/portrait.hpp"
#include "symexec/solver/solver.hpp"
#include "symexec/terms/chain.hpp"

namespace espalier::sym {

// The path condition of a state that is remembered.
struct RememberedPath {
    Chain<Value> path;
    std::vector<uint32_t> inputs;                   // of the portrait
    std::optional<std::vector<Value>> conditions{}; // on live inputs, renamed; made when first needed
};

class LiveConditions {
public:
    LiveConditions(Terms& terms, Solver& solver, Portraitist& artist)
        : terms_(terms), solver_(solver), artist_(artist) {}

    // One state that others are compared with.
    class Subject {
    public:
        Subject(LiveConditions& all, const State& state, const std::vector<uint32_t>& inputs)
            : all_(all), state_(state), inputs_(inputs) {}
        // Does what is so on this state's path satisfy the conditions of the other, which has the same portrait?
        bool implies(RememberedPath& other);

    private:
        LiveConditions& all_;
        const State& state_;
        const std::vector<uint32_t>& inputs_;
        std::optional<std::vector<Value>> conditions_;
        Assignment known_; // some solution of the state's, renamed
    };

private:
    std::vector<Value> relevant(const Chain<Value>& path, const std::vector<uint32_t>& inputs);
    bool implies(const std::vector<Value>& conditions, const Assignment& known, RememberedPath& other);

    Terms& terms_;
    Solver& solver_;
    Portraitist& artist_;
};

} // namespace espalier::sym
