// What a search finds: tests and model errors, with concrete inputs.
//
// A test runs on from its target to the next stable state, along the first feasible continuation, and its values are
// chosen for that longer path. The continuation, the test's tail, is run aside, at once: so a test does not depend on
// the order of the search or on what is cut later, and it is there whenever the search is stopped. Targets on the
// continuation are covered by the test too. Where there is no such continuation the test ends at its target, and its
// end is open.
//
// Choosing values well takes questions for each input, and depth first most tests are the beginnings of longer ones,
// that nobody needs in the end. So while the search goes on a test has the values of the solution at hand, and its
// state is kept; good ones are chosen at the end, for the tests that are needed.
#include <algorithm>

#include "symexec/search/explorer.hpp"

namespace espalier::sym {

namespace {

constexpr size_t most_tail_states = 256;

} // namespace

// Runs the state as far as the machine comes without the search. Targets are looked at when the machine has returned,
// and it goes on from there.
Outcome Explorer::run_to_end(State& s) {
    Outcome outcome = machine_.run(s);
    while (outcome == Outcome::arrived) {
        const Arrival arrival = machine_.take_arrival();
        for (const HeldMark& m : arrival.marks)
            if (wants(m.target) && !arrive(s, m.target, m.condition)) return Outcome::infeasible;
        outcome = machine_.go_on(s, arrival);
    }
    return outcome;
}

// False: the path cannot be.
bool Explorer::arrive(State& s, TargetId target, Value condition) {
    switch (verify(s)) {
    case Verified::yes: break;
    case Verified::no: return false;
    case Verified::unknown: note_undecided(s, target, s.undecided); return true; // neither covered nor the path's end
    }
    if (!condition.is_term()) {
        s.k = options_.depth;
        cover(s, target);
        return true;
    }
    // A condition of the target's own enters the test, not the path.
    State edge = s;
    const Admission admitted = admit(edge, condition);
    if (admitted == Admission::no) {
        ++found_.story.marks[target].refuted;
    } else if (admitted == Admission::beyond) {
        doubt_unsupported(s, beyond_);
        note_undecided(s, target, machine_.author_label(s));
    } else if (!edge.verified) {
        note_undecided(s, target, edge.undecided);
    } else {
        s.k = options_.depth;
        edge.k = options_.depth;
        cover(edge, target);
    }
    return true;
}

void Explorer::note_undecided(const State& s, TargetId target, Label at) {
    Story::Mark& mark = found_.story.marks[target];
    ++mark.undecided;
    mark.undecided_at = at;
    ledger_.doubt_target(s, target, Dropped::undecided);
}

void Explorer::cover(State& s, TargetId target) {
    const auto is_doubted = [&](const Pruner* p) { return p->is_doubted(s); };
    if (std::any_of(pruners_.begin(), pruners_.end(), is_doubted)) ++found_.statistics.disproved;
    FoundTest test;
    test.targets.push_back(target);
    std::optional<State> end = to_next_stable(s);
    const auto write = [&](const State& last) {
        return write_steps(last, last.model == nullptr ? Assignment{} : *last.model, test.signature, test.steps);
    };
    if (end && !write(*end)) end.reset();
    if (end) {
        for (TargetId t : end->passed)
            if (wants(t) && std::find(test.targets.begin(), test.targets.end(), t) == test.targets.end())
                test.targets.push_back(t);
    } else if (!write(s)) {
        ++found_.unsupported["a test whose inputs cannot be written"];
        ++found_.story.marks[target].unwritten;
        ledger_.doubt_target(s, target, Dropped::unsupported);
        return;
    }
    test.open_end = !end;
    test.vm_steps = machine_.steps();
    const std::vector<TargetId> targets = test.targets;
    // First the test, then what it covers, then all that may fail: whatever ends the search, these two agree.
    ends_.push_back(end ? std::move(*end) : s);
    ends_.back().threads.clear(); // of a state, a test is the path, the events and what they look into
    ends_.back().records = {};
    found_.tests.push_back(std::move(test));
    coverage_.cover(targets);
}

// Good values for the tests that are needed; the others are put aside. Where the solver does not give any, those at
// hand stay; so they do for all tests that are left when it fails, and after an internal error.
void Explorer::choose_values() {
    std::vector<bool> needed(found_.tests.size(), true);
    guarded([&] {
        if (options_.needed) needed = options_.needed(found_);
    });
    std::vector<FoundTest> kept;
    for (size_t i = 0; i < found_.tests.size(); ++i) {
        FoundTest& test = found_.tests[i];
        if (!needed[i]) {
            found_.spare.push_back(std::move(test));
            continue;
        }
        std::optional<FoundTest> better;
        if (!found_.internal_error) guarded([&] { better = with_good_values(test, ends_[i]); });
        if (better) found_.spare.push_back(test);
        kept.push_back(better ? std::move(*better) : std::move(test));
    }
    found_.tests = std::move(kept);
    ends_.clear();
}

std::optional<FoundTest> Explorer::with_good_values(const FoundTest& test, const State& end) {
    const Answer solution = canonical(end);
    FoundTest better = test;
    if (solution.verdict != Verdict::sat || !write_steps(end, solution.model, better.signature, better.steps))
        return std::nullopt;
    return better;
}

Answer Explorer::canonical(const State& s) {
    const std::vector<Value> path = s.path.to_vector();
    return canonical_solution(*solver_, terms_, path, s.implied.to_vector(), machine_.concretiser().variables(s),
                              s.verified ? s.model.get() : nullptr, options_.stop);
}

std::optional<State> Explorer::to_next_stable(const State& from) {
    set_in_tail(true);
    tail_.clear();
    tail_.push_back(from);
    tail_.back().passed.clear();
    std::optional<State> end;
    for (size_t n = 0; !tail_.empty() && n < most_tail_states && !end; ++n) {
        State s = std::move(tail_.back());
        tail_.pop_back();
        active_.push_back(&s);
        Outcome outcome = machine_.run(s);
        while (outcome == Outcome::arrived) {
            const Arrival arrival = machine_.take_arrival();
            for (const HeldMark& m : arrival.marks)
                if (!m.condition.is_term()) s.passed.push_back(m.target);
            outcome = machine_.go_on(s, arrival);
        }
        if (outcome == Outcome::fork) {
            std::vector<Successor> next = successors(s, Fork(machine_.fork()));
            for (auto c = next.rbegin(); c != next.rend(); ++c) tail_.push_back(std::move(c->state));
        } else if ((outcome == Outcome::stable || outcome == Outcome::finished) && s.verified) {
            end = std::move(s);
        }
        active_.pop_back();
    }
    tail_.clear();
    set_in_tail(false);
    return end;
}

// Signature and steps, with those values. False where some input cannot be written.
bool Explorer::write_steps(const State& s, const Assignment& values, std::vector<Choice>& signature,
                           std::vector<TestStep>& steps) {
    signature.clear();
    steps.clear();
    try {
        for (const Event& e : s.events.to_vector()) {
            signature.push_back(e.choice);
            switch (e.kind) {
            case Event::Kind::branch: break;
            case Event::Kind::choice: steps.push_back({.kind = TestStep::Kind::choice, .choice = e.choice}); break;
            case Event::Kind::schedule: steps.push_back({.kind = TestStep::Kind::schedule, .choice = e.choice}); break;
            case Event::Kind::wait: steps.push_back({.kind = TestStep::Kind::wait, .units = Units(e.units)}); break;
            case Event::Kind::input:
                steps.push_back({.kind = TestStep::Kind::input,
                                 .port = e.port,
                                 .value = machine_.concretiser().concretise(s, e.value, values, *found_.heap),
                                 .fresh = machine_.concretiser().fresh_uses(s, e.value)});
                break;
            }
        }
    } catch (const Unsupported& reason) {
        ++found_.unsupported[reason.what()];
        return false;
    }
    return true;
}

void Explorer::report(State& s, FoundError error) {
    const auto key = std::make_pair(index(error.label), error.text);
    if (reported_.count(key) != 0) return;
    if (verify(s) != Verified::yes) return;
    const uint64_t before = found_.statistics.sat_queries;
    const Answer solution = canonical(s);
    found_.statistics.error_queries += found_.statistics.sat_queries - before;
    if (solution.verdict != Verdict::sat || !write_steps(s, solution.model, error.signature, error.steps)) return;
    reported_.insert(key);
    coverage_.find_error(error.label);
    found_.errors.push_back(std::move(error));
}

} // namespace espalier::sym
