// How a run of the machine ends, and how an operation leaves it half-way.
//
// An operation may need an answer that the state does not have: then it throws what it needs, and is started again when
// that is there. It may be a mistake of the author, too. These three are exceptions, for they pass through everything
// that was called on the way. An end that the solver decides is a value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "symexec/state/state.hpp"

namespace espalier::sym {

enum class Outcome : uint8_t {
    arrived, // at targets that are wanted: see Machine::take_arrival, then go_on
    fork,    // see Machine::fork
    stable,  // waits for the tester: see Machine::offers
    finished,
    infeasible, // what was assumed on the way cannot be
    assume_failed,
    model_error,  // see Machine::error
    unsupported,  // see Machine::reason
    out_of_steps, // too many since the last stable state
    stopped,      // a limit of the whole search
};

// Where a state must be suspended: one successor for each condition, in source order.
struct Fork {
    std::vector<Value> conditions;
    Subject subject;
    Label label = no_label;
    Event::Kind kind = Event::Kind::branch;
    std::vector<Value> values = {}; // of the subject in each, where it is about one

    Decision decision(uint32_t way) const {
        return {subject, way, static_cast<uint32_t>(conditions.size()), values.empty() ? Value{} : values[way]};
    }
};

// An operation looked into a message whose definition has a condition. The condition is asked first.
struct Ask {};

// A mistake of the author, met on a path; the place is that of the running operation, unless the fault knows a better.
struct Fault {
    std::string text;
    Span span = {};
};

// The state stands behind marks of targets, each of which counts where its condition, #t or a boolean term, holds.
struct Arrival {
    std::vector<HeldMark> marks;
    bool is_within_block = false;
};

} // namespace espalier::sym
