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
    std::visit(
        Overloaded{
            [&](const core::Const& n) {
                const bool self = n.value.is_fixnum() || n.value.is_boolean() || n.value.is_port() ||
                                  n.value.is_character() || is_type(n.value, ObjectType::string);
                out_ += (self ? "" : "'") + to_text(names_, n.value);
            },
            [&](const core::LocalRef& n) { out_ += local(n.local); },
            [&](const core::LocalSet& n) { list("set! " + local(n.local), {n.value}, indent); },
            [&](const core::GlobalRef& n) { out_ += name_of(p_.globals[index(n.global)].name); },
            [&](const core::GlobalSet& n) {
                list(std::string(n.definition ? "define " : "set! ") +
                         std::string(name_of(p_.globals[index(n.global)].name)),
                     {n.value}, indent);
            },
            [&](const core::Lambda& n) {
                const auto cases = p_.list(n);
                out_ += cases.size() > 1 ? "(case-lambda" : "(lambda";
                for (const LambdaCase& c : cases) {
                    out_ += cases.size() > 1 ? "\n" + std::string(static_cast<size_t>(indent) + 2, ' ') + "((" : " (";
                    const auto params = p_.list(c.params);
                    for (size_t i = 0; i < params.size(); ++i)
                        out_ += (i > 0 ? " " : "") + std::string(c.rest && i + 1 == params.size() ? ". " : "") +
                                local(params[i]);
                    out_ += ")";
                    newline(indent + 2 + (cases.size() > 1 ? 1 : 0));
                    print(c.body, indent + 2 + (cases.size() > 1 ? 1 : 0));
                    if (cases.size() > 1) out_ += ")";
                }
                out_ += ")";
            },
            [&](const core::If& n) {
                list("if", {n.test, n.then_part, n.else_part}, indent);
            },
            [&](const core::Seq& n) { list("begin", items(n.parts), indent); },
            [&](const core::Let& n) { bindings("let", n.locals, n.inits, n.body, indent); },
            [&](const core::Fix& n) { bindings("fix", n.locals, n.lambdas, n.body, indent); },
            [&](const core::Letrec& n) { bindings("letrec*", n.locals, n.inits, n.body, indent); },
            [&](const core::Call& n) {
                std::vector<CoreId> parts = items(n.args);
                parts.insert(parts.begin(), n.callee);
                list(n.spread ? "apply" : "call", parts, indent);
            },
            [&](const core::PrimCall& n) { list(std::string(info(n.prim).name), items(n.args), indent); },
            [&](const core::MakeRecord& n) {
                list("make-record " + std::string(name_of(p_.records[index(n.record)].name)), items(n.fields), indent);
            },
            [&](const core::RecordRef& n) {
                list("record-ref " + std::string(name_of(p_.records[index(n.record)].name)) + " " +
                         std::to_string(n.field),
                     {n.object}, indent);
            },
            [&](const core::RecordSet& n) {
                list("record-set! " + std::string(name_of(p_.records[index(n.record)].name)) + " " +
                         std::to_string(n.field),
                     {n.object, n.value}, indent);
            },
            [&](const core::RecordIs& n) {
                list("record? " + std::string(name_of(p_.records[index(n.record)].name)), {n.object}, indent);
            },
            [&](const core::MakeMessage& n) { list(message(n.message), items(n.fields), indent); },
            [&](const core::MessageRef& n) {
                list(message(n.message) + "-" +
                         std::string(name_of(p_.messages[index(n.message)].fields[n.field].name)),
                     {n.object}, indent);
            },
            [&](const core::MessageIs& n) { list(message(n.message) + "?", {n.object}, indent); },
            [&](const core::Mark& n) { out_ += "(mark \"" + p_.targets[index(n.target)].name + "\")"; },
            [&](const core::Write& n) {
                list("write", {n.port, n.value}, indent);
            },
            [&](const core::Assume& n) { list("assume", {n.condition}, indent); },
            [&](const core::Assert& n) { list("assert", {n.condition}, indent); },
            [&](const core::Spawn& n) { list(n.service ? "spawn-service" : "spawn", {n.procedure}, indent); },
            [&](const core::Send& n) {
                list("send", {n.channel, n.value}, indent);
            },
            [&](const core::StartTimer& n) {
                list("start", {n.timer, n.delay}, indent);
            },
            [&](const core::StopTimer& n) { list("stop", {n.timer}, indent); },
            [&](const core::Fresh& n) {
                list("fresh " + to_text(names_, n.type),
                     n.others == no_core ? std::vector<CoreId>{} : std::vector<CoreId>{n.others}, indent);
            },
            [&](const core::Select& n) {
                out_ += "(select";
                for (const CoreClause& c : p_.list(n)) clause(c, indent + 2);
                out_ += ")";
            },
            [&](const core::Choose& n) { list("choose", items(n.alternatives), indent); },
        },
        p_[id].kind);
}

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
