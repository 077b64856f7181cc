#include "symexec/machine/steps.hpp"

#include <algorithm>

namespace espalier::sym {

Steps::Watch::Watch(Steps& steps, State& state) : steps_(steps), state_(state) {
    steps.quiet_start_ = steps.count_ - state.quiet_steps;
    steps.set_pause();
}

// The next number of steps at which the limits must be looked at.
void Steps::set_pause() {
    constexpr uint64_t between_questions = 4096;
    ask_at_ = (count_ / between_questions + 1) * between_questions;
    const uint64_t quiet = count_ - quiet_start_;
    const uint64_t left = limits_.quiet_steps - std::min(quiet, limits_.quiet_steps);
    if (left < UINT64_MAX - count_) ask_at_ = std::min(ask_at_, count_ + left);
    if (limits_.steps != 0) ask_at_ = std::min(ask_at_, limits_.steps);
    pause_at_ = limits_.traced != nullptr ? 0 : ask_at_;
}

// The block that is about to begin is not counted where it does not.
std::optional<Outcome> Steps::may_go_on(State& s, Observer& observer) {
    if (count_ <= ask_at_) return std::nullopt;
    --count_;
    note(s);
    if (s.quiet_steps >= limits_.quiet_steps) return Outcome::out_of_steps;
    if ((limits_.steps != 0 && count_ >= limits_.steps) || observer.should_stop()) return Outcome::stopped;
    set_pause();
    ++count_;
    return std::nullopt;
}

} // namespace espalier::sym
