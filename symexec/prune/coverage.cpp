#include "symexec/prune/coverage.hpp"

#include <algorithm>

namespace espalier::sym {

Coverage::Coverage(size_t targets, bool all, std::span<const TargetId> asked, std::vector<Label> errors,
                   std::span<const TargetId> had)
    : asked_(targets, all), covered_(targets, false), had_(targets, false), errors_(std::move(errors)),
      errors_left_(errors_) {
    for (const TargetId t : asked) asked_[index(t)] = true;
    for (const TargetId t : had) had_[index(t)] = true;
    count_ = left_ = static_cast<size_t>(std::count(asked_.begin(), asked_.end(), true));
    needed_ = 0;
    for (uint32_t t = 0; t < targets; ++t) needed_ += is_needed(TargetId{t}) ? 1 : 0;
}

std::vector<bool> Coverage::wanted() const {
    std::vector<bool> wanted = asked_;
    for (size_t t = 0; t < wanted.size(); ++t) wanted[t] = wanted[t] && !covered_[t];
    return wanted;
}

void Coverage::cover(std::span<const TargetId> targets) {
    for (const TargetId t : targets) {
        needed_ -= is_needed(t) ? 1 : 0;
        covered_[index(t)] = true;
    }
    left_ -= targets.size();
    for (const TargetId t : targets)
        for (CoverageListener* listener : listeners_) listener->target_covered(t);
}

void Coverage::find_error(Label at) {
    if (std::erase(errors_left_, at) == 0) return;
    for (CoverageListener* listener : listeners_) listener->error_found(at);
}

} // namespace espalier::sym
