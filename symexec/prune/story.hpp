// The ledger's pages: where a search has been, and where and why it dropped paths.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "symexec/prune/reasons.hpp"
#include "symexec/values/limits.hpp"

namespace espalier {

// Where a search has been, for saying why it did not come further. A label is the author's: what happens in prelude
// code is told of the place that called it, but for ways of branches.
struct Story {
    using Times = std::map<Label, uint64_t>; // how often, by place
    // How often, by a branch and the way from it. It is counted at every refuted way, so it is a hash table.
    using BranchWay = std::pair<Label, uint32_t>;
    struct BranchWayHash {
        size_t operator()(BranchWay way) const {
            return std::hash<uint64_t>{}(static_cast<uint64_t>(way.first) * 8 + way.second);
        }
    };
    using WayTimes = std::unordered_map<BranchWay, uint64_t, BranchWayHash>;
    // What became of a target where its mark was passed and it was not covered.
    struct Mark {
        uint64_t refuted = 0;    // a condition of its own could not be
        uint64_t undecided = 0;  // the solver did not say whether the path can be, or its own condition
        uint64_t unaccepted = 0; // in a message that no clause took in the end
        uint64_t unwritten = 0;  // no inputs could be given for it
        Label undecided_at = no_label;
    };
    std::vector<bool> entered;                                     // by BlockId
    std::vector<Trace> traces;                                     // by VariantId, where asked for
    WayTimes refuted;                                              // ways of a branch that could not be, how often
    WayTimes cut;                                                  // and that lead to no target within the bound
    Times cut_elsewhere;                                           // other decisions of which the bound left out ways
    std::map<BlockId, uint64_t> cut_into;                          // where all these ways would have gone on
    Times cut_from;                                                // or, where that is at no one block, came from
    Times bounded;                                                 // waits at which the bound ended paths
    Times undecided;                                               // conditions that the solver did not decide
    Times delays;                                                  // symbolic delays of which only the ends were tried
    Times moments;                                                 // where the tester's timing may matter
    Times assumed, failed, out_of_steps;                           // where paths ended
    std::map<std::pair<Label, std::string>, uint64_t> unsupported; // and why
    // States that were skipped for an interpolant, where the story is traced: by place and condition, how often.
    std::map<Label, std::map<std::string, uint64_t>> subsumed;
    std::map<TargetId, Mark> marks;
    // How often a path was dropped, or is doubtful, by reason. Those that a test's tail meets count, too.
    std::array<uint64_t, dropped_reasons> dropped{};
    // By reason, and by TargetId: may the target lie ahead of a path that was so dropped? Empty where there is no
    // analysis to tell: then any may.
    std::array<std::vector<bool>, dropped_reasons> hidden;

    uint64_t count(Dropped why) const { return dropped[static_cast<size_t>(why)]; }
};

} // namespace espalier
