// What the author declares: messages, records, ports, types and machines; and the targets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lang/ir/ids.hpp"
#include "lang/text/source.hpp"
#include "lang/values/symbol.hpp"
#include "lang/values/value.hpp"

namespace espalier {

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
using TypeKind = std::variant<type::Int, type::Bool, type::Enum, type::String, type::Bytes, type::ListOf, type::OneOf>;
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

} // namespace espalier
