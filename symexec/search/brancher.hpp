// The ways on from a state: the successors of a fork, and of a stable state. Each way is a state that waits, or is
// dropped with its entry in the ledger.
//
// A state is suspended and its signature extended at every choice and at every branch on a condition that is not
// constant, whatever becomes of the siblings, and successors come in source order: so the order of the search does not
// depend on which states are dropped.
#pragma once

#include <variant>
#include <vector>

#include "symexec/prune/cutting.hpp"
#include "symexec/prune/pruners.hpp"
#include "symexec/search/oracles.hpp"
#include "symexec/search/path_solver.hpp"
#include "symexec/search/search.hpp"

namespace espalier::sym {

class Brancher {
public:
    Brancher(const Program& program, Machine& machine, PathSolver& paths, Ledger& ledger, Pruners& pruners,
             const Oracles& oracles, const Cutting* cutting, Statistics& statistics)
        : program_(program), machine_(machine), paths_(paths), ledger_(ledger), pruners_(pruners), oracles_(oracles),
          cutting_(cutting), statistics_(statistics) {}

    // There may be thousands: `stop` ends it half-way.
    std::vector<Successor> of_fork(State& s, const Fork& fork, const std::function<bool()>& stop);
    bool was_stopped() const { return was_stopped_; } // then ways are missing
    std::vector<Successor> of_stable(const State& s);

private:
    using WayOn = std::variant<Successor, Gone>;
    struct Ways; // of one fork
    WayOn take_way(State& s, Ways& ways, uint32_t way);
    WayOn take_offer(const State& s, const std::vector<Offer>& offers, uint32_t way);
    bool is_known_near() const;

    const Program& program_;
    Machine& machine_;
    PathSolver& paths_;
    Ledger& ledger_;
    Pruners& pruners_;
    const Oracles& oracles_;
    const Cutting* cutting_; // null: nothing is cut
    Statistics& statistics_;
    bool was_stopped_ = false;
};

} // namespace espalier::sym
