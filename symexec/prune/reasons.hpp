// The parts that drop paths, and their reasons.
#pragma once

#include <cstddef>
#include <cstdint>

namespace espalier {

// The oracle that says which states cannot come to a target within their bound, and need not be followed; or none.
enum class Cut : uint8_t { off, v1, v2, v3 };

// How much of cutting is done. All but the last follow every state, and are there to measure what the parts cost
// (Lahola 2010, table 6.1, configurations 4b to 4d).
enum class CutParts : uint8_t {
    track, // find each state's place in the automaton
    ask,   // and ask the oracle about it, until it says no of a path: that stays so, and is put to the test
    all,   // and heed the answer
};

// Why a search does not follow a path any further, or doubts it. The first ones hide nothing: the model ends the path,
// the path is none of the model's, or all that comes of it comes of another one.
enum class Dropped : uint8_t {
    finished,    // no thread is left, or only services
    assumption,  // one that the model makes fails
    error,       // of the model
    refuted,     // its conditions cannot be
    alike,       // a stable state like one that was explored, or is
    subsumed,    // what kept a state from all targets keeps this one, too (learn/interpolation.hpp)
    bound,       // it may leave no further stable state
    cut,         // no target is within its bound, says the oracle
    undecided,   // the solver does not say whether it can be: it is followed all the same, but covers nothing
    unsupported, // an operation on symbolic values, or values beyond what this program makes
    steps,       // it does not come to wait
    delay,       // of a symbolic delay only the least and the greatest value were tried
    moment,      // a timer begins while another one runs, and which is due first depends on when the tester acted
    done,        // every target was covered
    limit,       // of the whole search
};
// May another path that is like this one come further?
constexpr bool leaves_open(Dropped why) {
    switch (why) {
    case Dropped::undecided:
    case Dropped::unsupported:
    case Dropped::steps:
    case Dropped::delay: return true;
    case Dropped::finished:
    case Dropped::assumption:
    case Dropped::error:
    case Dropped::refuted:
    case Dropped::alike:
    case Dropped::subsumed:
    case Dropped::bound:
    case Dropped::cut:
    case Dropped::moment:
    case Dropped::done:
    case Dropped::limit: break;
    }
    return false;
}
inline constexpr size_t dropped_reasons = static_cast<size_t>(Dropped::limit) + 1;

} // namespace espalier
