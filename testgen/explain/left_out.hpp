// What a search left out: the paths that it did not follow to their end, and the targets that these might have led to.
// Where it left out nothing, what it did not find is not there.
//
// A dropped path can only hide targets that lie ahead of it. The search says which these are, for each reason to drop a
// path (Story::hidden). Paths may be dropped at several places for one reason. Which of these places a target lies
// ahead of is read off the automaton, with returns to any caller. That works only where there is one thread, since a
// dropped path ends all its threads.
#pragma once

#include <string>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"
#include "symexec/symexec.hpp"
#include "testgen/explain/places.hpp"

namespace espalier {

struct LeftOut {
    enum class Kind : uint8_t {
        limit,       // of the whole search
        bound,       // paths that it ended, or dropped where no target was near enough
        undecided,   // the solver gave up
        unsupported, // an operation on symbolic values
        steps,       // a path that does not come to wait
        delay,       // of its values only the ends were tried
        subsumed,    // states that were skipped for an interpolant
        moment,      // at which the tester acts: only deadlines were tried
        schedules,   // of threads
    };
    Kind kind;
    uint64_t times = 0;
    Span at{};         // not known where there is no one place
    std::string why{}; // limit, unsupported, subsumed
};

class LeftOuts {
public:
    // All must outlive this. Without a flow everything is taken to lie ahead.
    LeftOuts(const Program& program, const Flow* flow, const Exploration& found, Schedules schedules);

    // What might have led to the target, by kind and place.
    std::vector<LeftOut> before(TargetId target) const;
    // Did the search see every run that could lead to the target? Then it ended by itself, and no path that it dropped
    // leads there, at any distance.
    bool saw_all(TargetId target) const;

private:
    struct Item {
        LeftOut what;
        std::vector<bool> ahead; // by node; empty: everything
    };
    void add(LeftOut what, const std::vector<BlockId>& from);
    std::vector<bool> ahead_of(const std::vector<BlockId>& from) const;
    bool is_hidden(LeftOut::Kind kind, TargetId target) const;
    bool leads_to(const Item& item, TargetId target) const;

    const Program& program_;
    const Flow* flow_;
    const Exploration& found_;
    Places places_;
    bool one_thread_ = false;
    std::vector<Item> items_;
};

// Where model errors were not looked for: operations that may fail, on paths that were dropped because no target lies
// ahead. In the order of the text, without those that some test shows to fail.
std::vector<Span> untried_places(const Program& program, const Exploration& found);

std::string to_text(const LeftOut& what, const Sources& sources, uint32_t depth);

} // namespace espalier
