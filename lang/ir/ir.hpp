// The λ-IR: the one meaning of a model, for the interpreter, the flow analysis and the symbolic executor.
//
// Each λ is an acyclic graph of basic blocks with block parameters; loops exist only as calls. A block is a run of
// straight-line operations and one terminator. Variables are assigned once: assigned variables of the source are
// boxes, free variables are explicit (flat closures). Every operation and terminator has a label, unique in the
// program, and a span. A program is immutable once compiled; facts about it are side tables indexed by these ids.
//
//   (define (foo x) (if (> x 0) (bar x) 1))
//
//   lambda foo (x)                          ; x is variable 0
//     b0:  v1 = const 0
//          v2 = %> x v1
//          branch v2 b1 b2
//     b1:  v3 = global bar
//          tailcall v3 x
//     b2:  v4 = const 1
//          return v4
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "lang/text/source.hpp"
#include "lang/values/heap.hpp"
#include "lang/values/print.hpp"
#include "lang/values/symbol.hpp"
#include "lang/values/value.hpp"

namespace espalier {

enum class BlockId : uint32_t {};
enum class VarId : uint32_t {}; // within one λ
enum class GlobalId : uint32_t {};
enum class TargetId : uint32_t {};
enum class Label : uint32_t {}; // of an operation or terminator; a call's label is its call site

inline constexpr VarId no_var{UINT32_MAX};
inline constexpr LambdaId no_lambda{UINT32_MAX};
inline constexpr BlockId no_block{UINT32_MAX};
inline constexpr Label no_label{UINT32_MAX};
inline constexpr TargetId no_target{UINT32_MAX};

enum class Effect : uint8_t { pure, alloc, read, write, output, stop };

enum class Prim : uint16_t {
#define PRIMITIVE(id, name, arity, effect) id,
#include "lang/ir/primitives.def"
#undef PRIMITIVE
};

struct PrimInfo {
    std::string_view name;
    int arity;
    Effect effect;
};
const PrimInfo& info(Prim prim);
std::string author_name(Prim prim); // of the procedure that an author calls for it, for messages
inline constexpr size_t prim_count = 0
#define PRIMITIVE(id, name, arity, effect) +1
#include "lang/ir/primitives.def"
#undef PRIMITIVE
    ;

// A run of variables in Program::variables.
struct VarList {
    uint32_t first = 0;
    uint32_t count = 0;
};

// ── Operations ──────────────────────────────────────────────────────────────────────────────────────────────────

namespace op {

struct Constant {
    VarId dst;
    Value value;
};
// `checked`: the global may be read before its definition ran, which is a model error.
struct GlobalRef {
    VarId dst;
    GlobalId global;
    bool checked;
};
struct GlobalSet {
    GlobalId global;
    VarId value;
    bool definition;
};
struct Primitive {
    VarId dst;
    Prim prim;
    VarList args;
};
// Closures that may capture each other: all are made, then their captures filled in. In Program::closures.
struct MakeClosures {
    uint32_t first;
    uint32_t count;
};
struct MakeBox {
    VarId dst;
    VarId init;
}; // init may be no_var: unbound until set
struct BoxRef {
    VarId dst;
    VarId box;
    bool checked;
}; // checked: may be unbound still (letrec), a model error
struct BoxSet {
    VarId box;
    VarId value;
    Symbol name;
    bool definition;
}; // definition: the first, of letrec
struct MakeRecord {
    VarId dst;
    RecordId record;
    VarList fields;
};
struct RecordRef {
    VarId dst;
    RecordId record;
    uint32_t field;
    VarId object;
};
struct RecordSet {
    RecordId record;
    uint32_t field;
    VarId object;
    VarId value;
};
struct RecordIs {
    VarId dst;
    RecordId record;
    VarId object;
};
struct MakeMessage {
    VarId dst;
    MessageId message;
    VarList fields;
}; // a value outside a field's type: model error
struct MessageRef {
    VarId dst;
    MessageId message;
    uint32_t field;
    VarId object;
};
struct MessageIs {
    VarId dst;
    MessageId message;
    VarId object;
};
// A point that the search must reach.
struct Mark {
    TargetId target;
};
// The point is reached when left − right is `difference`, of integers; of fresh values 0 where both are the same one.
struct MarkBoundary {
    TargetId target;
    VarId left, right;
    int32_t difference;
};
// Where a decision ended: reached when the atom was `value`, and flipping it would have flipped the decision. `trace`
// is the list of atoms that were evaluated, last first, each as 2 · atom + (1 where it was true).
struct MarkDetermined {
    TargetId target;
    VarId trace;
    uint32_t decision; // in Program::decision_tables
    uint32_t atom;
    bool value;
};
struct Write {
    VarId port;
    VarId value;
}; // a message, or a bare value on a port that carries those
struct Assume {
    VarId condition;
};
struct Assert {
    VarId condition;
};
struct Spawn {
    VarId procedure;
    bool service;
}; // a closure without parameters
struct Send {
    VarId channel;
    VarId value;
};
struct StartTimer {
    VarId timer;
    VarId delay;
};
struct StopTimer {
    VarId timer;
};
struct MakeFresh {
    VarId dst;
    TypeId type;
    VarId others;
}; // others: a list, or no_var
} // namespace op

using OpKind =
    std::variant<op::Constant, op::GlobalRef, op::GlobalSet, op::Primitive, op::MakeClosures, op::MakeBox, op::BoxRef,
                 op::BoxSet, op::MakeRecord, op::RecordRef, op::RecordSet, op::RecordIs, op::MakeMessage,
                 op::MessageRef, op::MessageIs, op::Mark, op::Write, op::Assume, op::Assert, op::Spawn, op::Send,
                 op::StartTimer, op::StopTimer, op::MakeFresh, op::MarkBoundary, op::MarkDetermined>;

// The target of an operation that marks one.
std::optional<TargetId> marked(const OpKind& op);

struct Operation {
    OpKind kind;
    Label label;
    Span span;
    uint32_t site = 0; // of the author's: its index in Program::sites plus one
};

struct ClosureDef {
    VarId dst;
    LambdaId lambda;
    VarList captures; // variables of the maker; may name dst of the same MakeClosures
};

// ── Terminators ─────────────────────────────────────────────────────────────────────────────────────────────────

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

// ── The program ─────────────────────────────────────────────────────────────────────────────────────────────────

struct Block {
    LambdaId lambda;
    VarList params;
    uint32_t first_op = 0; // in Program::ops
    uint32_t op_count = 0;
    Terminator terminator;
};

// Variables are numbered parameters first (a rest parameter last of them), then captures, then `self` (the closure
// that is running), then the rest in order of definition.
struct Lambda {
    Symbol name{}; // of the definition that binds it; "lambda" where there is none
    Span span;
    uint32_t required = 0; // parameters
    bool rest = false;
    uint32_t captures = 0;
    uint32_t variables = 0;   // in all
    uint32_t first_name = 0;  // its variables' names, in Program::variable_names
    uint32_t first_block = 0; // blocks are contiguous and in topological order; the first is the entry
    uint32_t block_count = 0;
    LambdaId next_case = no_lambda; // case-lambda: what to try when the arguments do not fit; same captures
    uint32_t procedure = 0;         // of the author's: its index in Program::procedures plus one
    bool prelude = false;           // calls made by prelude code pass on the call site by which the prelude was entered

    uint32_t params() const { return required + (rest ? 1 : 0); }
    VarId self() const { return VarId{params() + captures}; }
};

struct Global {
    Symbol name;
    Span span;
    bool prelude = false;
    bool assigned = false;      // by set!, somewhere
    LambdaId known = no_lambda; // what its one definition binds it to, when it is never assigned
};

struct FieldDef {
    Symbol name;
    TypeId type;
};
struct MessageDef {
    Symbol name;
    Span span;
    std::vector<FieldDef> fields;
    GlobalId where{UINT32_MAX}; // a predicate on the message that inputs must satisfy; none: UINT32_MAX
};
struct RecordDef {
    Symbol name;
    Span span;
    std::vector<Symbol> fields;
};

// `in` and `out` of the default ports carry bare values; others carry the messages they list.
struct PortDef {
    Symbol name;
    Span span;
    std::vector<MessageId> in, out;
    bool bare_in = false, bare_out = false;
};

namespace type {
struct Int {
    std::optional<Value> low, high;
}; // bounds included; values may be big
struct Bool {};
struct Enum {
    std::vector<Value> values;
};
struct String {};
struct Bytes {
    uint32_t max;
};
struct ListOf {
    TypeId element;
    uint32_t max;
};
struct OneOf {
    std::vector<MessageId> messages;
}; // a message name is the OneOf of itself
} // namespace type
using TypeKind =
    std::variant<type::Int, type::Bool, type::Enum, type::String, type::Bytes, type::ListOf, type::OneOf>;
struct TypeDef {
    TypeKind kind;
    Symbol name{}; // of the define-type, where there is one
    Span span;
};

enum class TargetKind : uint8_t {
    checkpoint,
    requirement,
    procedure,
    branch,
    state,
    transition,
    condition,
    mcdc,
    boundary,
    error
};
struct Target {
    TargetKind kind;
    std::string name; // without its prefix: "proc:foo", "REQ-7", "client/busy", "client/busy#2", "foo#1:then"
    std::string text; // of a requirement; of a transition, its target state, empty where it stays
    Span span;
};

// A machine as its author drew it, for traces and pictures.
struct StateDef {
    Symbol name;
    Span span;
    uint32_t parent = UINT32_MAX;
    bool final = false;
    TargetId target{}; // no_target where states are not among the criteria
};
struct MachineDef {
    Symbol name;
    Span span;
    std::vector<StateDef> states;
};

struct Program : ValueNames {
    std::vector<Lambda> lambdas;
    std::vector<Block> blocks;
    std::vector<Operation> ops;
    std::vector<VarId> variables;       // what VarLists run over
    std::vector<Symbol> variable_names; // by Lambda::first_name; an unnamed temporary has the empty name
    std::vector<ClosureDef> closures;
    std::vector<SelectClause> clauses;
    std::vector<BlockId> choices;
    std::vector<Decision> decisions;
    std::vector<Site> sites;
    std::vector<ProcedureName> procedures;
    std::vector<DecisionTable> decision_tables; // of op::MarkDetermined
    std::vector<Global> globals;
    std::vector<MessageDef> messages;
    std::vector<RecordDef> records;
    std::vector<PortDef> ports;
    std::vector<TypeDef> types;
    std::vector<Target> targets;
    std::vector<MachineDef> machines;
    LambdaId top{}; // the top level: no parameters
    uint32_t label_count = 0;
    std::shared_ptr<Heap> literals;       // immortal objects that constants refer to; all copies share them
    std::shared_ptr<const Program> plain; // what criteria were put into; null where none were (lower/criteria.hpp)

    std::span<const VarId> list(VarList l) const { return {variables.data() + l.first, l.count}; }
    const Lambda& operator[](LambdaId id) const { return lambdas[index(id)]; }
    const Block& operator[](BlockId id) const { return blocks[index(id)]; }
    std::span<const Operation> operations(const Block& b) const { return {ops.data() + b.first_op, b.op_count}; }
    std::span<const SelectClause> select_clauses(const terminator::Select& s) const {
        return {clauses.data() + s.first, s.count};
    }
    std::string_view port_name(PortId id) const override { return name_of(ports[index(id)].name); }
    std::string_view record_name(RecordId id) const override { return name_of(records[index(id)].name); }
    std::string_view message_name(MessageId id) const override { return name_of(messages[index(id)].name); }
    std::string_view procedure_name(LambdaId id) const override { return name_of((*this)[id].name); }
    Symbol variable_name(LambdaId l, VarId v) const { return variable_names[(*this)[l].first_name + index(v)]; }
};

// The program as text, a λ at a time, in the form shown above; `with_prelude` also what the prelude defines.
std::string print_ir(const Program& program, const Sources& sources, bool with_prelude);

} // namespace espalier
