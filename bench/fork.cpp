// What forking a state costs, by the number of its live cells: `bench_fork`. Prints nanoseconds for one fork and for
// one fork with one write to the copy (the best of several turns), the same as ratios to 100 cells, and the bytes that
// each of many waiting states takes, when none and when one cell of each was written.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "symexec/state/state.hpp"

using namespace espalier;
using namespace espalier::sym;

namespace {

State state_with(uint32_t cells) {
    State s;
    s.store.allocate(cells, Value::fixnum(0));
    Thread t;
    t.frame = FrameRef::make(LambdaId{0}, 16);
    s.threads.push_back(std::move(t));
    s.running = 0;
    return s;
}

template <typename Body>
double nanoseconds(Body body) {
    constexpr uint32_t forks = 20'000;
    double best = 1e9;
    for (int turn = 0; turn < 15; ++turn) {
        const auto start = std::chrono::steady_clock::now();
        for (uint32_t i = 0; i < forks; ++i) body(i);
        const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
        best = std::min(best, spent.count() / forks);
    }
    return best;
}

size_t bytes_alive() { return Store::nodes_alive() * Store::node_bytes + FramePool::of_thread().bytes(); }

// Of the state itself, its thread, and what it does not share with others.
size_t bytes_waiting(const State& s, uint32_t cells, bool written) {
    constexpr uint32_t count = 1000;
    const size_t before = bytes_alive();
    std::vector<State> waiting(count, s);
    for (uint32_t i = 0; i < count; ++i)
        if (written) waiting[i].store.set(i * 7919 % cells, Value::fixnum(i));
    return sizeof(State) + sizeof(Thread) + (bytes_alive() - before) / count;
}

} // namespace

int main() {
    double fork_small = 0, write_small = 0;
    std::printf("%10s %10s %8s %14s %8s %16s %16s\n", "cells", "fork ns", "to 100", "fork+write ns", "to 100",
                "bytes, waiting", "and written");
    for (const uint32_t cells : {100U, 10'000U, 1'000'000U}) {
        const State s = state_with(cells);
        uint64_t seen = 0;
        const double fork = nanoseconds([&](uint32_t) {
            const State copy = s;
            seen += copy.store.size();
        });
        const double write = nanoseconds([&](uint32_t i) {
            State copy = s;
            copy.store.set(i * 7919 % cells, Value::fixnum(i));
        });
        if (cells == 100) {
            fork_small = fork;
            write_small = write;
        }
        std::printf("%10u %10.1f %8.2f %14.1f %8.2f %16zu %16zu\n", cells, fork, fork / fork_small, write,
                    write / write_small, bytes_waiting(s, cells, false), bytes_waiting(s, cells, true));
        if (seen == 0) return 1;
    }
    return 0;
}
