#include "symexec/state/effects.hpp"

#include "symexec/state/code.hpp"

namespace espalier::sym {

void effects_of(const Program& p, const OpKind& kind, Effects& e) {
    e.clear();
    const auto read = [&](auto... v) { (e.reads.push_back(v), ...); };
    const auto read_all = [&](VarList l) { e.reads.insert(e.reads.end(), p.list(l).begin(), p.list(l).end()); };
    const auto read_some = [&](VarId v) {
        if (v != no_var) e.reads.push_back(v);
    };
    const auto write = [&](VarId v) { e.writes.push_back(v); };
    std::visit(Overloaded{
                   [&](const op::Constant& o) { write(o.dst); },
                   [&](const op::GlobalRef& o) { write(o.dst); },
                   [&](const op::GlobalSet& o) { read(o.value); },
                   [&](const op::Primitive& o) { read_all(o.args), write(o.dst); },
                   [&](const op::MakeClosures& o) {
                       for (const ClosureDef& d : std::span(p.closures).subspan(o.first, o.count))
                           read_all(d.captures), write(d.dst);
                       e.writes_first = true;
                   },
                   [&](const op::MakeBox& o) { read_some(o.init), write(o.dst); },
                   [&](const op::BoxRef& o) { read(o.box), write(o.dst); },
                   [&](const op::BoxSet& o) { read(o.box, o.value); },
                   [&](const op::MakeRecord& o) { read_all(o.fields), write(o.dst); },
                   [&](const op::RecordRef& o) { read(o.object), write(o.dst); },
                   [&](const op::RecordSet& o) { read(o.object, o.value); },
                   [&](const op::RecordIs& o) { read(o.object), write(o.dst); },
                   [&](const op::MakeMessage& o) { read_all(o.fields), write(o.dst); },
                   [&](const op::MessageRef& o) { read(o.object), write(o.dst); },
                   [&](const op::MessageIs& o) { read(o.object), write(o.dst); },
                   [&](const op::Mark&) {},
                   [&](const op::MarkBoundary& o) { read(o.left, o.right); },
                   [&](const op::MarkDetermined& o) { read(o.trace); },
                   [&](const op::Write& o) { read(o.port, o.value); },
                   [&](const op::Assume& o) { read(o.condition); },
                   [&](const op::Assert& o) { read(o.condition); },
                   [&](const op::Spawn& o) { read(o.procedure); },
                   [&](const op::Send& o) { read(o.channel, o.value); },
                   [&](const op::StartTimer& o) { read(o.timer, o.delay); },
                   [&](const op::StopTimer& o) { read(o.timer); },
                   [&](const op::MakeFresh& o) { read_some(o.others), write(o.dst); },
               },
               kind);
}

void effects_of(const Program& p, const TerminatorKind& kind, Effects& e) {
    e.clear();
    const auto read_all = [&](VarList l) { e.reads.insert(e.reads.end(), p.list(l).begin(), p.list(l).end()); };
    const auto call = [&](const auto& t) {
        read_all(t.args);
        e.callee = t.callee;
        // Others go the general way, which looks at the closure.
        if (is_plain_call(p, t.known, t.args, t.spread)) e.known = t.known;
    };
    std::visit(Overloaded{
                   [&](const terminator::Jump& t) { read_all(t.args), e.gives.push_back(t.target); },
                   [&](const terminator::Branch& t) { e.reads.push_back(t.condition); },
                   [&](const terminator::Call& t) { call(t), e.gives.push_back(t.back); },
                   [&](const terminator::TailCall& t) { call(t); },
                   [&](const terminator::Return& t) { e.reads.push_back(t.value); },
                   [&](const terminator::Select& t) { // a test gets its parameters when it is entered
                       for (const SelectClause& c : p.select_clauses(t))
                           if (c.source != no_var) e.reads.push_back(c.source);
                   },
                   [&](const terminator::Accept& t) { read_all(t.args), e.gives.push_back(t.body); },
                   [&](const terminator::Refuse&) {},
                   [&](const terminator::Choose&) {},
               },
               kind);
}

} // namespace espalier::sym
