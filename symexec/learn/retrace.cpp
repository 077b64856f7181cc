#include "symexec/learn/retrace.hpp"

#include <algorithm>
#include <tuple>

#include "symexec/machine/watched.hpp"

namespace espalier::sym {

bool WaysOrder::operator()(const Ways& a, const Ways& b) const {
    const auto number = [](const Turn& t) {
        return std::make_tuple(index(t.choice.label), t.choice.of, t.about, t.choice.taken);
    };
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [&](const Turn& x, const Turn& y) { return number(x) < number(y); });
}

std::optional<Reason> Retracer::reason(const State& s, const Outline& outline, const Fates& fates, Observer& before) {
    struct Forgotten {
        ~Forgotten() { all.forget(); } // also where something is thrown
        Retracer& all;
    };
    const Forgotten forgotten{*this};
    const Veiled veiled = veiler_.veil(s);
    veiled_ = &veiled.state;
    // Where each variable stands in the outline. It must be there once, and nothing else.
    const Outline open = artist_.outline(veiled.state);
    std::vector<uint32_t> number_of(veiled.content.size(), UINT32_MAX);
    bool is_plain = open.words == outline.words && open.data.size() == veiled.content.size();
    for (uint32_t i = 0; is_plain && i < open.data.size(); ++i) {
        is_plain = open.data[i].is_term() && parts_.terms[open.data[i]].op == Op::variable;
        if (is_plain) number_of[parts_.terms.ordinal(open.data[i])] = i;
    }
    const bool is_in_order = std::is_sorted(number_of.begin(), number_of.end());
    if (!is_plain || std::find(number_of.begin(), number_of.end(), UINT32_MAX) != number_of.end()) return std::nullopt;
    veiled_content_ = veiled.content.size();
    fates_ = &fates;
    before_ = &before;
    is_given_up_ = false;
    requirements_.emplace(tools_, s, veiled);
    try {
        const Watched watched(parts_.machine, *this);
        if (!retrace(veiled.state) || is_given_up_) return std::nullopt;
    } catch (const Unsupported&) { // a condition that would be too deep
        return std::nullopt;
    }
    Reason reason;
    Terms::Rebuilt done;
    const auto in_outline = [&](Value v) {
        return variables_.variable(number_of[parts_.terms.ordinal(v)], parts_.terms[v].sort);
    };
    for (const Value condition : requirements_->all())
        reason.conditions.push_back(is_in_order ? condition : parts_.terms.substitute(condition, in_outline, done));
    return reason;
}

void Retracer::forget() {
    veiled_ = nullptr;
    running_ = nullptr;
    ways_ = nullptr;
    waiting_.clear();
    requirements_.reset();
}

void Retracer::each(const std::function<void(const State&)>& visit) const {
    if (veiled_ != nullptr) visit(*veiled_);
    if (running_ != nullptr) visit(*running_);
    for (const Stretch& s : waiting_) visit(s.state);
}

const Fate* Retracer::fate(const Ways& ways) const {
    const auto found = fates_->find(ways);
    return found == fates_->end() ? nullptr : &found->second;
}

// Did the search take these ways, and further ones?
bool Retracer::begins(const Ways& ways) const {
    const auto next = fates_->lower_bound(ways);
    return next != fates_->end() && next->first.size() > ways.size() &&
           std::equal(ways.begin(), ways.end(), next->first.begin());
}

bool Retracer::is_over(const Ways& ways, std::initializer_list<Dropped> reasons) const {
    const Fate* end = fate(ways);
    return end != nullptr && end->kind == Fate::Kind::over &&
           std::find(reasons.begin(), reasons.end(), end->why) != reasons.end();
}

bool Retracer::retrace(const State& start) {
    if (start.running == UINT32_MAX && !start.delivering) return retrace_offers(start);
    waiting_.push_back({start, {}});
    return run_all();
}

bool Retracer::retrace_offers(const State& stable) {
    const std::vector<Offer> offers = parts_.machine.offers(stable);
    const auto count = static_cast<uint32_t>(offers.size());
    for (uint32_t i = 0; i < count; ++i) {
        const Ways ways{{{offers[i].label, i, count}, Subject::Kind::truth}};
        const Fate* end = fate(ways);
        if (end != nullptr && end->kind == Fate::Kind::left) continue;
        if (end == nullptr ? !begins(ways) : end->kind == Fate::Kind::unknown) return false;
        waiting_.push_back({leave_stable(parts_.machine, stable, offers, i), ways});
        if (!run_all()) return false;
    }
    return true;
}

bool Retracer::run_all() {
    while (!waiting_.empty()) {
        Stretch next = std::move(waiting_.back());
        waiting_.pop_back();
        running_ = &next.state;
        ways_ = &next.ways;
        const bool goes_on = run(next);
        running_ = nullptr;
        if (!goes_on || is_given_up_) return false;
    }
    return true;
}

bool Retracer::run(Stretch& stretch) {
    State& s = stretch.state;
    s.next = no_block;
    Machine& machine = parts_.machine;
    Outcome outcome = machine.run(s);
    while (outcome == Outcome::arrived) {
        const Arrival arrival = machine.take_arrival();
        if (!at_marks(s, arrival)) return false;
        outcome = machine.go_on(s, arrival);
    }
    switch (outcome) {
    case Outcome::fork: return at_fork(stretch, Fork(machine.fork()));
    case Outcome::stable: return at_end(stretch, fate(stretch.ways));
    case Outcome::finished: return is_over(stretch.ways, {Dropped::finished});
    case Outcome::infeasible: return is_over(stretch.ways, {Dropped::refuted});
    case Outcome::assume_failed: return is_over(stretch.ways, {Dropped::assumption});
    case Outcome::model_error: return is_over(stretch.ways, {Dropped::error});
    case Outcome::unsupported:
    case Outcome::out_of_steps:
    case Outcome::stopped:
    case Outcome::arrived: break;
    }
    return false;
}

// Its own condition kept a target from being covered, and must go on doing so.
bool Retracer::at_marks(State& s, const Arrival& arrival) {
    return std::all_of(arrival.marks.begin(), arrival.marks.end(), [&](const HeldMark& m) {
        return m.condition.is_term() && require(s, parts_.terms.negation(m.condition));
    });
}

// Where it fails, the path ends.
bool Retracer::assume(State& s, Value condition) {
    const Value here = requirements_->of_content(condition);
    if (here.is_term()) { // whether it held is known by what became of the way
        const Fate* end = fate(*ways_);
        if (end != nullptr && end->kind == Fate::Kind::over) give_up();
    } else if (here.is_false()) {
        if (matters(s, no_block) && !require(s, parts_.terms.negation(condition))) give_up();
        return false;
    }
    s.path.push(condition);
    return true;
}

// The data must go on having that value. A term over inputs has several, and those were said by the solver.
SolverWord Retracer::only_value(State& s, Value term) {
    const Value here = requirements_->of_content(term);
    const bool is_integer = parts_.terms.is_sort(term, Sort::integer);
    if (here.is_term() || !is_integer || !require(s, parts_.terms.equal_integers(term, here))) {
        give_up();
        return {};
    }
    return {here, here};
}

bool Retracer::at_fork(Stretch& stretch, const Fork& fork) {
    std::vector<Value> here;
    bool has_data = false, is_open = false;
    for (const Value condition : fork.conditions) {
        has_data = has_data || requirements_->mentions_data(condition);
        here.push_back(requirements_->of_content(condition));
        is_open = is_open || here.back().is_term();
    }
    if (has_data && !is_open) return decide(stretch, fork, here);
    const Fate* end = fate(stretch.ways);
    if (end == nullptr) return divide(stretch, fork);
    return end->kind == Fate::Kind::reasons && at_end(stretch, end);
}

// By its data the state went one way, without a fork.
bool Retracer::decide(Stretch& stretch, const Fork& fork, const std::vector<Value>& here) {
    State& s = stretch.state;
    const auto count = static_cast<uint32_t>(here.size());
    uint32_t taken = count;
    for (uint32_t i = 0; i < count; ++i) {
        if (!here[i].is_true()) continue;
        if (taken != count) return false;
        taken = i;
    }
    if (taken == count) return false;
    for (uint32_t i = 0; i < count; ++i)
        if (i != taken && !keep_closed(s, fork, i)) return false;
    s.decisions.add(fork.decision(taken));
    if (fork.conditions[taken].is_term()) s.path.push(fork.conditions[taken]);
    waiting_.push_back(std::move(stretch));
    return true;
}

// The search divided here, too, in the same way, or nothing is learnt: with its data veiled, a run may divide where by
// its data it did not.
bool Retracer::divide(Stretch& stretch, const Fork& fork) {
    const auto count = static_cast<uint32_t>(fork.conditions.size());
    for (uint32_t i = 0; i < count; ++i) {
        Ways ways = stretch.ways;
        ways.push_back({{fork.label, i, count}, fork.subject.kind});
        const Fate* end = fate(ways);
        if (end == nullptr ? !begins(ways) : end->kind == Fate::Kind::unknown) return false;
        if (end != nullptr && end->kind == Fate::Kind::left) continue;
        if (end != nullptr && end->kind == Fate::Kind::closed) {
            if (!keep_closed(stretch.state, fork, i)) return false;
            continue;
        }
        Stretch next{stretch.state, std::move(ways)};
        enter_way(next.state, fork, i, false);
        if (fork.conditions[i].is_term()) next.state.path.push(fork.conditions[i]);
        waiting_.push_back(std::move(next));
    }
    return true;
}

bool Retracer::keep_closed(State& s, const Fork& fork, uint32_t way) {
    const Value condition = fork.conditions[way];
    if (!condition.is_term() && condition.is_false()) return true;
    if (!matters(s, decided_block(parts_.program, parts_.machine, s, fork, way))) return true;
    return condition.is_term() && require(s, parts_.terms.negation(condition));
}

// May a target that is still wanted lie that way, within the counter?
bool Retracer::matters(State& s, BlockId next) {
    if (parts_.oracle == nullptr) return true;
    s.next = next;
    const Advice advice = parts_.oracle->ask(s, Moment::first_way);
    s.next = no_block;
    return advice == Advice::follow;
}

// At a stable state, or at a fork of which something is required.
bool Retracer::at_end(Stretch& stretch, const Fate* end) {
    if (is_over(stretch.ways, {Dropped::bound, Dropped::cut})) return true;
    if (end == nullptr || end->kind != Fate::Kind::reasons) return false;
    const Outline outline = artist_.outline(stretch.state);
    worth_ += steps_of_look(outline);
    if (outline.has_others || outline.words != end->outline->words) return false;
    Terms::Rebuilt done;
    const auto datum = [&](Value variable) { return outline.data[parts_.terms.ordinal(variable)]; };
    // Most data are as they were at the beginning.
    const auto is_unchanged = [&](uint32_t n) {
        const Value v = outline.data[n];
        return v.is_term() && parts_.terms[v].op == Op::variable && parts_.terms.ordinal(v) == n && n < veiled_content_;
    };
    for (const Value condition : end->reason->conditions) {
        const auto mentioned = parts_.terms.variables(condition);
        const std::span<const Value> way = conditions_.of(stretch.state);
        const bool is_kept = std::all_of(mentioned.begin(), mentioned.end(), is_unchanged)
                                 ? requirements_->add_unchanged(way, condition)
                                 : requirements_->add(way, parts_.terms.substitute(condition, datum, done));
        if (!is_kept) return false;
    }
    return true;
}

} // namespace espalier::sym
