// Messages, ports and types: what the model and its tester exchange.
#include <algorithm>
#include <unordered_set>

#include "lang/expand/expander.hpp"
#include "lang/ir/type.hpp"
#include "lang/values/equality.hpp"
#include "lang/values/number.hpp"
#include "lang/values/print.hpp"

namespace espalier {

namespace {
constexpr uint32_t max_size = 1U << 20; // of (bytes n) and (list-of t n)
}

TypeId Expander::add_type(TypeDef def) {
    program_.types.push_back(std::move(def));
    return TypeId{static_cast<uint32_t>(program_.types.size() - 1)};
}

std::optional<MessageId> Expander::message_named(DatumId d, const Scope* scope) {
    if (is_identifier(d)) {
        const Binding b = lookup(d, scope);
        if (b.kind == Binding::Kind::op && operators_[b.id].kind == Operator::Kind::make_message) {
            operators_[b.id].used = true;
            return MessageId{operators_[b.id].which};
        }
        fail(d, "unknown message `" + show(d) + "`", suggest(name_of(base_name(d)), scope, [&](const Binding& c) {
                 return c.kind == Binding::Kind::op && operators_[c.id].kind == Operator::Kind::make_message;
             }));
    } else {
        fail(d, "expected the name of a message, found `" + show(d) + "`");
    }
    return std::nullopt;
}

bool Expander::looks_like_type(DatumId d, const Scope* scope) const {
    if (is_identifier(d)) {
        const Binding b = lookup(d, scope);
        if (b.kind == Binding::Kind::type) return true;
        if (b.kind == Binding::Kind::op && operators_[b.id].kind == Operator::Kind::make_message) return true;
        if (b.kind == Binding::Kind::local || b.kind == Binding::Kind::constant) return false;
        if (b.kind == Binding::Kind::global && !program_.globals[b.id].prelude) return false;
        return named(d, "int") || named(d, "bool") || named(d, "string");
    }
    if (!data_.is_pair(d) || !is_identifier(data_.car(d))) return false;
    const Binding b = lookup(data_.car(d), scope);
    if (b.kind != Binding::Kind::none) return false;
    const std::string_view head = name_of(base_name(data_.car(d)));
    return head == "int" || head == "enum" || head == "bytes" || head == "list-of" || head == "one-of";
}

std::optional<TypeId> Expander::parse_type(DatumId d, const Scope* scope) {
    if (is_identifier(d)) {
        const Binding b = lookup(d, scope);
        if (b.kind == Binding::Kind::type) return TypeId{b.id};
        if (b.kind == Binding::Kind::op && operators_[b.id].kind == Operator::Kind::make_message) {
            operators_[b.id].used = true;
            return add_type({type::OneOf{{MessageId{operators_[b.id].which}}}, {}, span(d)});
        }
        if (named(d, "int")) return add_type({type::Int{}, {}, span(d)});
        if (named(d, "bool")) return add_type({type::Bool{}, {}, span(d)});
        if (named(d, "string")) return add_type({type::String{}, {}, span(d)});
        std::string hint = suggest(name_of(base_name(d)), scope, [&](const Binding& c) {
            return c.kind == Binding::Kind::type ||
                   (c.kind == Binding::Kind::op && operators_[c.id].kind == Operator::Kind::make_message);
        });
        fail(d, "unknown type `" + show(d) + "`",
             hint.empty() ? "types are int, (int low high), bool, (enum datum ...), string, (bytes max), (list-of type "
                            "max), a message or (one-of message ...)"
                          : hint);
        return std::nullopt;
    }
    const auto parts = elements(d);
    if (!parts || parts->empty() || !is_identifier((*parts)[0])) {
        fail(d, "expected a type, found `" + show(d) + "`");
        return std::nullopt;
    }
    const std::string_view head = name_of(base_name((*parts)[0]));
    auto whole = [&](DatumId n) {
        return data_.is(n, DatumKind::integer) ||
               (data_.is(n, DatumKind::number) && data_.text(n).find('/') == std::string::npos);
    };
    auto size = [&](DatumId n) -> std::optional<uint32_t> {
        if (data_.is(n, DatumKind::integer) && data_.integer(n) >= 0 && data_.integer(n) <= max_size)
            return static_cast<uint32_t>(data_.integer(n));
        fail(n, "expected a size from 0 to " + std::to_string(max_size) + ", found `" + show(n) + "`");
        return std::nullopt;
    };
    if (head == "int" && parts->size() == 3 && whole((*parts)[1]) && whole((*parts)[2])) {
        const Value low = literal((*parts)[1]);
        const Value high = literal((*parts)[2]);
        if (number::compare(low, high, "int") > 0) {
            fail(d, "this type has no value: its lower bound is above its upper bound");
            return std::nullopt;
        }
        return add_type({type::Int{low, high}, {}, span(d)});
    }
    if (head == "enum" && parts->size() > 1) {
        type::Enum e;
        std::unordered_set<uint64_t> words; // of values that are equal only to themselves
        std::vector<Value> others;
        for (size_t i = 1; i < parts->size(); ++i) {
            const Value v = literal((*parts)[i]);
            const bool again =
                v.is_object() ? std::any_of(others.begin(), others.end(), [&](Value seen) { return equal(seen, v); })
                              : !words.insert(v.bits()).second;
            if (again) fail((*parts)[i], "`" + show((*parts)[i]) + "` appears twice in this enum");
            if (v.is_object()) others.push_back(v);
            e.values.push_back(v);
        }
        return add_type({std::move(e), {}, span(d)});
    }
    if (head == "bytes" && parts->size() == 2) {
        const auto n = size((*parts)[1]);
        if (!n) return std::nullopt;
        return add_type({type::Bytes{*n}, {}, span(d)});
    }
    if (head == "list-of" && parts->size() == 3) {
        const auto element = parse_type((*parts)[1], scope);
        const auto n = size((*parts)[2]);
        if (!element || !n) return std::nullopt;
        return add_type({type::ListOf{*element, *n}, {}, span(d)});
    }
    if (head == "one-of" && parts->size() > 1) {
        type::OneOf o;
        for (size_t i = 1; i < parts->size(); ++i) {
            const auto m = message_named((*parts)[i], scope);
            if (!m) return std::nullopt;
            o.messages.push_back(*m);
        }
        return add_type({std::move(o), {}, span(d)});
    }
    struct Shape {
        std::string_view head;
        const char* shape;
    };
    static constexpr Shape shapes[] = {{"int", "int or (int low high)"},
                                       {"enum", "(enum datum ...)"},
                                       {"bytes", "(bytes max)"},
                                       {"list-of", "(list-of type max)"},
                                       {"one-of", "(one-of message ...)"}};
    for (const Shape& known : shapes) {
        if (head != known.head) continue;
        fail(d, "malformed type `" + show(d) + "`", std::string("its shape is ") + known.shape);
        return std::nullopt;
    }
    fail(d, "unknown type `" + show(d) + "`",
         "types are int, (int low high), bool, (enum datum ...), string, (bytes max), (list-of type max), a message or "
         "(one-of message ...)");
    return std::nullopt;
}

void Expander::define_type(DatumId d, Scope* scope) {
    const auto parts = list(d, "a definition");
    if (!parts) return;
    if (parts->size() != 3 || !is_identifier((*parts)[1])) {
        fail(d, "malformed `define-type`", "its shape is (define-type name type)");
        return;
    }
    if (named((*parts)[1], "int") || named((*parts)[1], "bool") || named((*parts)[1], "string")) {
        fail((*parts)[1], "`" + show((*parts)[1]) + "` is a type of the language and cannot be defined");
        return;
    }
    const TypeId id = add_type({type::Int{}, base_name((*parts)[1]), span(d)});
    declare((*parts)[1], scope, {Binding::Kind::type, index(id)});
    type_values_.emplace(index(id), (*parts)[2]);
    declarations_.push_back([this, id, scope] { fill_type(id, scope); });
}

// A type may be another name of one that is defined later, which is then filled in first.
void Expander::fill_type(TypeId id, const Scope* scope) {
    const auto it = type_values_.find(index(id));
    if (it == type_values_.end()) return; // filled in already
    const DatumId value = it->second;
    type_values_.erase(it);
    filling_.push_back(id);
    if (is_identifier(value)) {
        const Binding b = lookup(value, scope);
        if (b.kind == Binding::Kind::type &&
            std::find(filling_.begin(), filling_.end(), TypeId{b.id}) != filling_.end()) {
            fail(program_.types[b.id].span, "this type is defined by itself");
        } else if (b.kind == Binding::Kind::type) {
            fill_type(TypeId{b.id}, scope);
        }
    }
    if (const auto parsed = parse_type(value, scope))
        program_.types[index(id)].kind = program_.types[index(*parsed)].kind;
    filling_.pop_back();
}

void Expander::define_message(DatumId d, Scope* scope) {
    const char* shape = "its shape is (define-message Name (field type) ...)";
    const auto parts = list(d, "a definition");
    if (!parts) return;
    if (parts->size() < 2 || !is_identifier((*parts)[1])) {
        fail(d, "malformed `define-message`", shape);
        return;
    }
    const DatumId name = (*parts)[1];
    const MessageId id{static_cast<uint32_t>(program_.messages.size())};
    program_.messages.push_back({base_name(name), span(name), {}, GlobalId{UINT32_MAX}});
    std::vector<DatumId> types;
    for (size_t i = 2; i < parts->size(); ++i) {
        const auto field = elements((*parts)[i]);
        if (field && !field->empty() && named((*field)[0], "where")) {
            if (field->size() != 2) {
                fail((*parts)[i], "malformed `where`", "its shape is (where expression)");
            } else if (i + 1 < parts->size()) {
                fail((*parts)[i], "`where` must be the last part of a message");
            } else {
                wheres_.emplace_back(id, (*field)[1]);
            }
            continue;
        }
        if (!field || field->size() != 2 || !is_identifier((*field)[0])) {
            fail((*parts)[i], "malformed field of a message", "its shape is (field type)");
            continue;
        }
        const auto& fields = program_.messages.back().fields;
        if (std::any_of(fields.begin(), fields.end(),
                        [&](const FieldDef& f) { return f.name == base_name((*field)[0]); })) {
            fail((*field)[0], "the field `" + show((*field)[0]) + "` appears twice");
            continue;
        }
        program_.messages.back().fields.push_back({base_name((*field)[0]), TypeId{0}});
        types.push_back((*field)[1]);
    }
    const auto arity = static_cast<int>(program_.messages.back().fields.size());
    const std::string text(name_of(base_name(name)));
    auto add = [&](std::string_view n, Operator::Kind kind, int count, uint32_t field) {
        Operator op{kind, intern(n), count, Prim{}, index(id), field, {}, GlobalId{UINT32_MAX}, span(name), false};
        const DatumId at = n == text ? name : data_.symbol(span(name), intern(n));
        declare(at, scope, {Binding::Kind::op, add_operator(std::move(op))});
    };
    add(text, Operator::Kind::make_message, arity, 0);
    add(text + "?", Operator::Kind::message_is, 1, 0);
    for (uint32_t i = 0; i < static_cast<uint32_t>(arity); ++i) {
        add(text + "-" + std::string(name_of(program_.messages.back().fields[i].name)), Operator::Kind::message_ref, 1,
            i);
    }
    declarations_.push_back([this, id, types, scope] {
        for (size_t i = 0; i < types.size(); ++i) {
            const auto t = parse_type(types[i], scope);
            program_.messages[index(id)].fields[i].type = t ? *t : add_type({type::Int{}, {}, {}}); // any will do
        }
    });
}

void Expander::define_port(DatumId d, Scope* scope) {
    const char* shape = "its shape is (define-port name in Message ...), (define-port name out Message ...) or "
                        "(define-port name (in Message ...) (out Message ...))";
    const auto parts = list(d, "a definition");
    if (!parts) return;
    // One name, or a list of names for ports that carry the same.
    std::vector<DatumId> names;
    if (parts->size() >= 2)
        names = is_identifier((*parts)[1]) ? std::vector<DatumId>{(*parts)[1]}
                                           : elements((*parts)[1]).value_or(std::vector<DatumId>{});
    if (parts->size() < 3 || names.empty() ||
        !std::all_of(names.begin(), names.end(), [&](DatumId n) { return is_identifier(n); })) {
        fail(d, "malformed `define-port`", shape);
        return;
    }
    std::vector<PortId> ids;
    for (DatumId name : names) {
        ids.push_back(PortId{static_cast<uint32_t>(program_.ports.size())});
        program_.ports.push_back({base_name(name), span(name), {}, {}, false, false});
        constants_.push_back(Value::port(ids.back()));
        declare(name, scope, {Binding::Kind::constant, static_cast<uint32_t>(constants_.size() - 1)});
    }
    auto broken = [this, ids] {
        for (PortId id : ids) broken_ports_.insert(index(id));
    };
    auto direction = [this, ids, scope, shape, broken](DatumId word, std::span<const DatumId> messages) {
        const bool in = named(word, "in");
        if (!in && !named(word, "out")) {
            broken();
            fail(word, "a port's direction is `in` or `out`, found `" + show(word) + "`", shape);
            return;
        }
        for (DatumId n : messages) {
            const auto m = message_named(n, scope);
            if (!m) broken();
            for (PortId id : ids) {
                if (m) (in ? program_.ports[index(id)].in : program_.ports[index(id)].out).push_back(*m);
            }
        }
    };
    declarations_.push_back([this, parts = *parts, direction, broken, shape] {
        if (is_identifier(parts[2])) {
            direction(parts[2], std::span(parts).subspan(3));
            return;
        }
        for (size_t i = 2; i < parts.size(); ++i) {
            const auto group = elements(parts[i]);
            if (!group || group->empty()) {
                broken();
                fail(parts[i], "malformed `define-port`", shape);
                continue;
            }
            direction(group->front(), std::span(*group).subspan(1));
        }
    });
}

// ── What the tester may send ────────────────────────────────────────────────────────────────────────────────────

void Expander::check_nesting(MessageId message, std::vector<uint8_t>& seen) {
    uint8_t& mark = seen[index(message)];
    if (mark == 2) return;
    if (mark == 1) {
        fail(program_.messages[index(message)].span,
             "the message `" + std::string(name_of(program_.messages[index(message)].name)) + "` contains itself");
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

void Expander::check_field(MessageId message, uint32_t field, Value value, Span place) {
    const FieldDef& def = program_.messages[index(message)].fields[field];
    if (value.is_unbound() || value == Value::any() || belongs(program_.types, def.type, value)) return;
    const auto* e = std::get_if<type::Enum>(&program_.types[index(def.type)].kind);
    std::string hint;
    if (e != nullptr) {
        hint = "its values are";
        for (Value v : e->values) hint += " " + to_text(nullptr, v, Style::write, 200);
    }
    if (e == nullptr) hint = "its type is " + std::string(sources_.text(program_.types[index(def.type)].span));
    fail(place,
         "`" + to_text(nullptr, value, Style::write, 60) + "` is not a value of the field `" +
             std::string(name_of(def.name)) + "`",
         hint);
}

bool Expander::needs_where(TypeId t) const {
    if (const auto* l = std::get_if<type::ListOf>(&program_.types[index(t)].kind)) return needs_where(l->element);
    if (const auto* o = std::get_if<type::OneOf>(&program_.types[index(t)].kind)) {
        for (MessageId m : o->messages) {
            if (program_.messages[index(m)].where != GlobalId{UINT32_MAX}) return true;
        }
    }
    return false;
}

// Messages inside a message obey their own `where` too.
CoreId Expander::nested_where(TypeId t, LocalId value, Span at) {
    if (!needs_where(t)) return no_core;
    const CoreId yes = constant(Value::boolean(true), at);
    if (const auto* o = std::get_if<type::OneOf>(&program_.types[index(t)].kind)) {
        CoreId result = yes;
        for (MessageId m : std::vector<MessageId>(o->messages)) {
            const GlobalId where = program_.messages[index(m)].where;
            if (where == GlobalId{UINT32_MAX}) continue;
            const CoreId check = call(node(core::GlobalRef{where}, at), {local_ref(value, at)}, at);
            result = node(
                core::If{node(core::MessageIs{m, local_ref(value, at)}, at), check, result, BranchOrigin::generated, 0},
                at);
        }
        return result;
    }
    const TypeId element = std::get<type::ListOf>(program_.types[index(t)].kind).element;
    const LocalId loop = temporary("every", at), rest = temporary("rest", at), item = temporary("item", at);
    const CoreId inner = nested_where(element, item, at);
    const CoreId again = call(local_ref(loop, at), {prim(Prim::cdr, {local_ref(rest, at)}, at)}, at);
    const CoreId turn =
        node(core::If{inner, again, constant(Value::boolean(false), at), BranchOrigin::generated, 0}, at);
    const CoreId head = prim(Prim::car, {local_ref(rest, at)}, at);
    const CoreId bound =
        node(core::Let{program_.add_list(std::span(&item, 1)), program_.add_list(std::span(&head, 1)), turn}, at);
    const CoreId body =
        node(core::If{prim(Prim::is_pair, {local_ref(rest, at)}, at), bound, yes, BranchOrigin::generated, 0}, at);
    const auto first = static_cast<uint32_t>(program_.cases.size());
    program_.cases.push_back({program_.add_list(std::span(&rest, 1)), false, body, at});
    const CoreId lambda = node(core::Lambda{first, 1, intern("every"), false}, at);
    program_[loop].lambda = lambda;
    return make_letrec(program_, std::span(&loop, 1), std::span(&lambda, 1),
                       call(local_ref(loop, at), {local_ref(value, at)}, at), at);
}

void Expander::define_wheres() {
    std::vector<uint8_t> seen(program_.messages.size(), 0);
    const size_t errors = diagnostics_.error_count();
    for (uint32_t m = 0; m < program_.messages.size(); ++m) check_nesting(MessageId{m}, seen);
    if (diagnostics_.error_count() != errors) return;
    // Which messages have something to obey, their own or a nested one's: a fixpoint, quick since nesting is shallow.
    std::vector<DatumId> own(program_.messages.size(), DatumId{UINT32_MAX});
    for (const auto& [m, d] : wheres_) own[index(m)] = d;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t m = 0; m < program_.messages.size(); ++m) {
            MessageDef& def = program_.messages[m];
            if (def.where != GlobalId{UINT32_MAX}) continue;
            bool needed = own[m] != DatumId{UINT32_MAX};
            for (const FieldDef& f : def.fields) needed = needed || needs_where(f.type);
            if (!needed) continue;
            def.where = new_global(intern(std::string(name_of(def.name)) + " where"), def.span, false);
            changed = true;
        }
    }
    for (uint32_t m = 0; m < program_.messages.size(); ++m) {
        const MessageDef def = program_.messages[m];
        if (def.where == GlobalId{UINT32_MAX}) continue;
        const LocalId message = temporary("message", def.span);
        Scope* scope = new_scope(user_);
        std::vector<LocalId> locals;
        std::vector<CoreId> inits;
        for (uint32_t i = 0; i < def.fields.size(); ++i) {
            locals.push_back(temporary(name_of(def.fields[i].name), def.span));
            inits.push_back(node(core::MessageRef{MessageId{m}, i, local_ref(message, def.span)}, def.span));
            scope->bind(Ident{index(def.fields[i].name)}, {Binding::Kind::local, index(locals.back())});
        }
        Numbering numbering{{}, program_.globals[index(def.where)].name};
        CoreId body = constant(Value::boolean(true), def.span);
        if (own[m] != DatumId{UINT32_MAX}) body = expand(own[m], {scope, &numbering, nullptr});
        for (size_t i = def.fields.size(); i-- > 0;) {
            const CoreId nested = nested_where(def.fields[i].type, locals[i], def.span);
            if (nested != no_core)
                body =
                    node(core::If{nested, body, constant(Value::boolean(false), def.span), BranchOrigin::generated, 0},
                         def.span);
        }
        if (!locals.empty())
            body = node(core::Let{program_.add_list(locals), program_.add_list(inits), body}, def.span);
        const auto first = static_cast<uint32_t>(program_.cases.size());
        program_.cases.push_back({program_.add_list(std::span(&message, 1)), false, body, def.span});
        const CoreId lambda = node(core::Lambda{first, 1, program_.globals[index(def.where)].name, false}, def.span);
        program_.global_lambda[index(def.where)] = lambda;
        program_.top.push_back(node(core::GlobalSet{def.where, lambda, true}, def.span));
    }
}

// For a wait on any message: the `where` of whichever it is.
GlobalId Expander::any_where() {
    if (any_where_) return *any_where_;
    const Span at;
    any_where_ = new_global(intern("any where"), at, false);
    const LocalId message = temporary("message", at);
    CoreId body = constant(Value::boolean(true), at);
    for (uint32_t m = 0; m < program_.messages.size(); ++m) {
        const GlobalId where = program_.messages[m].where;
        if (where == GlobalId{UINT32_MAX}) continue;
        const CoreId check = call(node(core::GlobalRef{where}, at), {local_ref(message, at)}, at);
        body = node(core::If{node(core::MessageIs{MessageId{m}, local_ref(message, at)}, at), check, body,
                             BranchOrigin::generated, 0},
                    at);
    }
    const auto first = static_cast<uint32_t>(program_.cases.size());
    program_.cases.push_back({program_.add_list(std::span(&message, 1)), false, body, at});
    const CoreId lambda = node(core::Lambda{first, 1, intern("any where"), false}, at);
    program_.global_lambda[index(*any_where_)] = lambda;
    program_.top.insert(program_.top.begin(), node(core::GlobalSet{*any_where_, lambda, true}, at));
    return *any_where_;
}

} // namespace espalier
