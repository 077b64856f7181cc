// Adds up the processor time of many short pieces of work, each some tens of nanoseconds, without slowing them down.
//
// The clock of the processor's time costs a system call, after which a short piece runs slower than it ever does
// otherwise. The clock on the wall is cheap, but goes on while the processor works for others, and one such pause is
// longer than a thousand pieces. So one piece in 64 is timed by the wall's clock and stands for the others; the
// processor's clock is looked at some pieces earlier; and where a piece took suspiciously long, what both clocks say
// about the time since then tells how much of it was a pause. What looking at the clock costs is taken off; it is found
// out among the pieces too, since it costs more there than in a loop that does nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>

namespace espalier::sym {

using Nanoseconds = int64_t;

class Stopwatch {
public:
    static constexpr int64_t one_in = 64;

    // Is the piece of work that comes now to be timed?
    bool is_due() {
        const uint64_t turn = pieces_++ % one_in;
        if (turn == one_in / 4) {
            wall_before_ = wall();
            processor_before_ = processor();
        }
        if (turn == 3 * one_in / 4) look_at_nothing();
        return turn == 0;
    }
    // Is it as far as can be from those that are timed? Then a part of it may be done and timed once more for itself.
    bool is_halfway() const { return pieces_ % one_in == one_in / 2; }
    static Nanoseconds wall() { return look(CLOCK_MONOTONIC); }
    static Nanoseconds processor() { return look(CLOCK_THREAD_CPUTIME_ID); }

    // What a piece took that was due, times all that it stands for. The times are the wall's. One that took a hundred
    // times as long as the others was interrupted, or is rare, and stands for itself.
    Nanoseconds all_like(Nanoseconds start, Nanoseconds end) {
        Nanoseconds taken = end - start - (looks_ == 0 ? 0 : looking_ / looks_);
        if (taken >= suspicious) {
            const Nanoseconds paused = (wall() - wall_before_) - (processor() - processor_before_);
            taken = std::max(taken - std::max(paused, Nanoseconds{0}), Nanoseconds{0});
            if (timed_ >= one_in && taken >= suspicious && taken > 100 * (taken_ / timed_)) return taken;
        }
        taken_ += taken;
        ++timed_;
        return one_in * taken;
    }

private:
    static constexpr Nanoseconds suspicious = 10'000, interrupted = 500;

    static Nanoseconds look(clockid_t clock) {
        timespec t{};
        clock_gettime(clock, &t);
        return int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
    }
    void look_at_nothing() {
        const Nanoseconds start = wall(), taken = wall() - start;
        if (taken >= interrupted) return;
        looking_ += taken;
        ++looks_;
    }

    uint64_t pieces_ = 0;
    Nanoseconds wall_before_ = wall(), processor_before_ = processor();
    Nanoseconds looking_ = 0, looks_ = 0; // what looks at nothing took in all, and how many there were
    Nanoseconds taken_ = 0, timed_ = 0;   // the same of pieces
};

} // namespace espalier::sym
