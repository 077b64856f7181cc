#include "lang/expand/type_forms.hpp"

#include <algorithm>
#include <unordered_set>

#include "lang/expand/expansion.hpp"
#include "lang/values/equality.hpp"
#include "lang/values/number.hpp"

namespace espalier {

namespace {
constexpr uint32_t max_size = 1U << 20; // of (bytes n) and (list-of t n)
constexpr const char* all_types = "types are int, (int low high), bool, (enum datum ...), string, (bytes max), "
                                  "(list-of type max), a message or (one-of message ...)";
} // namespace

TypeId TypeForms::add(TypeKind kind, Span span) {
    program_.types.push_back({std::move(kind), {}, span});
    return TypeId{static_cast<uint32_t>(program_.types.size() - 1)};
}

bool TypeForms::looks_like_type(DatumId d, const Scope* scope) const {
    if (syntax_.is_identifier(d)) {
        const Binding b = names_.lookup(d, scope);
        if (b.kind == Binding::Kind::type || names_.is_message(b)) return true;
        if (b.kind == Binding::Kind::local || b.kind == Binding::Kind::constant) return false;
        if (b.kind == Binding::Kind::global && !program_.globals[b.id].prelude) return false;
        return syntax_.named(d, "int") || syntax_.named(d, "bool") || syntax_.named(d, "string");
    }
    if (!data_.is_pair(d) || !syntax_.is_identifier(data_.car(d))) return false;
    const Binding b = names_.lookup(data_.car(d), scope);
    if (b.kind != Binding::Kind::none) return false;
    const std::string_view head = name_of(syntax_.base_name(data_.car(d)));
    return head == "int" || head == "enum" || head == "bytes" || head == "list-of" || head == "one-of";
}

std::optional<TypeId> TypeForms::parse(DatumId d, const Scope* scope) {
    if (syntax_.is_identifier(d)) return parse_name(d, scope);
    const auto parts = syntax_.elements(d);
    if (!parts || parts->empty() || !syntax_.is_identifier((*parts)[0])) {
        reports_.fail(d, "expected a type, found `" + syntax_.show(d) + "`");
        return std::nullopt;
    }
    const Span at = syntax_.span(d);
    const std::string_view head = name_of(syntax_.base_name((*parts)[0]));
    if (head == "int" && parts->size() == 3 && is_whole((*parts)[1]) && is_whole((*parts)[2]))
        return parse_int(*parts, at);
    if (head == "enum" && parts->size() > 1) return parse_enum(*parts, at);
    if (head == "bytes" && parts->size() == 2) {
        const auto n = size((*parts)[1]);
        return n ? std::optional(add(type::Bytes{*n}, at)) : std::nullopt;
    }
    if (head == "list-of" && parts->size() == 3) return parse_list(*parts, at, scope);
    if (head == "one-of" && parts->size() > 1) return parse_one_of(*parts, at, scope);
    return malformed(d, head);
}

std::optional<TypeId> TypeForms::parse_name(DatumId d, const Scope* scope) {
    const Binding b = names_.lookup(d, scope);
    const Span at = syntax_.span(d);
    if (b.kind == Binding::Kind::type) return TypeId{b.id};
    if (names_.is_message(b)) return add(type::OneOf{{MessageId{names_.op(b.id).which}}}, at);
    if (syntax_.named(d, "int")) return add(type::Int{}, at);
    if (syntax_.named(d, "bool")) return add(type::Bool{}, at);
    if (syntax_.named(d, "string")) return add(type::String{}, at);
    std::string hint = names_.suggest(name_of(syntax_.base_name(d)), scope, [&](const Binding& c) {
        return c.kind == Binding::Kind::type || names_.is_message(c);
    });
    reports_.fail(d, "unknown type `" + syntax_.show(d) + "`", hint.empty() ? all_types : hint);
    return std::nullopt;
}

bool TypeForms::is_whole(DatumId n) const {
    return data_.is(n, DatumKind::integer) ||
           (data_.is(n, DatumKind::number) && data_.text(n).find('/') == std::string::npos);
}

std::optional<uint32_t> TypeForms::size(DatumId n) {
    if (data_.is(n, DatumKind::integer) && data_.integer(n) >= 0 && data_.integer(n) <= max_size)
        return static_cast<uint32_t>(data_.integer(n));
    reports_.fail(n, "expected a size from 0 to " + std::to_string(max_size) + ", found `" + syntax_.show(n) + "`");
    return std::nullopt;
}

std::optional<TypeId> TypeForms::parse_int(Parts parts, Span at) {
    const Value low = syntax_.literal(parts[1]);
    const Value high = syntax_.literal(parts[2]);
    if (number::compare(low, high, "int") <= 0) return add(type::Int{low, high}, at);
    reports_.fail(at, "this type has no value: its lower bound is above its upper bound");
    return std::nullopt;
}

TypeId TypeForms::parse_enum(Parts parts, Span at) {
    type::Enum e;
    std::unordered_set<uint64_t> words; // of values that are equal only to themselves
    std::vector<Value> others;
    for (const DatumId d : parts.subspan(1)) {
        const Value v = syntax_.literal(d);
        const bool again = v.is_object()
                               ? std::any_of(others.begin(), others.end(), [&](Value seen) { return equal(seen, v); })
                               : !words.insert(v.bits()).second;
        if (again) reports_.fail(d, "`" + syntax_.show(d) + "` appears twice in this enum");
        if (v.is_object()) others.push_back(v);
        e.values.push_back(v);
    }
    return add(std::move(e), at);
}

std::optional<TypeId> TypeForms::parse_list(Parts parts, Span at, const Scope* scope) {
    const auto element = parse(parts[1], scope);
    const auto n = size(parts[2]);
    if (!element || !n) return std::nullopt;
    return add(type::ListOf{*element, *n}, at);
}

std::optional<TypeId> TypeForms::parse_one_of(Parts parts, Span at, const Scope* scope) {
    type::OneOf o;
    for (const DatumId d : parts.subspan(1)) {
        const auto m = all_.messages.named(d, scope);
        if (!m) return std::nullopt;
        o.messages.push_back(*m);
    }
    return add(std::move(o), at);
}

std::optional<TypeId> TypeForms::malformed(DatumId d, std::string_view head) {
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
        reports_.fail(d, "malformed type `" + syntax_.show(d) + "`", std::string("its shape is ") + known.shape);
        return std::nullopt;
    }
    reports_.fail(d, "unknown type `" + syntax_.show(d) + "`", all_types);
    return std::nullopt;
}

void TypeForms::define(DatumId d, Scope* scope) {
    const auto parts = reports_.list(d, "a definition");
    if (!parts) return;
    if (parts->size() != 3 || !syntax_.is_identifier((*parts)[1])) {
        reports_.fail(d, "malformed `define-type`", "its shape is (define-type name type)");
        return;
    }
    const DatumId name = (*parts)[1];
    if (syntax_.named(name, "int") || syntax_.named(name, "bool") || syntax_.named(name, "string")) {
        reports_.fail(name, "`" + syntax_.show(name) + "` is a type of the language and cannot be defined");
        return;
    }
    const TypeId id = add(type::Int{}, syntax_.span(d));
    program_.types[index(id)].name = syntax_.base_name(name);
    names_.declare(name, scope, {Binding::Kind::type, index(id)});
    values_.emplace(index(id), (*parts)[2]);
    all_.top_level.when_declared([this, id, scope] { fill(id, scope); });
}

// A type may be another name of one that is defined later, which is then filled in first.
void TypeForms::fill(TypeId id, const Scope* scope) {
    const auto it = values_.find(index(id));
    if (it == values_.end()) return; // filled in already
    const DatumId value = it->second;
    values_.erase(it);
    filling_.push_back(id);
    if (syntax_.is_identifier(value)) {
        const Binding b = names_.lookup(value, scope);
        if (b.kind == Binding::Kind::type &&
            std::find(filling_.begin(), filling_.end(), TypeId{b.id}) != filling_.end()) {
            reports_.fail(program_.types[b.id].span, "this type is defined by itself");
        } else if (b.kind == Binding::Kind::type) {
            fill(TypeId{b.id}, scope);
        }
    }
    if (const auto parsed = parse(value, scope)) program_.types[index(id)].kind = program_.types[index(*parsed)].kind;
    filling_.pop_back();
}

} // namespace espalier
