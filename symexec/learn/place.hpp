// Where the running thread of a state stands, with the calls below it; of a stable state, where all threads wait.
#pragma once

#include <cstdint>

#include "symexec/state/state.hpp"

namespace espalier::sym {

inline uint64_t place_of(const State& s) {
    uint64_t h = 0;
    const auto mix = [&](uint64_t with) {
        h = (h ^ with) * 0x9E3779B97F4A7C15U;
        h ^= h >> 32;
    };
    mix(s.running == UINT32_MAX ? 1 : 2); // a block and a place in the code may have the same number
    const auto mix_calls = [&](const Thread& t) {
        for (const Frame* f = t.frame.get(); f->caller != nullptr; f = f->caller) mix(f->back);
    };
    if (s.running != UINT32_MAX) {
        mix(s.threads[s.running].pc);
        mix_calls(s.threads[s.running]);
    } else {
        for (const Thread& t : s.threads) {
            mix(index(t.select));
            mix_calls(t);
        }
    }
    return h;
}

} // namespace espalier::sym
