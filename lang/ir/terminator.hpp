// The terminators of the λ-IR: how a block ends; and the clauses of a wait.
#pragma once

#include <cstdint>
#include <variant>

#include "lang/ir/ids.hpp"
#include "lang/text/source.hpp"
#include "lang/values/value.hpp"

namespace espalier {

enum class BranchOrigin : uint8_t { generated, decision, guard };

namespace terminator {

struct Jump {
    BlockId target;
    VarList args;
}; // args: one for each parameter of the target
// An atomic condition. Of a decision that the author wrote, `number` is its index in Program::decisions plus one; of a
// generated branch, zero.
struct Branch {
    VarId condition;
    BlockId then_block;
    BlockId else_block;
    BranchOrigin origin;
    uint32_t number;
};
// `known`: the λ the callee is bound to, where the text alone says so (arity already checked); else no_lambda.
// `spread`: the last argument is a list whose elements are the last arguments.
// `back`: the return block, whose one parameter receives the result.
struct Call {
    VarId callee;
    VarList args;
    BlockId back;
    LambdaId known;
    bool spread;
};
struct TailCall {
    VarId callee;
    VarList args;
    LambdaId known;
    bool spread;
};
struct Return {
    VarId value;
};
// Waits; see SelectClause. In Program::clauses, in source order.
struct Select {
    uint32_t first;
    uint32_t count;
};
// In a clause's test: take the clause (and its message), go on in `body`; or leave it, and the next one is tried.
struct Accept {
    BlockId body;
    VarList args;
};
struct Refuse {};
// The environment takes one of the blocks, in Program::choices.
struct Choose {
    uint32_t first;
    uint32_t count;
};
} // namespace terminator

using TerminatorKind =
    std::variant<terminator::Jump, terminator::Branch, terminator::Call, terminator::TailCall, terminator::Return,
                 terminator::Select, terminator::Accept, terminator::Refuse, terminator::Choose>;

struct Terminator {
    TerminatorKind kind;
    Label label;
    Span span;
};

// One clause of a select. The engine finds the candidate clauses (the source is ready and the filter fits), and enters
// their test blocks in order until one accepts:
//   message  `source` is a port or channel; test's parameters are (message, from-port?); the message is consumed on
//            Accept only
//   timer    `source` is a timer;  test has no parameters
//   after    `source` is a delay;  test has no parameters
//   other    the `else`: a queued channel message that no clause took; test's parameters are as for message
// A test may branch and call, but not wait or write: the checks see to it.
struct SelectClause {
    enum class Kind : uint8_t { message, timer, after, other };
    enum class Filter : uint8_t { any, message, bare }; // bare: a value of `type` on a port that carries bare values
    Kind kind = Kind::message;
    Filter filter = Filter::any;
    VarId source = no_var; // evaluated before the wait
    MessageId message{};   // Filter::message
    TypeId type{};         // Filter::bare
    BlockId test = no_block;
    Label label = no_label; // of the clause
    Span span;
};

} // namespace espalier
