// The first stretch of a finished subtree, run once more with the state's data veiled: from a stable state to the next
// ones. What kept each of its ways from the targets becomes a condition on the data of the state where it begins.
//
// Seed: Jaffar, Murali, Navas 2013, "Boosting concolic testing via interpolation", whose interpolants are weakest
// preconditions, too. Here a way that was not taken need not stay closed where the oracle says that no target lies that
// way within the counter.
//
//   - a branch that was decided by data: the other ways stay closed;
//   - a way that the solver refuted: its condition stays false, for all inputs that may come;
//   - a stable state at the end: what is required of its data, in terms of the data at the beginning;
//   - an end by the bound, by the oracle or by the model itself: nothing.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "symexec/follow/follow.hpp"
#include "symexec/learn/requirements.hpp"
#include "symexec/prune/cutting.hpp"
#include "symexec/state/path_conditions.hpp"

namespace espalier::sym {

// How many VM steps take about as long as to write an outline down, and look for interpolants.
inline uint64_t steps_of_look(const Outline& outline) { return 10 + outline.words.size() / 12; }

// What the data of a state must satisfy so that nothing wanted comes of it: conditions on data variables, numbered as
// in the state's outline.
struct Reason {
    std::vector<Value> conditions;
};

// What became of a way from a stable state, or from a fork between two.
struct Fate {
    enum class Kind : uint8_t {
        closed,  // refuted, and nothing was run on it
        left,    // cut, and nothing was run on it
        over,    // it ended: nothing is required of the data at its end
        reasons, // it came to a stable state, or a fork, of which something is
        unknown,
    } kind = Kind::unknown;
    Dropped why = Dropped::finished; // of one that is over
    std::shared_ptr<const Reason> reason{};
    std::shared_ptr<const Outline> outline{}; // of that state
};
using Ways = std::vector<Turn>; // that were taken, in order
struct WaysOrder {
    bool operator()(const Ways& a, const Ways& b) const;
};
using Fates = std::map<Ways, Fate, WaysOrder>; // the fates of what begins with some ways stand side by side

class Retracer : private Observer {
public:
    struct Parts {
        const Program& program;
        Machine& machine;
        Terms& terms;
        Solver& solver;
        const Coverage& coverage;
        Cutting* oracle; // null: every way that was not taken stays closed
    };
    Retracer(const Parts& parts, Portraitist& artist)
        : parts_(parts),
          artist_(artist), tools_{parts.terms, parts.solver, PathFacts(parts.terms), PathFacts(parts.terms)},
          variables_(parts.terms),
          veiler_(parts.program, parts.machine.code(), parts.terms, parts.machine.heap(), variables_) {}

    // Of a state whose subtree is finished; nothing where that is beyond what can be expressed. `before` is the
    // machine's observer, which frees memory and knows of limits.
    std::optional<Reason> reason(const State& state, const Outline& outline, const Fates& fates, Observer& before);
    // What all of it has taken, in VM steps that take about as long, beyond those of the machine.
    uint64_t steps_worth() const { return worth_; }
    // For the collector.
    void each(const std::function<void(const State&)>& visit) const;

private:
    struct Stretch {
        State state;
        Ways ways;
    };
    bool wants(TargetId target) const override { return parts_.coverage.is_wanted(target); }
    bool assume(State& s, Value condition) override;
    SolverWord positive_range(State& s, Value integer) override { return only_value(s, integer); }
    SolverWord few_values(State& s, Value term, int64_t) override { return only_value(s, term); }
    void moments_left_out(const State&, Label) override {}
    std::span<const Value> conditions(const State& s) override { return conditions_.of(s); }
    bool should_stop() override { return before_->should_stop(); }
    void collect() override { before_->collect(); }

    bool retrace(const State& start);
    bool retrace_offers(const State& stable);
    bool run_all();
    bool run(Stretch& stretch);
    bool at_marks(State& s, const Arrival& arrival);
    bool at_fork(Stretch& stretch, const Fork& fork);
    bool decide(Stretch& stretch, const Fork& fork, const std::vector<Value>& here);
    bool divide(Stretch& stretch, const Fork& fork);
    bool at_end(Stretch& stretch, const Fate* end);
    bool keep_closed(State& s, const Fork& fork, uint32_t way);
    bool matters(State& s, BlockId next);
    bool require(const State& s, Value condition) { return requirements_->add(conditions_.of(s), condition); }
    const Fate* fate(const Ways& ways) const;
    bool begins(const Ways& ways) const;
    bool is_over(const Ways& ways, std::initializer_list<Dropped> reasons) const;
    void forget();
    SolverWord only_value(State& s, Value term);
    void give_up() { is_given_up_ = true; }

    const Parts parts_;
    Portraitist& artist_;
    Requirements::Tools tools_;
    DataVariables variables_;
    Veiler veiler_;
    PathConditions conditions_;
    const Fates* fates_ = nullptr;
    Observer* before_ = nullptr;
    std::optional<Requirements> requirements_;
    std::vector<Stretch> waiting_;
    const State* running_ = nullptr;
    const Ways* ways_ = nullptr; // of the running state
    const State* veiled_ = nullptr;
    uint64_t worth_ = 0;
    size_t veiled_content_ = 0; // how many data it has
    bool is_given_up_ = false;
};

} // namespace espalier::sym
