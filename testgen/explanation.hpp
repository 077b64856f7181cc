// Why a target is not covered: the shortest way to it that the analysis believes in, how far along it the search came,
// and what stood in the way there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"
#include "symexec/symexec.hpp"
#include "testgen/dead_ends.hpp"

namespace espalier {

struct Explanation {
    enum class Kind : uint8_t {
        dead,       // the analysis believes in no way
        condition,  // a condition never had the value that the way needs
        wait,       // nothing was taken at a wait
        edge,       // the place was reached, but never with the values that the target needs
        unaccepted, // the place was passed, but in a `where` whose message no clause accepts in the end
        before,     // paths came to just before it, and ended
        stuck,      // paths came so far, and ended
    };
    Kind kind = Kind::dead;
    std::vector<Span> way;      // places on it, in order: waits, branches, calls
    size_t gone = 0;            // how many of them the search came to
    uint32_t stable_states = 0; // to be left on the way
    Span at;                    // where the search came no further
    bool value = false;         // condition: what it would have to be
    uint64_t refuted = 0;       // how often the solver refuted it
    uint64_t bounded = 0;       // wait, condition: paths that the bound ended there; stuck: anywhere
    std::vector<DeadEnd> ends;  // dead: why, where there is a simple reason
};

class Explainer {
public:
    // All must outlive this.
    Explainer(const Program& program, const Flow& flow, const Story& story);
    Explanation explain(TargetId target) const;

private:
    struct Place {
        pda::NodeId node;
        BlockId block;
    };
    std::optional<std::vector<Place>> route(TargetId target, uint32_t& charged) const;
    void obstacle(BlockId from, BlockId to, Explanation& out) const;

    const Program& program_;
    const Flow& flow_;
    const Story& story_;
    std::vector<Span> spans_; // by label
    DeadEnds ends_;
};

// In a sentence: "`(> x 5)` at m.scm:3:4 was never true".
std::string to_text(const Explanation& explanation, const Sources& sources);

} // namespace espalier
