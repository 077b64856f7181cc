#include "lang/expand/wheres.hpp"

#include "lang/expand/expansion.hpp"

namespace espalier {

namespace {
constexpr GlobalId none{UINT32_MAX};
constexpr DatumId not_written{UINT32_MAX};
} // namespace

void Wheres::add(MessageId message, DatumId condition) { written_.emplace_back(message, condition); }

void Wheres::check_nesting(MessageId message, std::vector<uint8_t>& seen) {
    uint8_t& mark = seen[index(message)];
    if (mark == 2) return;
    if (mark == 1) {
        reports_.fail(program_.messages[index(message)].span,
                      "the message `" + std::string(name_of(program_.messages[index(message)].name)) +
                          "` contains itself");
        return;
    }
    mark = 1;
    std::vector<TypeId> work;
    for (const FieldDef& f : program_.messages[index(message)].fields) work.push_back(f.type);
    while (!work.empty()) {
        const TypeId t = work.back();
        work.pop_back();
        if (const auto* l = std::get_if<type::ListOf>(&program_.types[index(t)].kind)) work.push_back(l->element);
        if (const auto* o = std::get_if<type::OneOf>(&program_.types[index(t)].kind)) {
            for (MessageId m : std::vector<MessageId>(o->messages)) check_nesting(m, seen);
        }
    }
    seen[index(message)] = 2;
}

bool Wheres::needed(TypeId t) const {
    if (const auto* l = std::get_if<type::ListOf>(&program_.types[index(t)].kind)) return needed(l->element);
    if (const auto* o = std::get_if<type::OneOf>(&program_.types[index(t)].kind)) {
        for (MessageId m : o->messages) {
            if (program_.messages[index(m)].where != none) return true;
        }
    }
    return false;
}

CoreId Wheres::ask(GlobalId where, LocalId message, Span at) {
    return core_.call(core_.node(core::GlobalRef{where}, at), {core_.local_ref(message, at)}, at);
}

CoreId Wheres::nested(TypeId t, LocalId value, Span at) {
    if (!needed(t)) return no_core;
    if (const auto* o = std::get_if<type::OneOf>(&program_.types[index(t)].kind))
        return of_one_message(type::OneOf(*o), value, at);
    return of_each_element(std::get<type::ListOf>(program_.types[index(t)].kind).element, value, at);
}

CoreId Wheres::of_one_message(const type::OneOf& type, LocalId value, Span at) {
    CoreId result = core_.boolean(true, at);
    for (MessageId m : type.messages) {
        const GlobalId where = program_.messages[index(m)].where;
        if (where == none) continue;
        const CoreId check = ask(where, value, at);
        result = core_.branch(core_.node(core::MessageIs{m, core_.local_ref(value, at)}, at), check, result, at);
    }
    return result;
}

// A loop over the list, which ends with the first element that may not be sent.
CoreId Wheres::of_each_element(TypeId element, LocalId list, Span at) {
    const CoreId yes = core_.boolean(true, at);
    const LocalId loop = core_.temporary("every", at), rest = core_.temporary("rest", at),
                  item = core_.temporary("item", at);
    const CoreId inner = nested(element, item, at);
    const CoreId again =
        core_.call(core_.local_ref(loop, at), {core_.prim(Prim::cdr, {core_.local_ref(rest, at)}, at)}, at);
    const CoreId turn = core_.branch(inner, again, core_.boolean(false, at), at);
    const CoreId head = core_.prim(Prim::car, {core_.local_ref(rest, at)}, at);
    const CoreId bound = core_.let(item, head, turn, at);
    const CoreId body = core_.branch(core_.prim(Prim::is_pair, {core_.local_ref(rest, at)}, at), bound, yes, at);
    const CoreId lambda = core_.lambda(std::span(&rest, 1), body, intern("every"), false, at);
    program_[loop].lambda = lambda;
    return core_.recursive(loop, lambda, core_.call(core_.local_ref(loop, at), {core_.local_ref(list, at)}, at), at);
}

void Wheres::define_all() {
    std::vector<uint8_t> seen(program_.messages.size(), 0);
    const size_t errors = diagnostics_.error_count();
    for (uint32_t m = 0; m < program_.messages.size(); ++m) check_nesting(MessageId{m}, seen);
    if (diagnostics_.error_count() != errors) return;
    std::vector<DatumId> own(program_.messages.size(), not_written);
    for (const auto& [m, d] : written_) own[index(m)] = d;
    find_needed(own);
    for (uint32_t m = 0; m < program_.messages.size(); ++m) {
        if (program_.messages[m].where != none) define(MessageId{m}, own[m]);
    }
}

// Which messages have something to obey, their own or a nested one's: a fixpoint, quick since nesting is shallow.
void Wheres::find_needed(std::span<const DatumId> own) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t m = 0; m < program_.messages.size(); ++m) {
            MessageDef& def = program_.messages[m];
            if (def.where != none) continue;
            bool found = own[m] != not_written;
            for (const FieldDef& f : def.fields) found = found || needed(f.type);
            if (!found) continue;
            def.where = core_.new_global(intern(std::string(name_of(def.name)) + " where"), def.span, false);
            changed = true;
        }
    }
}

void Wheres::define(MessageId m, DatumId own) {
    const MessageDef def = program_.messages[index(m)];
    const Span at = def.span;
    const LocalId message = core_.temporary("message", at);
    Scope* scope = names_.new_scope(names_.user());
    std::vector<LocalId> locals;
    std::vector<CoreId> inits;
    for (uint32_t i = 0; i < def.fields.size(); ++i) {
        locals.push_back(core_.temporary(name_of(def.fields[i].name), at));
        inits.push_back(core_.node(core::MessageRef{m, i, core_.local_ref(message, at)}, at));
        scope->bind(Ident{index(def.fields[i].name)}, {Binding::Kind::local, index(locals.back())});
    }
    const Symbol name = program_.globals[index(def.where)].name;
    Numbering numbering{{}, name};
    CoreId body = core_.boolean(true, at);
    if (own != not_written) body = all_.walk.expand(own, {scope, &numbering, nullptr});
    for (size_t i = def.fields.size(); i-- > 0;) {
        const CoreId inside = nested(def.fields[i].type, locals[i], at);
        if (inside != no_core) body = core_.branch(inside, body, core_.boolean(false, at), at);
    }
    if (!locals.empty()) body = core_.let(locals, inits, body, at);
    const CoreId lambda = core_.lambda(std::span(&message, 1), body, name, false, at);
    program_.global_lambda[index(def.where)] = lambda;
    program_.top.push_back(core_.node(core::GlobalSet{def.where, lambda, true}, at));
}

void Wheres::add_test(CoreClause& clause) {
    const Span at = clause.span;
    GlobalId where = none;
    if (clause.filter == SelectClause::Filter::message) {
        where = program_.messages[index(clause.message)].where;
    } else if (clause.filter == SelectClause::Filter::any && clause.kind == SelectClause::Kind::message) {
        bool some = false;
        for (const MessageDef& m : program_.messages) some = some || m.where != none;
        if (some) where = of_any_message();
    } else if (clause.filter == SelectClause::Filter::bare && needed(clause.type)) {
        const CoreId inside = nested(clause.type, clause.whole, at);
        clause.tests.insert(clause.tests.begin(), {inside, BranchOrigin::generated, 0});
        return;
    }
    if (where == none) return;
    const CoreId check = ask(where, clause.whole, at);
    const CoreId from_port = core_.local_ref(clause.from_port, at);
    const CoreId test = core_.branch(from_port, check, core_.boolean(true, at), at);
    clause.tests.insert(clause.tests.begin(), {test, BranchOrigin::generated, 0});
}

GlobalId Wheres::of_any_message() {
    if (of_any_) return *of_any_;
    const Span at;
    const Symbol name = intern("any where");
    of_any_ = core_.new_global(name, at, false);
    const LocalId message = core_.temporary("message", at);
    CoreId body = core_.boolean(true, at);
    for (uint32_t m = 0; m < program_.messages.size(); ++m) {
        const GlobalId where = program_.messages[m].where;
        if (where == none) continue;
        const CoreId check = ask(where, message, at);
        const CoreId is_one = core_.node(core::MessageIs{MessageId{m}, core_.local_ref(message, at)}, at);
        body = core_.branch(is_one, check, body, at);
    }
    const CoreId lambda = core_.lambda(std::span(&message, 1), body, name, false, at);
    program_.global_lambda[index(*of_any_)] = lambda;
    program_.top.insert(program_.top.begin(), core_.node(core::GlobalSet{*of_any_, lambda, true}, at));
    return *of_any_;
}

} // namespace espalier
