// The λ-IR as text, for `check --dump ir` and for tests.
#include "lang/ir/core.hpp"
#include "lang/ir/type.hpp"
#include "lang/values/print.hpp"

namespace espalier {

namespace {

class Printer {
public:
    Printer(const Program& p, const Sources& s) : p_(p), sources_(s) {}
    void lambda(LambdaId id);
    std::string take() { return std::move(out_); }

private:
    std::string var(VarId v) const {
        if (v == no_var) return "-";
        const std::string_view name = name_of(p_.variable_name(current_, v));
        std::string text(name);
        if (name.empty()) text = "v";
        if (index(v) >= p_[current_].params()) text += (name.empty() ? "" : ".") + std::to_string(index(v));
        return text;
    }
    std::string vars(VarList l) const {
        std::string text;
        for (VarId v : p_.list(l)) text += " " + var(v);
        return text;
    }
    std::string block(BlockId b) const {
        return b == no_block ? "none" : "b" + std::to_string(index(b) - p_[current_].first_block);
    }
    std::string lambda_name(LambdaId l) const {
        return std::string(name_of(p_[l].name)) + "@" + std::to_string(index(l));
    }
    std::string set(VarId dst) const { return var(dst) + " = "; }
    std::string target(TargetId t) const { return p_.targets[index(t)].name; }
    std::string message(MessageId m) const { return std::string(name_of(p_.messages[index(m)].name)); }
    std::string record(RecordId r) const { return std::string(name_of(p_.records[index(r)].name)); }
    std::string global(GlobalId g) const { return std::string(name_of(p_.globals[index(g)].name)); }
    std::string clause(const SelectClause& c) const;
    std::string text(const OpKind& op) const;
    std::string text(const TerminatorKind& t) const;
    void line(const std::string& text, Label label, Span span) {
        std::string row = "    " + text;
        if (row.size() < 56) row.resize(56, ' ');
        out_ += row + "  ; " + std::to_string(index(label)) + " " + (span.known() ? place(span) : "-") + "\n";
    }
    std::string place(Span span) const {
        const Position at = sources_.position(span);
        return std::to_string(at.line) + ":" + std::to_string(at.column);
    }

    const Program& p_;
    const Sources& sources_;
    LambdaId current_{};
    std::string out_;
};

std::string Printer::text(const OpKind& op) const {
    return std::visit(
        Overloaded{
            [&](const op::Constant& o) { return set(o.dst) + "const " + to_text(p_, o.value); },
            [&](const op::GlobalRef& o) {
                return set(o.dst) + "global " + global(o.global) + (o.checked ? " checked" : "");
            },
            [&](const op::GlobalSet& o) {
                return (o.definition ? "define " : "set-global ") + global(o.global) + " " + var(o.value);
            },
            [&](const op::Primitive& o) { return set(o.dst) + std::string(info(o.prim).name) + vars(o.args); },
            [&](const op::MakeClosures& o) {
                std::string text;
                for (uint32_t i = 0; i < o.count; ++i) {
                    const ClosureDef& c = p_.closures[o.first + i];
                    text += (i > 0 ? "; " : "") + set(c.dst) + "closure " + lambda_name(c.lambda) + vars(c.captures);
                }
                return text;
            },
            [&](const op::MakeBox& o) { return set(o.dst) + "box " + var(o.init); },
            [&](const op::BoxRef& o) { return set(o.dst) + "unbox " + var(o.box) + (o.checked ? " checked" : ""); },
            [&](const op::BoxSet& o) { return "set-box " + var(o.box) + " " + var(o.value); },
            [&](const op::MakeRecord& o) { return set(o.dst) + "record " + record(o.record) + vars(o.fields); },
            [&](const op::RecordRef& o) {
                return set(o.dst) + "field " + record(o.record) + "." + std::to_string(o.field) + " " + var(o.object);
            },
            [&](const op::RecordSet& o) {
                return "set-field " + record(o.record) + "." + std::to_string(o.field) + " " + var(o.object) + " " +
                       var(o.value);
            },
            [&](const op::RecordIs& o) { return set(o.dst) + "is " + record(o.record) + " " + var(o.object); },
            [&](const op::MakeMessage& o) { return set(o.dst) + "message " + message(o.message) + vars(o.fields); },
            [&](const op::MessageRef& o) {
                return set(o.dst) + "field " + message(o.message) + "." + std::to_string(o.field) + " " + var(o.object);
            },
            [&](const op::MessageIs& o) { return set(o.dst) + "is " + message(o.message) + " " + var(o.object); },
            [&](const op::Mark& o) { return "mark " + target(o.target); },
            [&](const op::Write& o) { return "write " + var(o.port) + " " + var(o.value); },
            [&](const op::Assume& o) { return "assume " + var(o.condition); },
            [&](const op::Assert& o) { return "assert " + var(o.condition); },
            [&](const op::Spawn& o) { return (o.service ? "spawn-service " : "spawn ") + var(o.procedure); },
            [&](const op::Send& o) { return "send " + var(o.channel) + " " + var(o.value); },
            [&](const op::StartTimer& o) { return "start " + var(o.timer) + " " + var(o.delay); },
            [&](const op::StopTimer& o) { return "stop " + var(o.timer); },
            [&](const op::MarkBoundary& o) {
                return "mark " + target(o.target) + " where " + var(o.left) + " - " + var(o.right) + " = " +
                       std::to_string(o.difference);
            },
            [&](const op::MarkDetermined& o) {
                return "mark " + target(o.target) + " where " + var(o.trace) + " was decided by " +
                       std::to_string(o.atom) + (o.value ? " being true" : " being false");
            },
            [&](const op::MakeFresh& o) {
                return set(o.dst) + "fresh " + to_text(p_, o.type) + (o.others == no_var ? "" : " " + var(o.others));
            },
        },
        op);
}

std::string Printer::clause(const SelectClause& c) const {
    std::string text;
    switch (c.kind) {
    case SelectClause::Kind::message: text = var(c.source); break;
    case SelectClause::Kind::timer: text = "timeout " + var(c.source); break;
    case SelectClause::Kind::after: text = "after " + var(c.source); break;
    case SelectClause::Kind::other: text = "else"; break;
    }
    if (c.kind == SelectClause::Kind::message) {
        switch (c.filter) {
        case SelectClause::Filter::any: text += " any"; break;
        case SelectClause::Filter::message: text += " " + message(c.message); break;
        case SelectClause::Filter::bare: text += " " + to_text(p_, c.type); break;
        }
    }
    return "(" + text + " " + block(c.test) + ")";
}

std::string Printer::text(const TerminatorKind& t) const {
    auto callee = [&](VarId v, LambdaId known, bool spread) {
        return (spread ? "* " : " ") + var(v) + (known == no_lambda ? "" : "[" + lambda_name(known) + "]");
    };
    return std::visit(
        Overloaded{
            [&](const terminator::Jump& x) { return "jump " + block(x.target) + vars(x.args); },
            [&](const terminator::Branch& x) {
                return "branch " + var(x.condition) + " " + block(x.then_block) + " " + block(x.else_block) +
                       (x.number == 0 ? "" : " #" + std::to_string(p_.decisions[x.number - 1].number));
            },
            [&](const terminator::Call& x) {
                return "call" + callee(x.callee, x.known, x.spread) + vars(x.args) + " -> " + block(x.back);
            },
            [&](const terminator::TailCall& x) {
                return "tailcall" + callee(x.callee, x.known, x.spread) + vars(x.args);
            },
            [&](const terminator::Return& x) { return "return " + var(x.value); },
            [&](const terminator::Select& x) {
                std::string text = "select";
                for (const SelectClause& c : p_.select_clauses(x)) text += " " + clause(c);
                return text;
            },
            [&](const terminator::Accept& x) { return "accept " + block(x.body) + vars(x.args); },
            [&](const terminator::Refuse&) { return std::string("refuse"); },
            [&](const terminator::Choose& x) {
                std::string text = "choose";
                for (uint32_t i = 0; i < x.count; ++i) text += " " + block(p_.choices[x.first + i]);
                return text;
            },
        },
        t);
}

void Printer::lambda(LambdaId id) {
    current_ = id;
    const Lambda& l = p_[id];
    out_ += "lambda " + lambda_name(id) + " (";
    for (uint32_t i = 0; i < l.params(); ++i)
        out_ += (i > 0 ? " " : "") + std::string(i + 1 == l.params() && l.rest ? ". " : "") + var(VarId{i});
    out_ += ")";
    if (l.captures > 0) {
        out_ += " captures";
        for (uint32_t i = 0; i < l.captures; ++i) out_ += " " + var(VarId{l.params() + i});
    }
    if (l.next_case != no_lambda) out_ += " else " + lambda_name(l.next_case);
    out_ += "\n";
    for (uint32_t b = 0; b < l.block_count; ++b) {
        const Block& blk = p_.blocks[l.first_block + b];
        out_ += "  b" + std::to_string(b) + ":" +
                (blk.params.count > 0 ? " (" + vars(blk.params).substr(1) + ")" : "") + "\n";
        for (const Operation& o : p_.operations(blk)) line(text(o.kind), o.label, o.span);
        line(text(blk.terminator.kind), blk.terminator.label, blk.terminator.span);
    }
}

} // namespace

std::string print_ir(const Program& program, const Sources& sources, bool with_prelude) {
    Printer printer(program, sources);
    for (uint32_t i = 0; i < program.lambdas.size(); ++i) {
        if (with_prelude || !program.lambdas[i].prelude) printer.lambda(LambdaId{i});
    }
    return printer.take();
}

} // namespace espalier
