// The oracles of a search: one that cuts, one that measures distances, and one that only finds states in the automaton.
// Often they are the same.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "symexec/prune/coverage.hpp"
#include "symexec/prune/cutters.hpp"
#include "symexec/search/exploration.hpp"

namespace espalier::sym {

// What a search does to put itself to the test. The product leaves it as it is.
struct Trials {
    bool follow_subsumed = false;    // likewise
    bool follow_postponed = false;   // explore states that need not be, and count what they cover
    size_t places = size_t{1} << 18; // of waits, and stacks, about which the oracle remembers anything
    // That portraits, states and interpolants may take, where no limit of memory is set. Constants: a search must not
    // depend on the machine.
    size_t portrait_bytes = size_t{1} << 30, state_bytes = size_t{2} << 30, interpolant_bytes = size_t{1} << 28;
};

class Oracles {
public:
    Oracles(const Program& program, const Code& code, const ExploreOptions& options, const Trials& trials,
            const Coverage& coverage);
    Oracles(const Oracles&) = delete;
    Oracles& operator=(const Oracles&) = delete;

    const std::shared_ptr<Cutters>& cutter() const { return cutter_; } // null: nothing is cut
    Cutters* places() const { return places_.get(); }                  // null: there is no automaton
    const Configurations* configurations() const { return configurations_ ? &*configurations_ : nullptr; }
    bool is_any_asked() const { return cutter_ != nullptr || guide_ != nullptr; }
    bool is_guided_by_cutter() const { return guide_ == cutter_; }
    bool is_guided() const { return guide_ != nullptr; }
    uint32_t distance(const State& s) { return guide_->distance(s); } // where it is guided
    void configure(State& s) {
        if (configurations_) configurations_->configure(s);
    }
    void listen(Coverage& coverage);
    void tell(Statistics& statistics) const;

private:
    std::shared_ptr<Cutters> make(pda::OracleKind kind, const CutterOptions& how);

    const Program& program_;
    const Code& code_;
    const ExploreOptions& options_;
    const Coverage& coverage_;
    std::optional<Configurations> configurations_; // where an oracle is asked
    StackNumbers stacks_;
    std::shared_ptr<Cutters> cutter_; // null: nothing is cut
    std::shared_ptr<Cutters> guide_;  // of Search::distance, and of Search::mixed where there is an automaton
    std::shared_ptr<Cutters> places_; // one of these, or one without an oracle
};

} // namespace espalier::sym
