// Adds up the processor time of many short pieces of work, each some tens of nanoseconds, without slowing them down.
//
// The clock of the processor's time costs a system call, after which a short piece runs slower than it ever does
// otherwise. The clock on the wall is cheap, but goes on while the processor works for others, and one such pause is
// longer than a thousand pieces. So one piece in 64 is timed by the wall's clock and stands for the others; the
// processor's clock is looked at some pieces earlier; and where a piece took suspiciously long, what both clocks say
// about the time since then tells how much of it was a pause.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>

namespace espalier::sym {

using Nanoseconds = int64_t;

class Stopwatch {
public:
    static constexpr int64_t one_in = 64;

    // Two of them that time different parts of the same pieces should not time the same piece.
    explicit Stopwatch(uint32_t first_due = 0) : pieces_(one_in - first_due) {}

    // Is the piece of work that comes now to be timed?
    bool is_due() {
        const uint64_t turn = pieces_++ % one_in;
        if (turn == one_in / 4) {
            wall_before_ = wall();
            processor_before_ = processor();
        }
        return turn == 0;
    }
    static Nanoseconds wall() { return look(CLOCK_MONOTONIC); }
    static Nanoseconds processor() { return look(CLOCK_THREAD_CPUTIME_ID); }

    // What a piece took that was due, times all that it stands for. The times are the wall's.
    Nanoseconds all_like(Nanoseconds start, Nanoseconds end) const {
        const Nanoseconds taken = end - start - cost_of_looking();
        if (taken < suspicious) return one_in * taken;
        const Nanoseconds paused = (wall() - wall_before_) - (processor() - processor_before_);
        return one_in * std::max(taken - std::max(paused, Nanoseconds{0}), Nanoseconds{0});
    }

private:
    static constexpr Nanoseconds suspicious = 10'000;

    static Nanoseconds look(clockid_t clock) {
        timespec t{};
        clock_gettime(clock, &t);
        return int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
    }
    static Nanoseconds cost_of_looking() {
        static const Nanoseconds cost = [] {
            std::array<Nanoseconds, 65> looks{};
            for (Nanoseconds& each : looks) {
                const Nanoseconds start = wall();
                each = wall() - start;
            }
            std::nth_element(looks.begin(), looks.begin() + 32, looks.end());
            return looks[32];
        }();
        return cost;
    }

    uint64_t pieces_;
    Nanoseconds wall_before_ = wall(), processor_before_ = processor();
};

} // namespace espalier::sym
