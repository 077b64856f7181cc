// The ledger: no path is dropped without an entry, and what can be called infeasible is computed from the entries.
//
// A function that does not follow a state to its end returns a `Gone`, and only the ledger can make one. So a new way
// of dropping paths does not compile before it says why, and a new reason is a new case of a closed set.
//
// A state that is dropped is a node of the automaton and a stack for each of its threads. What the automaton reaches
// from there, at any distance, holds all that any run through that state comes to. So a target that is reached from no
// dropped state, and was not covered, is out of every run's reach, however many states were dropped for other reasons.
// The sets of what lies ahead only grow: adding a state costs what it adds, since nodes and frames are remembered
// (pda::ReachableSet).
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "symexec/prune/cutters.hpp"
#include "symexec/prune/pruner.hpp"
#include "symexec/prune/story.hpp"

namespace espalier::sym {

// The proof that a path has its entry.
class Gone {
    friend class Ledger;
    Gone() = default;
};

// One way on from a fork.
struct Way {
    Turn turn{};
    bool is_of_branch = false; // of a condition and its negation
    BlockId next = no_block;   // where it leads, where that is known
};

class Ledger {
public:
    // `unsupported`: how often each operation was met that ends paths so, wherever that was.
    Ledger(const Program& program, Story& story, std::map<std::string, uint64_t>& unsupported)
        : program_(program), story_(story), unsupported_(unsupported) {}
    // From now on it is noted what lies ahead. `places` finds states in the automaton; it need not have an oracle.
    void look_ahead(const Configurations& configurations, Cutters& places);
    void tell(Pruner& pruner) { pruners_.push_back(&pruner); }
    // Tails only count: the search comes to all that they come to.
    void set_in_tail(bool in_tail) { in_tail_ = in_tail; }
    bool is_in_tail() const { return in_tail_; }

    [[nodiscard]] Gone drop(const State& state, Dropped why, Label at = no_label);
    [[nodiscard]] Gone drop_at_wait(const State& state, Dropped why); // of a stable state, or one just left
    [[nodiscard]] Gone drop_way(const State& state, Dropped why, const Way& way);
    [[nodiscard]] Gone drop_offer(const State& state, Dropped why); // of a state that has taken it
    [[nodiscard]] Gone drop_unsupported(const State& state, Label at, const std::string& text);
    // The path goes on, but it is doubtful, or something beside it is left out.
    void doubt(const State& state, Dropped why, Label at);
    void doubt_unsupported(const State& state, Label at, const std::string& text);
    // The target was passed, and not covered for that reason.
    void doubt_target(const State& state, TargetId target, Dropped why);

    // How often something was left open (reasons.hpp), in tails too.
    uint64_t left_open() const;
    // At the end of the search.
    void close();
    // Operations that may end a run with a model error, ahead of what was dropped so: the author's labels, ascending.
    std::vector<Label> fallible(Dropped why) const;

private:
    struct Ahead {
        std::vector<std::unique_ptr<pda::ReachableSet>> sets; // by configuration
        std::vector<TargetId> passed;
    };
    Gone enter(const State& state, Dropped why);
    Gone enter_way(const State& state, Dropped why, const std::optional<Turn>& way);
    bool note(const State& state, Dropped why);
    void tell_pruners(const State& state, Dropped why) const;
    void note_wait(const State& state);
    void note_passed(TargetId target, Dropped why);
    void note_ahead(const State& state, Dropped why);
    bool hides(Dropped why) const;
    std::vector<bool> targets(Dropped why) const;
    pda::ReachableSet& set_of(Ahead& ahead, uint32_t configuration);
    bool may_ask_demands(const State& state) const;
    void add_demands(const Flow& flow, pda::ReachableSet& set) const;

    const Program& program_;
    Story& story_;
    std::map<std::string, uint64_t>& unsupported_;
    std::vector<Pruner*> pruners_;
    bool in_tail_ = false;
    const Configurations* configurations_ = nullptr; // null: there is no automaton
    Cutters* places_ = nullptr;
    bool has_inner_messages_ = false; // a field may hold a message
    std::array<Ahead, dropped_reasons> ahead_;
};

} // namespace espalier::sym
