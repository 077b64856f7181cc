// Jumps, calls and frames: the general way, which knows all cases. What is frequent is in loop.cpp.
#pragma once

#include <span>
#include <vector>

#include "symexec/values/symbolic_values.hpp"

namespace espalier::sym {

class Calls {
public:
    Calls(Context& context, SymbolicValues& values)
        : context_(context), program_(context.program), code_(context.code), values_(values) {}
    void jump(Thread& t, BlockId to, VarList args);
    // A callee that `returns` finds its caller below it; otherwise it takes this frame's place.
    void call(State& s, Thread& t, const terminator::Call& call, Label label);
    void tail_call(State& s, Thread& t, const terminator::TailCall& call, Label label);
    // A new frame of the procedure, with its arguments; nothing calls it yet.
    FrameRef enter(State& s, Value callee, std::span<const Value> args, LambdaId known = no_lambda);

private:
    FrameRef callee_frame(State& s, Thread& t, Value callee, VarList list, LambdaId known, bool spread, Label label);
    void begin(Thread& t, uint32_t entry);

    Context& context_;
    const Program& program_;
    const Code& code_;
    SymbolicValues& values_;
    std::vector<Value> scratch_;
};

} // namespace espalier::sym
