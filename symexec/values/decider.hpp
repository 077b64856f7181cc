// Decisions about symbolic values: where a path divides.
//
// An operation asks; where the answer was not yet decided for this state, the state is suspended, and each successor
// starts the operation again with one more decision. Started again, it may ask less than before, since the path says
// more by now, but it asks everything that it asked: what is decided is looked up before anything else is. A value that
// is looked into for the first time is a decision too (lazy initialisation: Khurshid, Păsăreanu, Visser 2003): which
// message a one-of is, whether a list goes on, how long bytes are. The choice is then written to the value's cell of
// the store, so it is made once on each path.
#pragma once

#include <functional>
#include <vector>

#include "symexec/values/inputs.hpp"

namespace espalier::sym {

class Decider {
public:
    Decider(Context& context, Inputs& inputs)
        : program_(context.program), terms_(context.terms), heap_(context.heap), inputs_(inputs) {}
    // Everything but #f counts as true.
    Value truth(State& s, Value v);
    bool decide(State& s, Value condition);
    // Which of so many ways? What they are is asked for where that is not decided yet.
    uint32_t pick(State& s, const Subject& subject, size_t count,
                  const std::function<std::vector<Value>()>& conditions);
    // The value itself, looked into where it is lazy.
    Value forced(State& s, Value v);
    // The same where it needs no decision; else nothing.
    std::optional<Value> seen(const State& s, Value v) const;

private:
    struct Lazy;
    size_t ways(const Lazy& lazy) const;
    Value content(State& s, const Lazy& lazy, uint32_t way, Value& original);
    Value bytes(State& s, uint32_t count, Value& original);

    const Program& program_;
    Terms& terms_;
    Heap& heap_;
    Inputs& inputs_;
};

} // namespace espalier::sym
