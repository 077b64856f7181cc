// Types of message fields and inputs: what belongs to them, and how they read.
#include <algorithm>

#include "lang/ir/core.hpp"
#include "lang/ir/type.hpp"
#include "lang/values/equality.hpp"
#include "lang/values/number.hpp"
#include "lang/values/print.hpp"

namespace espalier {
namespace {

bool within(const type::Int& t, Value v) {
    return number::is_integer(v) && (!t.low || number::compare(*t.low, v, "<=") <= 0) &&
           (!t.high || number::compare(v, *t.high, "<=") <= 0);
}

bool lists(const std::vector<Value>& values, Value v) {
    return std::any_of(values.begin(), values.end(), [v](Value each) { return equal(each, v); });
}

bool lists(const type::OneOf& t, MessageId m) {
    return std::find(t.messages.begin(), t.messages.end(), m) != t.messages.end();
}

// Is every value of the one type a value of the other? A fresh value may stand for any of its type.
bool includes(Types types, TypeId outer, TypeId inner) {
    if (outer == inner) return true;
    const TypeDef &a = types[index(outer)], &b = types[index(inner)];
    if (const auto* e = std::get_if<type::Enum>(&b.kind)) {
        return std::all_of(e->values.begin(), e->values.end(), [&](Value v) { return belongs(types, outer, v); });
    }
    if (a.kind.index() != b.kind.index()) return false;
    return std::visit(
        Overloaded{
            [&](const type::Int& t) {
                const auto& s = std::get<type::Int>(b.kind);
                return (!t.low || (s.low && within(t, *s.low))) && (!t.high || (s.high && within(t, *s.high)));
            },
            [](const type::Bool&) { return true; },
            [](const type::Enum&) { return false; },
            [](const type::String&) { return true; },
            [&](const type::Bytes& t) { return std::get<type::Bytes>(b.kind).max <= t.max; },
            [&](const type::ListOf& t) {
                const auto& s = std::get<type::ListOf>(b.kind);
                return s.max <= t.max && includes(types, t.element, s.element);
            },
            [&](const type::OneOf& t) {
                const auto& s = std::get<type::OneOf>(b.kind);
                return std::all_of(s.messages.begin(), s.messages.end(), [&](MessageId m) { return lists(t, m); });
            },
        },
        a.kind);
}

bool belongs_list(Types types, const type::ListOf& t, Value v) {
    uint32_t length = 0;
    for (; is_pair(v); v = as_pair(v).cdr) {
        if (++length > t.max || !belongs(types, t.element, as_pair(v).car)) return false;
    }
    return v.is_null();
}

} // namespace

// A message's own fields were checked when it was made. (any) stands for whatever the system sends.
bool belongs(Types types, TypeId type, Value v) {
    if (v == Value::any()) return true;
    if (is_type(v, ObjectType::fresh)) return includes(types, type, static_cast<const Fresh*>(v.as_object())->of);
    return std::visit(
        Overloaded{
            [&](const type::Int& t) { return within(t, v); },
            [&](const type::Bool&) { return v.is_boolean(); },
            [&](const type::Enum& t) { return lists(t.values, v); },
            [&](const type::String&) { return is_type(v, ObjectType::string); },
            [&](const type::Bytes& t) { return is_type(v, ObjectType::bytevector) && v.as_object()->count <= t.max; },
            [&](const type::ListOf& t) { return belongs_list(types, t, v); },
            [&](const type::OneOf& t) { return is_type(v, ObjectType::message) && lists(t, as_message(v).message); },
        },
        types[index(type)].kind);
}

std::string to_text(const Program& program, TypeId type) {
    const TypeDef& def = program.types[index(type)];
    if (def.name != Symbol{}) return std::string(name_of(def.name));
    const auto bound = [](const std::optional<Value>& v) { return v ? number::to_text(*v) : std::string("…"); };
    return std::visit(Overloaded{
                          [&](const type::Int& t) -> std::string {
                              return !t.low && !t.high ? "int" : "(int " + bound(t.low) + ' ' + bound(t.high) + ')';
                          },
                          [](const type::Bool&) -> std::string { return "bool"; },
                          [&](const type::Enum& t) {
                              std::string text = "(enum";
                              for (Value v : t.values) text += ' ' + to_text(program, v);
                              return text + ')';
                          },
                          [](const type::String&) -> std::string { return "string"; },
                          [](const type::Bytes& t) { return "(bytes " + std::to_string(t.max) + ')'; },
                          [&](const type::ListOf& t) {
                              return "(list-of " + to_text(program, t.element) + ' ' + std::to_string(t.max) + ')';
                          },
                          [&](const type::OneOf& t) {
                              if (t.messages.size() == 1) {
                                  return std::string(name_of(program.messages[index(t.messages[0])].name));
                              }
                              std::string text = "(one-of";
                              for (MessageId m : t.messages) {
                                  text += ' ' + std::string(name_of(program.messages[index(m)].name));
                              }
                              return text + ')';
                          },
                      },
                      def.kind);
}

} // namespace espalier
