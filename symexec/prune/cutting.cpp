#include "symexec/prune/cutting.hpp"

#include <algorithm>

namespace espalier::sym {

// A path with counter k can still leave k − 1 stable states. What is said of it with no stays so, for what comes of it
// and while targets become fewer. Where the answer is not heeded, the oracle is not asked again: the path is followed
// to its end, as if nothing had been said, and what it covers shows that the oracle is wrong.
Advice Cutting::ask(State& s, Moment moment) {
    if (moment == Moment::forked) return Advice::follow; // each way is asked about
    is_near_ = is_near_ && moment == Moment::same_way;
    if (is_doubted(s)) return Advice::follow;
    if (parts_ == CutParts::track) {
        if (moment != Moment::same_way) cutters_->track(s);
        return Advice::follow;
    }
    ++questions_;
    if (moment != Moment::same_way) may_reach_ = may_reach(s, moment);
    if (may_reach_) return Advice::follow;
    if (parts_ == CutParts::ask) {
        doubt(s);
        return Advice::follow;
    }
    ++cuts_;
    return Advice::drop;
}

bool Cutting::may_reach(const State& s, Moment moment) {
    // A mark that was passed and counts once a clause accepts is still ahead.
    const bool is_held = std::any_of(s.held.begin(), s.held.end(), [&](const HeldMark& m) {
        return target_info_ ? coverage_.is_wanted(m.target) : coverage_.is_asked(m.target);
    });
    const bool may = is_held || cutters_->may_reach(s, s.k - 1, moment);
    is_near_ = !is_held && may && s.k == 1;
    return may;
}

void Cutting::doubt(State& s) const {
    static const auto doubted = std::make_shared<const SideRecord>();
    s.records.set(RecordOf::cutting, doubted);
}

} // namespace espalier::sym
