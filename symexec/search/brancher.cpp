#include "symexec/search/brancher.hpp"

#include <algorithm>

#include "symexec/follow/follow.hpp"

namespace espalier::sym {

struct Brancher::Ways {
    const Fork& fork;
    const bool is_of_branch;                         // of a condition and its negation
    bool others_infeasible;                          // so far
    const std::shared_ptr<const SideRecord> doubted; // the record of cutting before any way was asked about
};

std::vector<Successor> Brancher::of_fork(State& s, const Fork& fork, const std::function<bool()>& stop) {
    std::vector<Successor> children;
    children.reserve(std::min<size_t>(fork.conditions.size(), 2));
    const auto count = static_cast<uint32_t>(fork.conditions.size());
    Ways ways{fork, count == 2 && fork.conditions[0].is_term(), s.verified && fork.kind == Event::Kind::branch,
              s.records.share(RecordOf::cutting)};
    for (uint32_t i = 0; i < count; ++i) {
        was_stopped_ = was_stopped_ || (i % 64 == 63 && stop && stop());
        if (was_stopped_) break;
        ++statistics_.states_forked;
        WayOn way = take_way(s, ways, i);
        if (auto* child = std::get_if<Successor>(&way)) children.push_back(std::move(*child));
    }
    return children;
}

// The pruners and the solver are asked before a state is made, which costs more than most questions; and the last of
// the states is the given one itself.
Brancher::WayOn Brancher::take_way(State& s, Ways& ways, uint32_t i) {
    const Fork& fork = ways.fork;
    const auto count = static_cast<uint32_t>(fork.conditions.size());
    s.next = oracles_.is_any_asked() ? decided_block(program_, machine_, s, fork, i) : no_block;
    s.records.set(RecordOf::cutting, ways.doubted);
    const Way way{{{fork.label, i, count}, fork.subject.kind}, ways.is_of_branch, s.next};
    // The ways on from a fork inside an operation all begin at the same place: one question answers for them.
    const Moment moment = i == 0 ? Moment::first_way : s.next == no_block ? Moment::same_way : Moment::other_way;
    if (const Pruners::Opinion opinion = pruners_.ask(s, moment); opinion.advice == Advice::drop) {
        ways.others_infeasible = false;
        return ledger_.drop_way(s, opinion.reason, way);
    }
    const Value condition = fork.conditions[i];
    // What is left when all others cannot be is what the path says already.
    const bool is_implied = i + 1 == count && count > 1 && ways.others_infeasible && condition.is_term();
    std::optional<Answer> answer;
    if (condition.is_term() && !is_implied) answer = paths_.ask(s, condition);
    if (answer ? answer->verdict == Verdict::unsat : !condition.is_term() && !condition.is_true())
        return ledger_.drop_way(s, Dropped::refuted, way);
    Successor next{i + 1 == count ? std::exchange(s, {}) : s, is_known_near()};
    State& child = next.state;
    enter_way(child, fork, i, is_implied);
    if (is_implied) {
        child.implied.push(condition);
        return next;
    }
    ways.others_infeasible = false;
    if (!answer) return next;
    const Admission admission = paths_.admit(child, condition, std::move(*answer));
    if (admission.is_yes()) return next;
    ++statistics_.paths;
    return ledger_.drop_unsupported(child, machine_.author_label(child), admission.beyond);
}

// Has the oracle that measures distances just said that the state is at distance 0?
bool Brancher::is_known_near() const {
    return !ledger_.is_in_tail() && cutting_ != nullptr && oracles_.is_guided_by_cutter() && cutting_->is_near();
}

std::vector<Successor> Brancher::of_stable(const State& s) {
    std::vector<Successor> children;
    const std::vector<Offer> offers = machine_.offers(s);
    for (uint32_t i = 0; i < offers.size(); ++i) {
        ++statistics_.states_forked;
        WayOn way = take_offer(s, offers, i);
        if (auto* next = std::get_if<Successor>(&way)) children.push_back(std::move(*next));
    }
    return children;
}

Brancher::WayOn Brancher::take_offer(const State& s, const std::vector<Offer>& offers, uint32_t i) {
    State child = leave_stable(machine_, s, offers, i);
    const Pruners::Opinion opinion = pruners_.ask(child, Moment::offered);
    if (opinion.advice == Advice::drop) return ledger_.drop_offer(child, opinion.reason);
    return Successor{std::move(child), is_known_near()};
}

} // namespace espalier::sym
