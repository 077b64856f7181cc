// Which variables an operation or a terminator reads and writes.
#pragma once

#include <vector>

#include "lang/lang.hpp"

namespace espalier::sym {

struct Effects {
    std::vector<VarId> reads, writes;
    VarId callee = no_var;      // read by a call
    LambdaId known = no_lambda; // the λ that the call enters, where that needs no look at the closure's arity
    std::vector<BlockId> gives; // blocks whose parameters a terminator gives values to
    bool writes_first = false;  // before everything was read

    void clear() {
        reads.clear();
        writes.clear();
        gives.clear();
        callee = no_var;
        known = no_lambda;
        writes_first = false;
    }
};

// What was in `effects` before is forgotten; its memory is used again.
void effects_of(const Program& program, const OpKind& kind, Effects& effects);
void effects_of(const Program& program, const TerminatorKind& kind, Effects& effects);

} // namespace espalier::sym
