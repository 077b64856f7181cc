// Interpolants that were learnt: conditions on the data of stable states, by the states' outlines.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "symexec/learn/retrace.hpp"

namespace espalier::sym {

class Interpolants {
public:
    // `counts`: do counters matter? Without a bound they do not. `most_bytes`: past them those that did not serve are
    // forgotten.
    Interpolants(Terms& terms, Solver& solver, bool counts, size_t most_bytes)
        : terms_(terms), solver_(solver), facts_(terms), counts_(counts), most_bytes_(most_bytes) {}

    // `size`: of the subtree that it was learnt from.
    void add(std::shared_ptr<const Outline> outline, uint32_t counter, std::shared_ptr<const Reason> reason,
             uint64_t size);
    struct Found {
        std::shared_ptr<const Reason> reason; // null: there is none
        uint64_t size = 0;
    };
    // One that says of this state that nothing wanted comes of it.
    Found find(const State& state, const Outline& outline);
    size_t bytes() const { return bytes_; }
    void clear();

private:
    struct Interpolant {
        uint32_t counter;
        uint32_t hits = 0;
        uint64_t size = 0;
        std::shared_ptr<const Reason> reason;
    };
    struct Entry {
        std::shared_ptr<const Outline> outline;
        std::vector<Interpolant> all; // the last one that served comes first
    };
    bool surely_holds(const State& state, const Outline& outline, const Assignment& values, const Reason& reason);
    bool holds(const State& state, const Outline& outline, const Assignment& values, const Reason& reason);
    void forget_useless();

    static constexpr size_t most_alike = 32; // interpolants for one outline
    Terms& terms_;
    Solver& solver_;
    PathFacts facts_;
    const bool counts_;
    const size_t most_bytes_;
    size_t bytes_ = 0;
    std::unordered_map<uint64_t, std::vector<Entry>> entries_; // by hash of the outline
};

uint64_t hash_of(const Outline& outline);

} // namespace espalier::sym
