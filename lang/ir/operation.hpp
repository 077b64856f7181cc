// The operations of the λ-IR: what a block does before its terminator.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "lang/ir/ids.hpp"
#include "lang/ir/primitive.hpp"
#include "lang/text/source.hpp"
#include "lang/values/symbol.hpp"
#include "lang/values/value.hpp"

namespace espalier {

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

} // namespace espalier
