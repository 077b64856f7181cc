// Visits of the variables and blocks that an operation or terminator names.
#pragma once

#include "lang/lang.hpp"

namespace espalier::flow {

// Does the operation ask something of its operands, which is then known where a branch depends on the answer?
bool is_test(const OpKind& op);
// Does it read a part of its operand that may be read again?
bool reads_part(const OpKind& op);

// Calls visit(var) for each operand of the operation.
template <typename Visit>
void operands(const Program& p, const OpKind& kind, const Visit& visit) {
    const auto list = [&](VarList l) {
        for (VarId v : p.list(l)) visit(v);
    };
    const auto maybe = [&](VarId v) {
        if (v != no_var) visit(v);
    };
    std::visit(Overloaded{
                   [](const op::Constant&) {},
                   [](const op::GlobalRef&) {},
                   [&](const op::GlobalSet& o) { visit(o.value); },
                   [&](const op::Primitive& o) { list(o.args); },
                   [&](const op::MakeClosures& o) {
                       for (uint32_t i = 0; i < o.count; ++i) list(p.closures[o.first + i].captures);
                   },
                   [&](const op::MakeBox& o) { maybe(o.init); },
                   [&](const op::BoxRef& o) { visit(o.box); },
                   [&](const op::BoxSet& o) { visit(o.box), visit(o.value); },
                   [&](const op::MakeRecord& o) { list(o.fields); },
                   [&](const op::RecordRef& o) { visit(o.object); },
                   [&](const op::RecordSet& o) { visit(o.object), visit(o.value); },
                   [&](const op::RecordIs& o) { visit(o.object); },
                   [&](const op::MakeMessage& o) { list(o.fields); },
                   [&](const op::MessageRef& o) { visit(o.object); },
                   [&](const op::MessageIs& o) { visit(o.object); },
                   [](const op::Mark&) {},
                   [&](const op::Write& o) { visit(o.port), visit(o.value); },
                   [&](const op::Assume& o) { visit(o.condition); },
                   [&](const op::Assert& o) { visit(o.condition); },
                   [&](const op::Spawn& o) { visit(o.procedure); },
                   [&](const op::Send& o) { visit(o.channel), visit(o.value); },
                   [&](const op::StartTimer& o) { visit(o.timer), visit(o.delay); },
                   [&](const op::StopTimer& o) { visit(o.timer); },
                   [&](const op::MakeFresh& o) { maybe(o.others); },
                   [&](const op::MarkBoundary& o) { visit(o.left), visit(o.right); },
                   [&](const op::MarkDetermined& o) { visit(o.trace); },
               },
               kind);
}

// Calls visit(var) for each variable that the operation defines.
template <typename Visit>
void results(const Program& p, const OpKind& kind, const Visit& visit) {
    std::visit(Overloaded{
                   [&](const op::MakeClosures& o) {
                       for (uint32_t i = 0; i < o.count; ++i) visit(p.closures[o.first + i].dst);
                   },
                   [&](const auto& o) {
                       if constexpr (requires { o.dst; }) visit(o.dst);
                   },
               },
               kind);
}

// Calls visit(var) for each operand of the terminator.
template <typename Visit>
void operands(const Program& p, const TerminatorKind& kind, const Visit& visit) {
    const auto list = [&](VarList l) {
        for (VarId v : p.list(l)) visit(v);
    };
    std::visit(Overloaded{
                   [&](const terminator::Jump& t) { list(t.args); },
                   [&](const terminator::Branch& t) { visit(t.condition); },
                   [&](const terminator::Call& t) { visit(t.callee), list(t.args); },
                   [&](const terminator::TailCall& t) { visit(t.callee), list(t.args); },
                   [&](const terminator::Return& t) { visit(t.value); },
                   [&](const terminator::Select& t) {
                       for (const SelectClause& c : p.select_clauses(t))
                           if (c.source != no_var) visit(c.source);
                   },
                   [&](const terminator::Accept& t) { list(t.args); },
                   [](const terminator::Refuse&) {},
                   [](const terminator::Choose&) {},
               },
               kind);
}

// Calls visit(block) for each block of the same λ that control may go on to.
template <typename Visit>
void successors(const Program& p, const TerminatorKind& kind, const Visit& visit) {
    std::visit(Overloaded{
                   [&](const terminator::Jump& t) { visit(t.target); },
                   [&](const terminator::Branch& t) { visit(t.then_block), visit(t.else_block); },
                   [&](const terminator::Call& t) { visit(t.back); },
                   [](const terminator::TailCall&) {},
                   [](const terminator::Return&) {},
                   [&](const terminator::Select& t) {
                       for (const SelectClause& c : p.select_clauses(t)) visit(c.test);
                   },
                   [&](const terminator::Accept& t) { visit(t.body); },
                   [](const terminator::Refuse&) {},
                   [&](const terminator::Choose& t) {
                       for (uint32_t i = t.first; i < t.first + t.count; ++i) visit(p.choices[i]);
                   },
               },
               kind);
}

} // namespace espalier::flow
