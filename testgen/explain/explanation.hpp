// Why a target is not covered: the shortest way to it that the analysis believes in, how far along it the search came,
// what stood in the way there, and what the search left out that might have led there by another.
//
// Of equally short ways the one is told that the search followed furthest. The obstacle is the edge between the last
// place of this way that some path came to and the first that none did, so it lies on the way and not beside it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"
#include "symexec/symexec.hpp"
#include "testgen/explain/dead_ends.hpp"
#include "testgen/explain/left_out.hpp"
#include "testgen/explain/way.hpp"

namespace espalier {

// Paths that ended at the obstacle, of themselves or because they were not followed.
struct PathEnd {
    enum class Kind : uint8_t { error, assumption, unsupported, steps } kind;
    Span at;
    uint64_t times;
    std::string why{}; // unsupported
};

struct Explanation {
    enum class Kind : uint8_t {
        dead,       // the analysis believes in no way
        condition,  // never had the value that the way needs
        wait,       // the clause took nothing
        call,       // what is called there is not what the way needs
        back,       // a call did not come back
        inside,     // of prelude code: it did not go the way that is needed
        ended,      // paths came there and ended
        values,     // the place was passed, but never with the values that the target needs
        unaccepted, // the place was passed, but in a `where` whose message no clause accepts in the end
        undecided,  // the place was passed, but the solver does not say whether it can be
        unwritten,  // the place was reached, but no inputs could be given
        start,      // the search reached nothing on the way
        left_out,   // the search found a test for it, and there was no time to replay it
    };
    Kind kind = Kind::dead;
    std::vector<WayStep> way;
    size_t taken = 0;                // steps of the way that the search took
    bool whole = true;               // false: the way goes on, since it may be far longer than the model
    pda::Distance stable_states = 0; // to be left on the way
    Span at;                         // of the obstacle
    Span send_at;                    // of a send that no path reached
    bool value = false;              // condition: what it would have to be
    uint64_t refuted = 0;            // condition, values: how often the solver refuted it
    uint64_t unaccepted = 0;         // values: in messages that no clause accepts
    uint64_t undecided = 0;          // undecided: how often
    uint64_t bounded = 0;            // condition, wait: paths that the bound ended or dropped there
    bool left = false;               // wait: by another clause
    std::vector<PathEnd> path_ends;
    std::vector<DeadEnd> dead_ends; // dead: why, where there is a simple reason
    std::vector<LeftOut> left_out;  // what else might have led there; nothing where the search saw all
    struct Condition {
        Span at;
        bool value;
        uint64_t refuted;
    };
    std::vector<Condition>
        others; // conditions that would have led there at once, past the obstacle, and never had the value for it
    std::vector<Explanation> send; // wait: why what might have come through a channel was not sent; none, or one
};

class Explainer {
public:
    // All must outlive this.
    Explainer(const Program& program, const Sources& sources, const Flow& flow, const Exploration& found,
              Schedules schedules);
    Explanation explain(TargetId target) const;
    // The same with `others`, which only a traced search can tell.
    Explanation explain_fully(TargetId target) const;
    // The path of the automaton that the explanation tells; nothing where there is none.
    std::optional<std::vector<pda::Step>> path(TargetId target) const;

private:
    struct Edge { // between blocks of one variant; the first was entered, the second was not
        VariantId variant;
        BlockId last, missed;
    };
    bool entered(VariantId v, BlockId block) const;
    bool taken(VariantId v, BlockId block, bool then) const;
    bool taken(pda::EdgeId edge) const;
    bool taken(const pda::Step& step) const;
    pda::Paths::Dislike dislike() const;
    bool is_shadowed(pda::EdgeId edge) const;
    bool entered(pda::NodeId node) const { return entered(flow_.place(node).variant, flow_.place(node).block); }
    Edge frontier(pda::NodeId from, const pda::Step& step) const;
    size_t count_taken(const std::vector<pda::Step>& steps) const;
    void obstacle(pda::NodeId from, const pda::Step& step, Explanation& out) const;
    void add_send(Explanation& out) const;
    std::vector<bool> leading_at_once(TargetId target, const Explanation& obstacle) const;
    void add_ends(VariantId v, BlockId block, Explanation& out) const;
    static void add_dropped(Explanation& out);
    bool was_left(VariantId v, BlockId block) const;
    void at_mark(TargetId target, pda::NodeId node, Explanation& out) const;

    const Program& program_;
    const Flow& flow_;
    const Story& story_;
    const std::vector<bool>& covered_; // by the search
    Places places_;
    DeadEnds dead_ends_;
    LeftOuts left_outs_;
    WayTeller teller_;
    pda::NodeId start_;
    pda::Paths paths_;
};

// The obstacle in a sentence: "`(> x 5)` at m.scm:3:4 was never true".
std::string to_text(const Explanation& explanation, const Sources& sources);
std::string to_text(const Explanation::Condition& condition, const Sources& sources);
// What the tester does on the way, in short: "Hello, Store"; empty where that is nothing.
std::string inputs_text(const Explanation& explanation);

} // namespace espalier
