// Walks over the author's trees only; the prelude is trusted.
#include "lang/expand/check.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "lang/values/number.hpp"

namespace espalier {

namespace {

class Checker {
public:
    Checker(const CoreProgram& p, Diagnostics& d) : p_(p), d_(d), global_used_(p.globals.size(), false) {}
    void run();

private:
    void walk(CoreId root);
    void check_call(const core::Call& n, Span span);
    void check_identity(CoreId id);
    void check_guard(CoreId condition, const char* hint);
    // The first thing in this tree, or in a procedure it is known to call, that a guard may not do.
    struct Offence {
        std::string what;
        Span span;  // in the guard
        Span cause; // in a procedure it calls; not known where it is the guard's own
    };
    const std::optional<Offence>& effect_of(CoreId lambda);
    std::optional<Offence> find_effect(CoreId root);
    CoreId known_lambda(CoreId callee) const;
    std::string expected(const core::Lambda& n) const;

    const CoreProgram& p_;
    Diagnostics& d_;
    std::vector<bool> global_used_;
    std::unordered_map<uint32_t, std::optional<Offence>> effects_;
    std::unordered_set<std::string> said_;
};

CoreId Checker::known_lambda(CoreId callee) const {
    if (const auto* g = std::get_if<core::GlobalRef>(&p_[callee].kind)) {
        return p_.globals[index(g->global)].assigned ? no_core : p_.global_lambda[index(g->global)];
    }
    if (const auto* l = std::get_if<core::LocalRef>(&p_[callee].kind))
        return p_[l->local].assigned ? no_core : p_[l->local].lambda;
    return std::holds_alternative<core::Lambda>(p_[callee].kind) ? callee : no_core;
}

// "2 arguments", "1 to 3 arguments", "1 or 4 arguments", "at least 2 arguments": cases merged and sorted.
std::string Checker::expected(const core::Lambda& n) const {
    std::set<uint32_t> counts;
    uint32_t open = UINT32_MAX;
    for (const LambdaCase& c : p_.list(n)) {
        const uint32_t required = c.params.count - (c.rest ? 1 : 0);
        counts.insert(required);
        if (c.rest) open = std::min(open, required);
    }
    while (open != UINT32_MAX && open > 0 && counts.count(open - 1) > 0) --open;
    std::string text;
    for (uint32_t c : counts) {
        if (c >= open) break;
        text += (text.empty() ? "" : " or ") + (c == 0 ? "no" : std::to_string(c));
    }
    if (open != UINT32_MAX) text += (text.empty() ? "at least " : " or at least ") + std::to_string(open);
    const bool one = text == "1" || text == "at least 1";
    return text + (one ? " argument" : " arguments");
}

void Checker::check_call(const core::Call& n, Span span) {
    if (const auto* c = std::get_if<core::Const>(&p_[n.callee].kind)) {
        if (c->value.is_unbound() || c->value == Value::unspecified()) return; // an error was said already
        d_.error(p_[n.callee].span, "this is not a procedure", "remove the parentheses around it, or quote the list");
        return;
    }
    const CoreId lambda = known_lambda(n.callee);
    if (lambda == no_core || n.spread) return;
    const auto& l = std::get<core::Lambda>(p_[lambda].kind);
    for (const LambdaCase& c : p_.list(l)) {
        const uint32_t required = c.params.count - (c.rest ? 1 : 0);
        if (n.args.count == required || (c.rest && n.args.count > required)) return;
    }
    const std::string text = "`" + std::string(name_of(l.name)) + "` takes " + expected(l) + ", here it has " +
                             (n.args.count == 0 ? "none" : std::to_string(n.args.count));
    if (!said_.insert(std::to_string(span.begin) + text).second) return;
    Diagnostic& d = d_.error(span, text);
    if (!l.prelude) d.notes.push_back({Severity::note, p_[lambda].span, "defined here", {}, {}});
}

// A literal that is looked for by `eq?` and its like, which compare objects: another of the same content is not it.
void Checker::check_identity(CoreId id) {
    static const std::unordered_map<std::string_view, const char*> library = {
        {"memq", "member"}, {"memv", "member"}, {"assq", "assoc"}, {"assv", "assoc"}};
    const Core& node = p_[id];
    std::span<const CoreId> operands;
    std::string name;
    const char* better = "equal?";
    bool numbers = true; // of any size are told by their value
    if (const auto* prim = std::get_if<core::PrimCall>(&node.kind)) {
        if (prim->prim != Prim::eq && prim->prim != Prim::eqv) return;
        operands = p_.list(prim->args);
        name = author_name(prim->prim);
        numbers = prim->prim == Prim::eqv;
    } else if (const auto* call = std::get_if<core::Call>(&node.kind)) {
        const auto* global = std::get_if<core::GlobalRef>(&p_[call->callee].kind);
        if (global == nullptr || !p_.globals[index(global->global)].prelude || call->args.count == 0) return;
        name = name_of(p_.globals[index(global->global)].name);
        const auto found = library.find(name);
        if (found == library.end()) return;
        operands = p_.list(call->args).first(1);
        better = found->second;
        numbers = name.back() == 'v';
    }
    for (const CoreId operand : operands) {
        const auto* literal = std::get_if<core::Const>(&p_[operand].kind);
        if (literal == nullptr || !literal->value.is_object()) continue;
        if (numbers && number::is_number(literal->value)) continue;
        if (p_[operand].span == node.span) continue; // a datum of a `case`, which has said it
        d_.warning(p_[operand].span, "`" + name + "` is true of the very same object, not of another with this content",
                   "`" + std::string(better) + "` compares the content");
    }
}

std::optional<Checker::Offence> Checker::find_effect(CoreId root) {
    std::vector<CoreId> work{root};
    while (!work.empty()) {
        const CoreId id = work.back();
        work.pop_back();
        const CoreKind& kind = p_[id].kind;
        const char* what = nullptr;
        if (std::holds_alternative<core::Select>(kind)) what = "wait";
        if (std::holds_alternative<core::Write>(kind)) what = "write";
        if (std::holds_alternative<core::Send>(kind)) what = "send";
        if (std::holds_alternative<core::LocalSet>(kind) || std::holds_alternative<core::GlobalSet>(kind) ||
            std::holds_alternative<core::RecordSet>(kind))
            what = "assign";
        if (std::holds_alternative<core::Spawn>(kind)) what = "spawn a thread";
        if (std::holds_alternative<core::StartTimer>(kind) || std::holds_alternative<core::StopTimer>(kind))
            what = "start or stop a timer";
        if (std::holds_alternative<core::Choose>(kind)) what = "choose";
        if (std::holds_alternative<core::Fresh>(kind)) what = "make a fresh value";
        if (const auto* prim = std::get_if<core::PrimCall>(&kind);
            prim != nullptr && info(prim->prim).effect == Effect::write)
            what = "assign";
        if (what != nullptr) return Offence{what, p_[id].span, {}};
        if (const auto* call = std::get_if<core::Call>(&kind)) {
            const CoreId lambda = known_lambda(call->callee);
            // What the prelude does to its own new vectors needs no warning.
            if (lambda != no_core && !std::get<core::Lambda>(p_[lambda].kind).prelude) {
                if (const auto& inner = effect_of(lambda))
                    return Offence{inner->what, p_[id].span, inner->cause.known() ? inner->cause : inner->span};
            } else if (const auto* g = std::get_if<core::GlobalRef>(&p_[call->callee].kind);
                       g != nullptr && p_.globals[index(g->global)].prelude) {
                const std::string_view name = name_of(p_.globals[index(g->global)].name);
                if (name.size() > 1 && name.back() == '!') return Offence{"assign", p_[id].span, {}};
            }
        }
        if (std::holds_alternative<core::Lambda>(kind)) continue; // made here, not run here
        for_each_child(p_, id, [&](CoreId child) { work.push_back(child); });
    }
    return std::nullopt;
}

const std::optional<Checker::Offence>& Checker::effect_of(CoreId lambda) {
    auto [it, fresh] =
        effects_.try_emplace(index(lambda), std::nullopt); // a recursive procedure adds nothing by itself
    if (!fresh) return it->second;
    for (const LambdaCase& c : p_.list(std::get<core::Lambda>(p_[lambda].kind))) {
        auto found = find_effect(c.body);
        if (found) {
            effects_[index(lambda)] = std::move(found);
            break;
        }
    }
    return effects_[index(lambda)];
}

void Checker::check_guard(CoreId condition, const char* hint) {
    const auto found = find_effect(condition);
    if (!found) return;
    const std::string text = "a `where` may not " + found->what;
    if (!said_.insert(std::to_string(found->span.begin) + text).second) return;
    Diagnostic& d = d_.error(found->span, text, hint);
    if (found->cause.known()) d.notes.push_back({Severity::note, found->cause, "it happens here", {}, {}});
}

void Checker::walk(CoreId root) {
    std::vector<CoreId> work{root};
    while (!work.empty()) {
        const CoreId id = work.back();
        work.pop_back();
        const CoreKind& kind = p_[id].kind;
        if (const auto* call = std::get_if<core::Call>(&kind)) check_call(*call, p_[id].span);
        check_identity(id);
        if (const auto* ref = std::get_if<core::GlobalRef>(&kind)) global_used_[index(ref->global)] = true;
        if (const auto* select = std::get_if<core::Select>(&kind)) {
            for (const CoreClause& c : p_.list(*select)) {
                for (const CoreTest& t : c.tests) {
                    if (t.origin == BranchOrigin::guard) check_guard(t.condition, "do it in the clause's body");
                }
            }
        }
        for_each_child(p_, id, [&](CoreId child) { work.push_back(child); });
    }
}

void Checker::run() {
    for (CoreId id : p_.top) walk(id);
    for (const MessageDef& m : p_.messages) {
        if (m.where == GlobalId{UINT32_MAX}) continue;
        global_used_[index(m.where)] = true;
        for (const LambdaCase& c : p_.list(std::get<core::Lambda>(p_[p_.global_lambda[index(m.where)]].kind)))
            check_guard(c.body, "");
    }
    if (d_.has_errors()) return; // what is used only where an error stands would be called unused
    for (size_t g = 0; g < p_.globals.size(); ++g) {
        const Global& global = p_.globals[g];
        if (global.prelude || global_used_[g] || !global.span.known()) continue;
        d_.warning(global.span, "`" + std::string(name_of(global.name)) + "` is defined but never used");
    }
    for (const Local& local : p_.locals) {
        if (local.generated || local.referenced || !local.span.known() || local.lambda == no_core) continue;
        d_.warning(local.span, "`" + std::string(name_of(local.name)) + "` is defined but never used");
    }
}

} // namespace

void check(const CoreProgram& program, const Sources&, Diagnostics& diagnostics) {
    Checker(program, diagnostics).run();
}

} // namespace espalier
