#include "symexec/search/findings.hpp"

#include <algorithm>

#include "symexec/follow/follow.hpp"

namespace espalier::sym {

using Verified = PathSolver::Verified;

bool Findings::arrive(State& s, const Arrival& arrival) {
    return std::all_of(arrival.marks.begin(), arrival.marks.end(), [&](const HeldMark& m) {
        return !coverage_.is_wanted(m.target) || arrive_at(s, m.target, m.condition);
    });
}

bool Findings::arrive_at(State& s, TargetId target, Value condition) {
    switch (paths_.verify(s)) {
    case Verified::yes: break;
    case Verified::no: return false;
    case Verified::unknown: note_undecided(s, target, s.undecided); return true; // neither covered nor the path's end
    }
    if (condition.is_term()) {
        arrive_under(s, target, condition);
    } else {
        s.k = options_.depth;
        cover(s, target);
    }
    return true;
}

// A condition of the target's own enters the test, not the path.
void Findings::arrive_under(State& s, TargetId target, Value condition) {
    State edge = s;
    const Admission admission = paths_.admit(edge, condition);
    if (admission.is_no()) {
        ++found_.story.marks[target].refuted;
    } else if (!admission.is_yes()) {
        ledger_.doubt_unsupported(s, machine_.author_label(s), admission.beyond);
        note_undecided(s, target, machine_.author_label(s));
    } else if (!edge.verified) {
        note_undecided(s, target, edge.undecided);
    } else {
        s.k = options_.depth;
        edge.k = options_.depth;
        cover(edge, target);
    }
}

void Findings::note_undecided(const State& s, TargetId target, Label at) {
    Story::Mark& mark = found_.story.marks[target];
    ++mark.undecided;
    mark.undecided_at = at;
    ledger_.doubt_target(s, target, Dropped::undecided);
}

void Findings::cover(State& s, TargetId target) {
    if (pruners_.is_doubted(s)) ++found_.statistics.disproved;
    FoundTest test;
    test.number = static_cast<uint32_t>(found_.tests.size());
    test.targets.push_back(target);
    std::optional<State> end = to_next_stable(s);
    const auto write = [&](const State& last) {
        return write_steps(last, last.model == nullptr ? Assignment{} : *last.model, test.steps);
    };
    if (end && !write(*end)) end.reset();
    if (end) {
        for (TargetId t : end->passed)
            if (coverage_.is_wanted(t) && std::find(test.targets.begin(), test.targets.end(), t) == test.targets.end())
                test.targets.push_back(t);
    } else if (!write(s)) {
        ++found_.unsupported["a test whose inputs cannot be written"];
        ++found_.story.marks[target].unwritten;
        ledger_.doubt_target(s, target, Dropped::unsupported);
        return;
    }
    test.open_end = !end;
    test.vm_steps = machine_.steps();
    test.signature = signature_of(end ? *end : s, *found_.heap);
    const std::vector<TargetId> targets = test.targets;
    // First the test, then what it covers, then all that may fail: whatever ends the search, these two agree.
    ends_.push_back(end ? std::move(*end) : s);
    ends_.back().threads.clear(); // of a state, a test is the path, the events and what they look into
    ends_.back().records = {};
    found_.tests.push_back(std::move(test));
    coverage_.cover(targets);
    tell_found();
}

void Findings::tell_found() const {
    if (options_.found) options_.found(found_);
}

// Good values for the tests that are needed, one test after the other; the others are put aside. Where the solver does
// not give any, those at hand stay; so they do for all tests that are left when it fails, when there is no time left,
// and after an internal error.
void Findings::keep_needed(const std::vector<bool>& needed,
                           const std::function<void(const std::function<void()>&)>& guarded) {
    std::vector<FoundTest> kept;
    bool is_over = false;
    const auto stop = [&] { return is_over = is_over || (options_.stop && options_.stop()); };
    for (size_t i = 0; i < found_.tests.size(); ++i) {
        FoundTest& test = found_.tests[i];
        if (!needed[i]) {
            found_.spare.push_back(std::move(test));
            continue;
        }
        std::optional<FoundTest> better;
        if (!found_.internal_error && !is_over) guarded([&] { better = with_good_values(test, ends_[i], stop); });
        if (is_over) better.reset(); // good in part only: not worth another replay
        if (better) found_.spare.push_back(test);
        kept.push_back(better ? std::move(*better) : std::move(test));
        if (better && options_.improved) guarded([&] { options_.improved(kept.back()); });
    }
    found_.tests = std::move(kept);
    ends_.clear();
}

std::optional<FoundTest> Findings::with_good_values(const FoundTest& test, const State& end,
                                                    const std::function<bool()>& stop) {
    const Answer solution = paths_.canonical(end, stop);
    FoundTest better = test;
    if (solution.verdict != Verdict::sat || !write_steps(end, solution.model, better.steps)) return std::nullopt;
    return better;
}

std::optional<State> Findings::to_next_stable(const State& from) {
    ledger_.set_in_tail(true);
    tail_.clear();
    tail_.push_back(from);
    tail_.back().passed.clear();
    std::optional<State> end;
    for (size_t n = 0; !tail_.empty() && n < most_tail_states && !end; ++n) {
        State s = std::move(tail_.back());
        tail_.pop_back();
        running_ = &s;
        const Outcome outcome = run_tail(s);
        if (outcome == Outcome::fork) {
            std::vector<Successor> next = brancher_.of_fork(s, Fork(machine_.fork()), options_.stop);
            for (auto c = next.rbegin(); c != next.rend(); ++c) tail_.push_back(std::move(c->state));
        } else if ((outcome == Outcome::stable || outcome == Outcome::finished) && s.verified) {
            end = std::move(s);
        }
        running_ = nullptr;
    }
    abandon_tail();
    return end;
}

Outcome Findings::run_tail(State& s) {
    Outcome outcome = machine_.run(s);
    while (outcome == Outcome::arrived) {
        const Arrival arrival = machine_.take_arrival();
        for (const HeldMark& m : arrival.marks)
            if (!m.condition.is_term()) s.passed.push_back(m.target);
        outcome = machine_.go_on(s, arrival);
    }
    return outcome;
}

void Findings::abandon_tail() {
    running_ = nullptr;
    tail_.clear();
    ledger_.set_in_tail(false);
}

// With those values. False where some input cannot be written.
bool Findings::write_steps(const State& s, const Assignment& values, std::vector<TestStep>& steps) {
    const Concretiser& concretiser = machine_.concretiser();
    std::vector<const Event*> events; // but for branches, of which there may be very many; the last first
    for (const auto* n = s.events.last(); n != nullptr; n = n->before)
        if (n->item.kind != Event::Kind::branch) events.push_back(&n->item);
    steps.clear();
    try {
        for (size_t i = events.size(); i-- > 0;) {
            const Event& e = *events[i];
            switch (e.kind) {
            case Event::Kind::branch: break;
            case Event::Kind::choice: steps.push_back({.kind = TestStep::Kind::choice, .choice = e.choice}); break;
            case Event::Kind::schedule: steps.push_back({.kind = TestStep::Kind::schedule, .choice = e.choice}); break;
            case Event::Kind::wait: steps.push_back({.kind = TestStep::Kind::wait, .units = Units(e.units)}); break;
            case Event::Kind::input:
                steps.push_back({.kind = TestStep::Kind::input,
                                 .port = e.port,
                                 .value = concretiser.concretise(s, e.value, values, *found_.heap),
                                 .fresh = concretiser.fresh_uses(s, e.value)});
                break;
            }
        }
    } catch (const Unsupported& reason) {
        ++found_.unsupported[reason.what()];
        return false;
    }
    return true;
}

void Findings::report(State& s, FoundError error) {
    const auto key = std::make_pair(index(error.label), error.text);
    if (reported_.count(key) != 0) return;
    if (paths_.verify(s) != Verified::yes) return;
    const uint64_t before = found_.statistics.sat_queries;
    const Answer solution = paths_.canonical(s, options_.stop);
    found_.statistics.error_queries += found_.statistics.sat_queries - before;
    if (solution.verdict != Verdict::sat || !write_steps(s, solution.model, error.steps)) return;
    error.signature = signature_of(s, *found_.heap);
    reported_.insert(key);
    coverage_.find_error(error.label);
    found_.errors.push_back(std::move(error));
    tell_found();
}

void Findings::each(const std::function<void(const State&)>& visit) const {
    if (running_ != nullptr) visit(*running_);
    for (const State& s : tail_) visit(s);
    for (const State& s : ends_) visit(s);
}

} // namespace espalier::sym
