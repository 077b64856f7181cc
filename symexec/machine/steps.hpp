// How many steps the machine has taken, and when it must ask whether to go on.
//
// A step is a block that was begun. Whether the steps suffice is looked at on each, by one comparison, so that every
// run ends by its limits at the same place.
#pragma once

#include <cstdint>
#include <optional>

#include "symexec/values/limits.hpp"
#include "symexec/values/observer.hpp"
#include "symexec/values/outcome.hpp"

namespace espalier::sym {

class Steps {
public:
    explicit Steps(const MachineLimits& limits) : limits_(limits) {}
    uint64_t count() const { return count_; }
    // Counts a state's steps while it runs.
    class Watch {
    public:
        Watch(Steps& steps, State& state);
        ~Watch() { steps_.note(state_); }
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;

    private:
        Steps& steps_;
        State& state_;
    };
    // False: `may_go_on` must be asked before the block begins.
    bool begin_block() { return ++count_ <= pause_at_; }
    std::optional<Outcome> may_go_on(State& s, Observer& observer);
    // After an operation that may have taken long. What it made counts against the path's quiet steps, so that a path
    // that makes large values for ever ends as soon as another.
    void note_work(Value made) {
        if (const uint64_t work = work_of(made); work > 0) [[unlikely]] {
            quiet_start_ -= work;
            set_pause();
        }
        heed_interrupt();
    }
    // Where another thread asks for it, the search is asked at the next block whether to stop.
    void heed_interrupt() {
        if (limits_.interrupt != nullptr && limits_.interrupt->load(std::memory_order_relaxed)) [[unlikely]]
            ask_at_ = pause_at_ = 0;
    }

private:
    void set_pause();
    void note(State& s) const { s.quiet_steps = count_ - quiet_start_; }

    const MachineLimits& limits_;
    uint64_t count_ = 0;
    uint64_t quiet_start_ = 0; // `count_` less the running state's quiet steps
    uint64_t pause_at_ = 0;    // the last step before something must be done
    uint64_t ask_at_ = 0;      // the same, where a trace pauses at each
};

} // namespace espalier::sym
