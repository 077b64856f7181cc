// What the machine is told: how far a run may go, and what is written down of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"

namespace espalier {

// Which of the threads that can go on does: the lowest, or each in turn.
enum class Schedules : uint8_t { first, all };

struct MachineLimits {
    Schedules schedules = Schedules::first;
    uint64_t steps = 0;                           // VM steps in all; 0: none
    uint64_t quiet_steps = 1'000'000;             // of one path between two stable states
    const std::atomic<bool>* interrupt = nullptr; // set by another thread: the observer is asked soon
    const Flow* traced = nullptr;                 // of the program, where blocks are noted by variant
};

// The blocks of a procedure, as entered from one place, that were run.
struct Trace {
    std::vector<bool> entered;     // by block of the λ
    std::vector<bool> then, other; // by block that ends in a branch: did it go that way?
};

// A model error, and the author's place of it.
struct ErrorAt {
    std::string text;
    Span span;
    Label label = no_label;
};

} // namespace espalier
