// Adds up the seconds of many short pieces of work. Looking at the clock takes as long as some of the pieces, so only
// some need be timed, each with the weight of those it stands for; and what a look costs is measured once and taken
// off, or it would be most of what is found.
#pragma once

#include <algorithm>
#include <chrono>

namespace espalier::sym {

class Stopwatch {
public:
    using Clock = std::chrono::steady_clock;

    void add(Clock::time_point start, Clock::time_point end, uint32_t weight = 1) {
        total_ += weight * std::max(end - start - cost_of_looking(), Clock::duration::zero());
    }
    double seconds() const { return std::chrono::duration<double>(total_).count(); }

private:
    static Clock::duration cost_of_looking() {
        static const Clock::duration cost = [] {
            auto least = Clock::duration::max();
            for (int i = 0; i < 64; ++i) {
                const auto start = Clock::now();
                least = std::min(least, Clock::now() - start);
            }
            return least;
        }();
        return cost;
    }

    Clock::duration total_{};
};

} // namespace espalier::sym
