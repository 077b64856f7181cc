// What the machine asks of the search.
#pragma once

#include <span>

#include "symexec/state/state.hpp"

namespace espalier::sym {

class Observer {
public:
    virtual ~Observer() = default;
    virtual bool wants(TargetId target) const = 0;          // would reaching it change anything?
    virtual bool assume(State& state, Value condition) = 0; // takes it into the path; false: the path ends
    // The least and the greatest positive value of an integer; nothing where there is none, or no greatest.
    virtual SolverWord positive_range(State& state, Value integer) = 0;
    // What comes next may depend on the moment, before a deadline, at which the tester did something. Only the earliest
    // and the latest are tried.
    virtual void moments_left_out(const State& state, Label at) = 0;
    virtual std::span<const Value> conditions(const State& state) = 0; // of its path; until the next question
    // The least and the greatest value of a term, where it has at most `most`; of a string, the only one. Nothing where
    // there are more, or the solver does not tell.
    virtual SolverWord few_values(State& state, Value term, int64_t most) = 0;
    virtual bool should_stop() = 0; // asked every few thousand steps
    virtual void collect() = 0;     // the heap is due, the state's values are in its frames
};

} // namespace espalier::sym
