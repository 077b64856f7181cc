#include "symexec/search/confirmation.hpp"

namespace espalier::sym {

namespace {

Interpolation& added(Pruners& pruners, std::unique_ptr<Cutting>& oracle, std::unique_ptr<Interpolation> learning) {
    if (oracle != nullptr) pruners.add(std::move(oracle));
    Interpolation& all = *learning;
    pruners.add(std::move(learning));
    return all;
}

// The solver's doubts are none of the search's while this lives.
class Aside {
public:
    explicit Aside(Ledger& ledger) : ledger_(ledger), was_(ledger.is_in_tail()) { ledger.set_in_tail(true); }
    ~Aside() { ledger_.set_in_tail(was_); }
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;

private:
    Ledger& ledger_;
    const bool was_;
};

} // namespace

Confirmation::Confirmation(const Parts& parts, std::unique_ptr<Cutting> oracle, std::unique_ptr<Interpolation> learning)
    : parts_(parts), ledger_(parts.program, story_, unsupported_), pruners_(ledger_),
      learning_(added(pruners_, oracle, std::move(learning))),
      brancher_(parts.program, parts.machine, parts.paths, ledger_, pruners_, parts.oracles, nullptr, statistics_) {}

bool Confirmation::confirm(const State& s) {
    const Aside aside(parts_.ledger);
    State start = s;
    start.records = {};
    places_.clear();
    const bool is_explored = explore(std::move(start));
    if (!is_explored) learning_.leave_all_open();
    waiting_.clear();
    learning_.settle();
    return is_explored;
}

bool Confirmation::explore(State start) {
    const uint64_t end = parts_.machine.steps() + most_steps;
    // What the solver cannot say is told to the search's ledger. It is looked at before anything is learnt from it.
    const uint64_t left_open = parts_.ledger.left_open();
    if (start.running == UINT32_MAX && !start.delivering) {
        if (!leave_stable(start)) return false;
    } else {
        waiting_.push_back(std::move(start));
    }
    while (!waiting_.empty()) {
        if (parts_.machine.steps() >= end || waiting_.size() > most_waiting) return false;
        State next = std::move(waiting_.back());
        waiting_.pop_back();
        if (!run(std::move(next)) || parts_.ledger.left_open() != left_open) return false;
    }
    return true;
}

bool Confirmation::run(State s) {
    struct Running {
        Running(const State*& where, const State& state) : at(where) { at = &state; }
        ~Running() { at = nullptr; }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;
        const State*& at;
    };
    const Running running(running_, s);
    s.next = no_block;
    const Outcome outcome = parts_.machine.run(s);
    parts_.oracles.configure(s);
    if (!s.verified) return false; // the solver does not say whether the path can be
    switch (outcome) {
    case Outcome::fork: {
        const Fork fork(parts_.machine.fork());
        if (const Pruners::Opinion opinion = pruners_.ask(s, Moment::forked); opinion.advice == Advice::drop) {
            static_cast<void>(ledger_.drop(s, opinion.reason));
            return true;
        }
        return is_new_place(s) && add(brancher_.of_fork(s, fork, {}));
    }
    case Outcome::stable:
        if (s.k > 1) return leave_stable(s);
        static_cast<void>(ledger_.drop(s, Dropped::bound));
        return true;
    case Outcome::finished: static_cast<void>(ledger_.drop(s, Dropped::finished)); return true;
    case Outcome::infeasible: static_cast<void>(ledger_.drop(s, Dropped::refuted)); return true;
    case Outcome::assume_failed: static_cast<void>(ledger_.drop(s, Dropped::assumption)); return true;
    case Outcome::arrived: // at a target that is wanted
        parts_.machine.take_arrival();
        return false;
    case Outcome::model_error:
    case Outcome::unsupported:
    case Outcome::out_of_steps:
    case Outcome::stopped: break;
    }
    return false;
}

bool Confirmation::leave_stable(State& s) {
    if (const Pruners::Opinion opinion = pruners_.ask(s, Moment::stable); opinion.advice == Advice::drop) {
        static_cast<void>(ledger_.drop(s, opinion.reason));
        return true;
    }
    return is_new_place(s) && add(brancher_.of_stable(s));
}

// The first one is explored first.
bool Confirmation::add(std::vector<Successor> successors) {
    for (auto next = successors.rbegin(); next != successors.rend(); ++next) {
        if (!next->state.verified) return false; // the solver does not say whether it can be
        waiting_.push_back(std::move(next->state));
    }
    return true;
}

void Confirmation::each(const std::function<void(const State&)>& visit) const {
    if (running_ != nullptr) visit(*running_);
    for (const State& s : waiting_) visit(s);
    pruners_.each(visit);
}

} // namespace espalier::sym
