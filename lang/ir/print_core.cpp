// Core forms as text, for `check --dump expand`: Scheme as far as it goes, locals numbered so that names that a macro
// renamed stay apart.
#include <unordered_map>

#include "lang/ir/core.hpp"
#include "lang/ir/type.hpp"
#include "lang/values/print.hpp"

namespace espalier {

namespace {

class Printer {
public:
    explicit Printer(const CoreProgram& p) : p_(p) {
        names_.messages = p.messages;
        names_.records = p.records;
        names_.ports = p.ports;
        names_.types = p.types;
    }
    std::string form(CoreId id) {
        out_.clear();
        print(id, 0);
        return std::move(out_);
    }

private:
    std::string local(LocalId l) const {
        return l == no_local ? "_"
                             : std::string(name_of(p_[l].name)) + "." +
                                   std::to_string(numbers_.emplace(index(l), numbers_.size() + 1).first->second);
    }
    std::string message(MessageId m) const { return std::string(name_of(p_.messages[index(m)].name)); }

    void newline(int indent) {
        out_ += '\n';
        out_.append(static_cast<size_t>(indent), ' ');
    }
    // (head part part …): on one line if there is little of it, else one part a line.
    void list(const std::string& head, const std::vector<CoreId>& parts, int indent) {
        int budget = 12;
        bool little = true;
        for (CoreId c : parts) little = little && fits(c, budget);
        out_ += "(" + head;
        for (CoreId c : parts) {
            if (little) {
                out_ += ' ';
            } else {
                newline(indent + 2);
            }
            print(c, indent + 2);
        }
        out_ += ')';
    }
    bool fits(CoreId id, int& budget) const {
        if (--budget < 0) return false;
        const CoreKind& k = p_[id].kind;
        if (std::holds_alternative<core::Lambda>(k) || std::holds_alternative<core::Let>(k) ||
            std::holds_alternative<core::Fix>(k) || std::holds_alternative<core::Letrec>(k) ||
            std::holds_alternative<core::Select>(k) || std::holds_alternative<core::Seq>(k)) {
            return false;
        }
        bool all = true;
        for_each_child(p_, id, [&](CoreId c) { all = all && fits(c, budget); });
        return all;
    }
    std::vector<CoreId> items(CoreList l) const { return {p_.list(l).begin(), p_.list(l).end()}; }
    void bindings(const char* head, LocalList locals, CoreList inits, CoreId body, int indent) {
        out_ += std::string("(") + head + " (";
        for (uint32_t i = 0; i < locals.count; ++i) {
            if (i > 0) newline(indent + 4);
            out_ += "(" + local(p_.list(locals)[i]) + " ";
            print(p_.list(inits)[i], indent + 6);
            out_ += ")";
        }
        out_ += ")";
        newline(indent + 2);
        print(body, indent + 2);
        out_ += ")";
    }
    void print(CoreId id, int indent);
    void clause(const CoreClause& c, int indent);
    void show(const core::Const& n, int indent);
    void show(const core::LocalRef& n, int indent);
    void show(const core::LocalSet& n, int indent);
    void show(const core::GlobalRef& n, int indent);
    void show(const core::GlobalSet& n, int indent);
    void show(const core::Lambda& n, int indent);
    void show(const core::If& n, int indent);
    void show(const core::Seq& n, int indent);
    void show(const core::Let& n, int indent);
    void show(const core::Fix& n, int indent);
    void show(const core::Letrec& n, int indent);
    void show(const core::Call& n, int indent);
    void show(const core::PrimCall& n, int indent);
    void show(const core::MakeRecord& n, int indent);
    void show(const core::RecordRef& n, int indent);
    void show(const core::RecordSet& n, int indent);
    void show(const core::RecordIs& n, int indent);
    void show(const core::MakeMessage& n, int indent);
    void show(const core::MessageRef& n, int indent);
    void show(const core::MessageIs& n, int indent);
    void show(const core::Mark& n, int indent);
    void show(const core::Write& n, int indent);
    void show(const core::Assume& n, int indent);
    void show(const core::Assert& n, int indent);
    void show(const core::Spawn& n, int indent);
    void show(const core::Send& n, int indent);
    void show(const core::StartTimer& n, int indent);
    void show(const core::StopTimer& n, int indent);
    void show(const core::Fresh& n, int indent);
    void show(const core::Select& n, int indent);
    void show(const core::Choose& n, int indent);

    const CoreProgram& p_;
    Program names_; // only its tables of names, for the value printer
    std::string out_;
    mutable std::unordered_map<uint32_t, size_t> numbers_; // of locals, in order of appearance
};

void Printer::clause(const CoreClause& c, int indent) {
    newline(indent);
    out_ += "((";
    switch (c.kind) {
    case SelectClause::Kind::message: break;
    case SelectClause::Kind::timer: out_ += "timeout "; break;
    case SelectClause::Kind::after: out_ += "after "; break;
    case SelectClause::Kind::other: out_ += "else"; break;
    }
    if (c.source != no_core) print(c.source, indent + 2);
    if (c.kind == SelectClause::Kind::message) {
        out_ += c.filter == SelectClause::Filter::any       ? " any"
                : c.filter == SelectClause::Filter::message ? " " + message(c.message)
                                                            : " " + to_text(names_, c.type);
        out_ += " as " + local(c.whole);
        for (const auto& [l, field] : c.fields) out_ += " (" + local(l) + " " + std::to_string(field) + ")";
    }
    out_ += ")";
    for (const CoreTest& t : c.tests) {
        newline(indent + 1);
        out_ += t.origin == BranchOrigin::guard ? "(where " : "(if ";
        print(t.condition, indent + 3);
        out_ += ")";
    }
    newline(indent + 1);
    print(c.body, indent + 1);
    out_ += ")";
}

void Printer::print(CoreId id, int indent) {
    std::visit([&](const auto& n) { show(n, indent); }, p_[id].kind);
}

void Printer::show(const core::Const& n, int) {
    const bool self = n.value.is_fixnum() || n.value.is_boolean() || n.value.is_port() || n.value.is_character() ||
                      is_type(n.value, ObjectType::string);
    out_ += (self ? "" : "'") + to_text(names_, n.value);
}

void Printer::show(const core::LocalRef& n, int) { out_ += local(n.local); }

void Printer::show(const core::LocalSet& n, int indent) { list("set! " + local(n.local), {n.value}, indent); }

void Printer::show(const core::GlobalRef& n, int) { out_ += name_of(p_.globals[index(n.global)].name); }

void Printer::show(const core::GlobalSet& n, int indent) {
    list(std::string(n.definition ? "define " : "set! ") + std::string(name_of(p_.globals[index(n.global)].name)),
         {n.value}, indent);
}

void Printer::show(const core::Lambda& n, int indent) {
    const auto cases = p_.list(n);
    out_ += cases.size() > 1 ? "(case-lambda" : "(lambda";
    for (const LambdaCase& c : cases) {
        out_ += cases.size() > 1 ? "\n" + std::string(static_cast<size_t>(indent) + 2, ' ') + "((" : " (";
        const auto params = p_.list(c.params);
        for (size_t i = 0; i < params.size(); ++i)
            out_ += (i > 0 ? " " : "") + std::string(c.rest && i + 1 == params.size() ? ". " : "") + local(params[i]);
        out_ += ")";
        newline(indent + 2 + (cases.size() > 1 ? 1 : 0));
        print(c.body, indent + 2 + (cases.size() > 1 ? 1 : 0));
        if (cases.size() > 1) out_ += ")";
    }
    out_ += ")";
}

void Printer::show(const core::If& n, int indent) { list("if", {n.test, n.then_part, n.else_part}, indent); }

void Printer::show(const core::Seq& n, int indent) { list("begin", items(n.parts), indent); }

void Printer::show(const core::Let& n, int indent) { bindings("let", n.locals, n.inits, n.body, indent); }

void Printer::show(const core::Fix& n, int indent) { bindings("fix", n.locals, n.lambdas, n.body, indent); }

void Printer::show(const core::Letrec& n, int indent) { bindings("letrec*", n.locals, n.inits, n.body, indent); }

void Printer::show(const core::Call& n, int indent) {
    std::vector<CoreId> parts = items(n.args);
    parts.insert(parts.begin(), n.callee);
    list(n.spread ? "apply" : "call", parts, indent);
}

void Printer::show(const core::PrimCall& n, int indent) { list(std::string(info(n.prim).name), items(n.args), indent); }

void Printer::show(const core::MakeRecord& n, int indent) {
    list("make-record " + std::string(name_of(p_.records[index(n.record)].name)), items(n.fields), indent);
}

void Printer::show(const core::RecordRef& n, int indent) {
    list("record-ref " + std::string(name_of(p_.records[index(n.record)].name)) + " " + std::to_string(n.field),
         {n.object}, indent);
}

void Printer::show(const core::RecordSet& n, int indent) {
    list("record-set! " + std::string(name_of(p_.records[index(n.record)].name)) + " " + std::to_string(n.field),
         {n.object, n.value}, indent);
}

void Printer::show(const core::RecordIs& n, int indent) {
    list("record? " + std::string(name_of(p_.records[index(n.record)].name)), {n.object}, indent);
}

void Printer::show(const core::MakeMessage& n, int indent) { list(message(n.message), items(n.fields), indent); }

void Printer::show(const core::MessageRef& n, int indent) {
    list(message(n.message) + "-" + std::string(name_of(p_.messages[index(n.message)].fields[n.field].name)),
         {n.object}, indent);
}

void Printer::show(const core::MessageIs& n, int indent) { list(message(n.message) + "?", {n.object}, indent); }

void Printer::show(const core::Mark& n, int) { out_ += "(mark \"" + p_.targets[index(n.target)].name + "\")"; }

void Printer::show(const core::Write& n, int indent) { list("write", {n.port, n.value}, indent); }

void Printer::show(const core::Assume& n, int indent) { list("assume", {n.condition}, indent); }

void Printer::show(const core::Assert& n, int indent) { list("assert", {n.condition}, indent); }

void Printer::show(const core::Spawn& n, int indent) {
    list(n.service ? "spawn-service" : "spawn", {n.procedure}, indent);
}

void Printer::show(const core::Send& n, int indent) { list("send", {n.channel, n.value}, indent); }

void Printer::show(const core::StartTimer& n, int indent) { list("start", {n.timer, n.delay}, indent); }

void Printer::show(const core::StopTimer& n, int indent) { list("stop", {n.timer}, indent); }

void Printer::show(const core::Fresh& n, int indent) {
    list("fresh " + to_text(names_, n.type),
         n.others == no_core ? std::vector<CoreId>{} : std::vector<CoreId>{n.others}, indent);
}

void Printer::show(const core::Select& n, int indent) {
    out_ += "(select";
    for (const CoreClause& c : p_.list(n)) clause(c, indent + 2);
    out_ += ")";
}

void Printer::show(const core::Choose& n, int indent) { list("choose", items(n.alternatives), indent); }

} // namespace

std::string print_core(const CoreProgram& program, bool with_prelude) {
    Printer printer(program);
    std::string out;
    if (with_prelude) {
        for (CoreId id : program.prelude) out += printer.form(id) + "\n";
    }
    for (CoreId id : program.top) out += printer.form(id) + "\n";
    return out;
}

} // namespace espalier
