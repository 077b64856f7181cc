// What coverage criteria speak of, in the author's text: decisions, comparisons, errors, procedures.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/ir/terminator.hpp"
#include "lang/values/symbol.hpp"

namespace espalier {

// A decision of the author: an `if`, a clause of `cond` or `case`, a `where`, …. `and`, `or` and `not` in its test are
// branches of their own; whichever way they go, they end in one of these two blocks. `number` counts within the
// procedure or machine state, from 1, in the order of the text.
struct Decision {
    LambdaId lambda;
    BranchOrigin origin;
    Symbol scope; // the top-level procedure, or machine/state; "top" at the top level
    uint32_t number;
    BlockId then_block, else_block; // no_block where that way is never taken
    Span span;
};

// A comparison of numbers, or an `assert` or `error`, in the author's text; numbered as decisions are.
struct Site {
    enum class Kind : uint8_t { comparison, error } kind;
    Symbol scope;
    uint32_t number;
};
// A procedure in the author's text. `number` is zero where the scope is the procedure itself.
struct ProcedureName {
    Symbol scope, name;
    uint32_t number;
};

// A decision's atoms as a decision diagram: where each way of an atom leads, to another atom or to the end.
struct DecisionTable {
    static constexpr uint32_t yes = UINT32_MAX, no = UINT32_MAX - 1;
    struct Atom {
        uint32_t if_true, if_false;
    };
    std::vector<Atom> atoms; // each leads to later ones
};
// Would the decision have gone the other way, had the atom? `trace` as in op::MarkDetermined; atoms that were not
// evaluated are free. (Masking MC/DC: Chilenski 2001.)
bool determines(const DecisionTable& table, Value trace, uint32_t atom, bool value);
// Are both integers, and left − right is `difference`?
bool is_at_boundary(Value left, Value right, int64_t difference);

} // namespace espalier
