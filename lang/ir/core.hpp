// Core forms: what the expander makes of data. Names are resolved, macros gone, machines and selects reduced to
// lambdas and waits; still an expression tree, with a span on every node.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "lang/ir/ir.hpp"
#include "lang/ir/overloaded.hpp"

namespace espalier {

enum class CoreId : uint32_t {};
enum class LocalId : uint32_t {};
inline constexpr CoreId no_core{UINT32_MAX};
inline constexpr LocalId no_local{UINT32_MAX};

struct Local {
    Symbol name{};
    Span span;
    bool assigned = false; // by set!, an arrow, or a letrec that needs it: lives in a box
    bool unchecked = true; // false: may be read before its definition has run
    bool referenced = false;
    bool generated = false;  // no author wrote it
    CoreId lambda = no_core; // the core::Lambda it is bound to for good, where that is known
};

// A run of ids in CoreProgram::children or ::locals_pool.
struct CoreList {
    uint32_t first = 0;
    uint32_t count = 0;
};
struct LocalList {
    uint32_t first = 0;
    uint32_t count = 0;
};

namespace core {
struct Const {
    Value value;
};
struct LocalRef {
    LocalId local;
};
struct LocalSet {
    LocalId local;
    CoreId value;
};
struct GlobalRef {
    GlobalId global;
};
struct GlobalSet {
    GlobalId global;
    CoreId value;
    bool definition;
};
struct Lambda {
    uint32_t first_case;
    uint32_t case_count;
    Symbol name;
    bool prelude;
    uint32_t procedure = 0; // of the author's: its index in CoreProgram::procedures plus one
};
struct If {
    CoreId test, then_part, else_part;
    BranchOrigin origin;
    uint32_t number;
};
struct Seq {
    CoreList parts;
}; // never empty
struct Let {
    LocalList locals;
    CoreList inits;
    CoreId body;
}; // inits do not see the locals
struct Fix {
    LocalList locals;
    CoreList lambdas;
    CoreId body;
}; // unassigned, each bound to a Lambda
struct Letrec {
    LocalList locals;
    CoreList inits;
    CoreId body;
}; // all boxed, set in order
struct Call {
    CoreId callee;
    CoreList args;
    bool spread;
};
struct PrimCall {
    Prim prim;
    CoreList args;
    uint32_t site = 0; // of the author's: its index in CoreProgram::sites plus one
};
struct MakeRecord {
    RecordId record;
    CoreList fields;
};
struct RecordRef {
    RecordId record;
    uint32_t field;
    CoreId object;
};
struct RecordSet {
    RecordId record;
    uint32_t field;
    CoreId object, value;
};
struct RecordIs {
    RecordId record;
    CoreId object;
};
struct MakeMessage {
    MessageId message;
    CoreList fields;
};
struct MessageRef {
    MessageId message;
    uint32_t field;
    CoreId object;
};
struct MessageIs {
    MessageId message;
    CoreId object;
};
struct Mark {
    TargetId target;
};
struct Write {
    CoreId port, value;
};
struct Assume {
    CoreId condition;
};
struct Assert {
    CoreId condition;
    uint32_t site = 0;
};
struct Spawn {
    CoreId procedure;
    bool service;
};
struct Send {
    CoreId channel, value;
};
struct StartTimer {
    CoreId timer, delay;
};
struct StopTimer {
    CoreId timer;
};
struct Fresh {
    TypeId type;
    CoreId others;
}; // others may be no_core
struct Select {
    uint32_t first;
    uint32_t count;
}; // in CoreProgram::clauses
struct Choose {
    CoreList alternatives;
};
} // namespace core

using CoreKind =
    std::variant<core::Const, core::LocalRef, core::LocalSet, core::GlobalRef, core::GlobalSet, core::Lambda, core::If,
                 core::Seq, core::Let, core::Fix, core::Letrec, core::Call, core::PrimCall, core::MakeRecord,
                 core::RecordRef, core::RecordSet, core::RecordIs, core::MakeMessage, core::MessageRef, core::MessageIs,
                 core::Mark, core::Write, core::Assume, core::Assert, core::Spawn, core::Send, core::StartTimer,
                 core::StopTimer, core::Fresh, core::Select, core::Choose>;

struct Core {
    CoreKind kind;
    Span span;
};

struct LambdaCase {
    LocalList params;
    bool rest = false;
    CoreId body = no_core;
    Span span;
};

// A clause's test: bind the message's fields, then `tests` in order, each of which must be true; then `body`.
struct CoreTest {
    CoreId condition;
    BranchOrigin origin;
    uint32_t number;
};
struct CoreClause {
    SelectClause::Kind kind = SelectClause::Kind::message;
    SelectClause::Filter filter = SelectClause::Filter::any;
    CoreId source = no_core;
    MessageId message{};
    TypeId type{};
    LocalId whole = no_local; // the message
    LocalId from_port = no_local;
    std::vector<std::pair<LocalId, uint32_t>> fields; // local, field index
    std::vector<CoreTest> tests;
    uint32_t author_tests = 0; // how many of them the author wrote: literals and `where`
    CoreId body = no_core;
    Span span;
};

// A decision of the author's, by If::number or CoreTest::number less one. A clause that is expanded for several leaves
// of a machine numbers its decisions alike each time.
struct DecisionName {
    Symbol scope;
    uint32_t number;
};

// The part of a Program that exists before lowering, and the trees.
struct CoreProgram {
    std::vector<Core> nodes;
    std::vector<CoreId> children;
    std::vector<LocalId> locals_pool;
    std::vector<Local> locals;
    std::vector<LambdaCase> cases;
    std::vector<CoreClause> clauses;
    std::vector<DecisionName> decisions;
    std::vector<Site> sites;
    std::vector<ProcedureName> procedures;
    std::vector<CoreId> prelude; // definitions, in order: what the model uses of the prelude
    std::vector<CoreId> top;     // the author's forms, in order

    // Declared along the way; moved into the Program.
    std::vector<Global> globals;
    std::vector<CoreId> global_lambda; // by global: the core::Lambda of its one definition, or no_core
    std::vector<MessageDef> messages;
    std::vector<RecordDef> records;
    std::vector<PortDef> ports;
    std::vector<TypeDef> types;
    std::vector<Target> targets;
    std::vector<MachineDef> machines;
    std::unique_ptr<Heap> literals;

    const Core& operator[](CoreId id) const { return nodes[index(id)]; }
    Core& operator[](CoreId id) { return nodes[index(id)]; }
    const Local& operator[](LocalId id) const { return locals[index(id)]; }
    Local& operator[](LocalId id) { return locals[index(id)]; }
    std::span<const CoreId> list(CoreList l) const { return {children.data() + l.first, l.count}; }
    std::span<const LocalId> list(LocalList l) const { return {locals_pool.data() + l.first, l.count}; }
    std::span<const LambdaCase> list(const core::Lambda& l) const {
        return {cases.data() + l.first_case, l.case_count};
    }
    std::span<const CoreClause> list(const core::Select& s) const { return {clauses.data() + s.first, s.count}; }

    CoreId add(CoreKind kind, Span span);
    CoreList add_list(std::span<const CoreId> ids);
    LocalList add_list(std::span<const LocalId> ids);
};

// Calls `visit(CoreId)` on each direct child of a node, in order of evaluation.
template <typename Visit>
void for_each_child(const CoreProgram& p, CoreId id, Visit visit) {
    auto all = [&](CoreList l) {
        for (uint32_t i = 0; i < l.count; ++i) visit(p.children[l.first + i]);
    };
    std::visit(Overloaded{
                   [](const core::Const&) {},
                   [](const core::LocalRef&) {},
                   [](const core::GlobalRef&) {},
                   [](const core::Mark&) {},
                   [&](const core::LocalSet& n) { visit(n.value); },
                   [&](const core::GlobalSet& n) { visit(n.value); },
                   [&](const core::Lambda& n) {
                       for (const LambdaCase& c : p.list(n)) visit(c.body);
                   },
                   [&](const core::If& n) { visit(n.test), visit(n.then_part), visit(n.else_part); },
                   [&](const core::Seq& n) { all(n.parts); },
                   [&](const core::Let& n) { all(n.inits), visit(n.body); },
                   [&](const core::Fix& n) { all(n.lambdas), visit(n.body); },
                   [&](const core::Letrec& n) { all(n.inits), visit(n.body); },
                   [&](const core::Call& n) { visit(n.callee), all(n.args); },
                   [&](const core::PrimCall& n) { all(n.args); },
                   [&](const core::MakeRecord& n) { all(n.fields); },
                   [&](const core::RecordRef& n) { visit(n.object); },
                   [&](const core::RecordSet& n) { visit(n.object), visit(n.value); },
                   [&](const core::RecordIs& n) { visit(n.object); },
                   [&](const core::MakeMessage& n) { all(n.fields); },
                   [&](const core::MessageRef& n) { visit(n.object); },
                   [&](const core::MessageIs& n) { visit(n.object); },
                   [&](const core::Write& n) { visit(n.port), visit(n.value); },
                   [&](const core::Assume& n) { visit(n.condition); },
                   [&](const core::Assert& n) { visit(n.condition); },
                   [&](const core::Spawn& n) { visit(n.procedure); },
                   [&](const core::Send& n) { visit(n.channel), visit(n.value); },
                   [&](const core::StartTimer& n) { visit(n.timer), visit(n.delay); },
                   [&](const core::StopTimer& n) { visit(n.timer); },
                   [&](const core::Fresh& n) {
                       if (n.others != no_core) visit(n.others);
                   },
                   [&](const core::Select& n) {
                       for (const CoreClause& c : p.list(n)) {
                           if (c.source != no_core) visit(c.source);
                       }
                       for (const CoreClause& c : p.list(n)) {
                           for (const CoreTest& t : c.tests) visit(t.condition);
                           visit(c.body);
                       }
                   },
                   [&](const core::Choose& n) { all(n.alternatives); },
               },
               p[id].kind);
}

// A letrec* in the order written; `locals[i]` is no_local where inits[i] is an expression for its effect. Splits it
// into nested Let, Fix and, only where a value is needed before it is there, boxed Letrec (Ghuloum & Dybvig 2009,
// "Fixing Letrec (reloaded)").
CoreId make_letrec(CoreProgram& program, std::span<const LocalId> locals, std::span<const CoreId> inits, CoreId body,
                   Span span);

std::string print_core(const CoreProgram& program, bool with_prelude);

} // namespace espalier
