// Branch signatures: the ways that a path took, in order. A signature names the state at the path's end, and that state
// can be had again by following it (follow/follow.hpp), on this engine or on another one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lang/lang.hpp"

namespace espalier {

// One entry of a branch signature (thesis, definition 4.1): which way a branching event went. At a branch 0 is "then";
// at a stable state it numbers the tester's choices.
struct Choice {
    Label label{};
    uint32_t taken = 0;
    uint32_t of = 0;
    friend bool operator==(const Choice&, const Choice&) = default;
};

// What the solver said on the path, where that decides which ways there are, and not only which of them can be taken:
// the least and the greatest value of a term, or its only one.
struct SolverWord {
    std::optional<Value> low, high;
};

// Values of model and words live in the heap that the signature was made for.
struct Signature {
    std::vector<Choice> choices;
    std::vector<bool> implied; // by choice: its condition was left out of the path, which says it already
    std::vector<SolverWord> words;
    // What is known of the path at its end: a solution, or where the solver gave up. Null and no label: neither was
    // asked for.
    std::shared_ptr<const std::vector<Value>> model;
    Label undecided = no_label;

    // The same ways; on one program, with the same options, that is the same state.
    friend bool operator==(const Signature& a, const Signature& b) { return a.choices == b.choices; }
};

// "12:0/19:1": labels and the ways taken.
std::string to_text(const Signature& signature);

// A number for a signature, made choice by choice: equal signatures have equal ones.
class SignatureHash {
public:
    void extend(const Choice& choice) {
        uint64_t h = (hash_ ^ index(choice.label)) * 0x9E3779B97F4A7C15U;
        h = (h ^ (h >> 32) ^ (choice.taken + 1)) * 0xC2B2AE3D27D4EB4FU;
        hash_ = h ^ (h >> 29);
    }
    uint64_t value() const { return hash_; }

private:
    uint64_t hash_ = 0;
};

} // namespace espalier
