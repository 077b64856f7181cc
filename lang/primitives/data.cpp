// Identity, kinds, pairs, vectors, bytevectors, hash tables, multiple values, and the end of a run.
#include <algorithm>

#include "lang/primitives/primitives.hpp"
#include "lang/values/channel.hpp"
#include "lang/values/equality.hpp"
#include "lang/values/number.hpp"
#include "lang/values/table.hpp"

namespace espalier {
namespace {

// What kind of value a fresh one stands for, its type says; where the type leaves it open, so must the model.
bool fresh_is(const PrimContext& c, const char* predicate, Value v, Prim kind) {
    const TypeDef& type = c.program.types[index(static_cast<const Fresh*>(v.as_object())->of)];
    if (std::holds_alternative<type::Enum>(type.kind)) fail_operand(c, predicate, v, "");
    const bool list = std::holds_alternative<type::ListOf>(type.kind);
    if (list && (kind == Prim::is_pair || kind == Prim::is_null)) fail_operand(c, predicate, v, "");
    switch (kind) {
    case Prim::is_number:
    case Prim::is_integer: return std::holds_alternative<type::Int>(type.kind);
    case Prim::is_boolean: return std::holds_alternative<type::Bool>(type.kind);
    case Prim::is_string: return std::holds_alternative<type::String>(type.kind);
    case Prim::is_bytevector: return std::holds_alternative<type::Bytes>(type.kind);
    default: return false;
    }
}

void need_mutable(const Object* o, const char* operation) {
    if ((o->flags & literal_flag) != 0) fail(operation, "a constant of the program's text may not be changed");
}

HashTable& need_table(const PrimContext& c, Value v, const char* operation) {
    need(c, v, ObjectType::hash_table, operation, "a hash table");
    return as_hash_table(v);
}

uint8_t need_byte(const PrimContext& c, Value v, const char* operation) {
    if (!v.is_fixnum() || v.as_fixnum() < 0 || v.as_fixnum() > 255) fail_operand(c, operation, v, "a byte (0 to 255)");
    return static_cast<uint8_t>(v.as_fixnum());
}

} // namespace

// ── Identity and kinds
// ──────────────────────────────────────────────────────────────────────────────────────────

Value concrete_eq(PrimContext&, const Value* args, uint32_t) { return Value::boolean(eq(args[0], args[1])); }
Value concrete_eqv(PrimContext&, const Value* args, uint32_t) { return Value::boolean(eqv(args[0], args[1])); }
Value concrete_equal(PrimContext&, const Value* args, uint32_t) { return Value::boolean(equal(args[0], args[1])); }

Value concrete_not_(PrimContext& c, const Value* args, uint32_t) {
    if (is_type(args[0], ObjectType::fresh) && fresh_is(c, "not", args[0], Prim::is_boolean)) {
        fail_operand(c, "not", args[0], "");
    }
    return Value::boolean(args[0].is_false());
}

#define KIND(id, name, test)                                                                                           \
    Value concrete_##id(PrimContext& c, const Value* args, uint32_t) {                                                 \
        const Value v = args[0];                                                                                       \
        if (is_type(v, ObjectType::fresh)) return Value::boolean(fresh_is(c, name, v, Prim::id));                      \
        return Value::boolean(test);                                                                                   \
    }
KIND(is_boolean, "boolean?", v.is_boolean())
KIND(is_symbol, "symbol?", v.is_symbol())
KIND(is_char, "char?", v.is_character())
KIND(is_string, "string?", is_type(v, ObjectType::string))
KIND(is_pair, "pair?", is_pair(v))
KIND(is_null, "null?", v.is_null())
KIND(is_vector, "vector?", is_type(v, ObjectType::vector))
KIND(is_bytevector, "bytevector?", is_type(v, ObjectType::bytevector))
KIND(is_procedure, "procedure?", is_type(v, ObjectType::closure))
KIND(is_hash_table, "hash-table?", is_type(v, ObjectType::hash_table))
KIND(is_number, "number?", number::is_number(v))
KIND(is_integer, "integer?", number::is_integer(v))
#undef KIND

// ── Pairs
// ───────────────────────────────────────────────────────────────────────────────────────────────────────

Value concrete_cons(PrimContext& c, const Value* args, uint32_t) { return c.heap.cons(args[0], args[1]); }

Value concrete_car(PrimContext& c, const Value* args, uint32_t) {
    need(c, args[0], ObjectType::pair, "car", "a pair");
    return as_pair(args[0]).car;
}

Value concrete_cdr(PrimContext& c, const Value* args, uint32_t) {
    need(c, args[0], ObjectType::pair, "cdr", "a pair");
    return as_pair(args[0]).cdr;
}

// ── Vectors and bytevectors
// ─────────────────────────────────────────────────────────────────────────────────────

Value concrete_vector(PrimContext& c, const Value* args, uint32_t count) {
    return c.heap.vector(std::span(args, count));
}

Value concrete_make_vector(PrimContext& c, const Value* args, uint32_t) {
    return c.heap.vector(need_count(c, args[0], most_elements, "make-vector"), args[1]);
}

Value concrete_vector_length(PrimContext& c, const Value* args, uint32_t) {
    need(c, args[0], ObjectType::vector, "vector-length", "a vector");
    return Value::fixnum(args[0].as_object()->count);
}

Value concrete_vector_ref(PrimContext& c, const Value* args, uint32_t) {
    need(c, args[0], ObjectType::vector, "vector-ref", "a vector");
    Vector& v = as_vector(args[0]);
    return v.elements[need_index(c, args[1], v.count, "vector-ref", "a vector")];
}

Value concrete_vector_set(PrimContext& c, const Value* args, uint32_t) {
    need(c, args[0], ObjectType::vector, "vector-set!", "a vector");
    Vector& v = as_vector(args[0]);
    const uint32_t i = need_index(c, args[1], v.count, "vector-set!", "a vector");
    need_mutable(&v, "vector-set!");
    v.elements[i] = args[2];
    return Value::unspecified();
}

Value concrete_make_bytevector(PrimContext& c, const Value* args, uint32_t) {
    const uint32_t length = need_count(c, args[0], most_elements, "make-bytevector");
    const uint8_t fill = need_byte(c, args[1], "make-bytevector");
    auto* b = static_cast<Bytevector*>(c.heap.allocate(ObjectType::bytevector, sizeof(Object) + length, length));
    std::fill_n(static_cast<uint8_t*>(b->bytes), length, fill);
    return Value::object(b);
}

Value concrete_bytevector_length(PrimContext& c, const Value* args, uint32_t) {
    need(c, args[0], ObjectType::bytevector, "bytevector-length", "a bytevector");
    return Value::fixnum(args[0].as_object()->count);
}

Value concrete_bytevector_ref(PrimContext& c, const Value* args, uint32_t) {
    need(c, args[0], ObjectType::bytevector, "bytevector-u8-ref", "a bytevector");
    Bytevector& b = as_bytevector(args[0]);
    return Value::fixnum(b.bytes[need_index(c, args[1], b.count, "bytevector-u8-ref", "a bytevector")]);
}

Value concrete_bytevector_set(PrimContext& c, const Value* args, uint32_t) {
    need(c, args[0], ObjectType::bytevector, "bytevector-u8-set!", "a bytevector");
    Bytevector& b = as_bytevector(args[0]);
    const uint32_t i = need_index(c, args[1], b.count, "bytevector-u8-set!", "a bytevector");
    const uint8_t byte = need_byte(c, args[2], "bytevector-u8-set!");
    need_mutable(&b, "bytevector-u8-set!");
    b.bytes[i] = byte;
    return Value::unspecified();
}

// ── Hash tables
// ─────────────────────────────────────────────────────────────────────────────────────────────────

Value concrete_make_hash_table(PrimContext& c, const Value*, uint32_t) {
    return Value::object(make_hash_table(c.heap));
}

Value concrete_hash_table_ref(PrimContext& c, const Value* args, uint32_t) {
    const Value* found = need_table(c, args[0], "hash-table-ref/default").find(args[1]);
    return found != nullptr ? *found : args[2];
}

Value concrete_hash_table_set(PrimContext& c, const Value* args, uint32_t) {
    need_table(c, args[0], "hash-table-set!").set(c.heap, args[1], args[2]);
    return Value::unspecified();
}

Value concrete_hash_table_delete(PrimContext& c, const Value* args, uint32_t) {
    need_table(c, args[0], "hash-table-delete!").erase(args[1]);
    return Value::unspecified();
}

Value concrete_hash_table_contains(PrimContext& c, const Value* args, uint32_t) {
    return Value::boolean(need_table(c, args[0], "hash-table-contains?").find(args[1]) != nullptr);
}

Value concrete_hash_table_count(PrimContext& c, const Value* args, uint32_t) {
    return Value::fixnum(static_cast<int64_t>(need_table(c, args[0], "hash-table-count").size()));
}

namespace {

Value list_of_entries(PrimContext& c, const HashTable& table, Value HashTable::Entry::*part) {
    Value list = Value::null();
    const auto& entries = table.entries();
    for (auto e = entries.rbegin(); e != entries.rend(); ++e) {
        if (e->live()) list = c.heap.cons((*e).*part, list);
    }
    return list;
}

} // namespace

Value concrete_hash_table_keys(PrimContext& c, const Value* args, uint32_t) {
    return list_of_entries(c, need_table(c, args[0], "hash-table-keys"), &HashTable::Entry::key);
}

Value concrete_hash_table_values(PrimContext& c, const Value* args, uint32_t) {
    return list_of_entries(c, need_table(c, args[0], "hash-table-values"), &HashTable::Entry::value);
}

Value concrete_hash_table_clear(PrimContext& c, const Value* args, uint32_t) {
    need_table(c, args[0], "hash-table-clear!").clear();
    return Value::unspecified();
}

// ── Multiple values
// ─────────────────────────────────────────────────────────────────────────────────────────────

Value concrete_values(PrimContext& c, const Value* args, uint32_t count) {
    return c.heap.values(std::span(args, count));
}

Value concrete_values_ref(PrimContext&, const Value* args, uint32_t) {
    const int64_t wanted = args[2].as_fixnum();
    const bool several = is_type(args[0], ObjectType::values);
    const int64_t got = several ? args[0].as_object()->count : 1;
    if (got != wanted) {
        throw PrimitiveError("expected " + std::to_string(wanted) + (wanted == 1 ? " value" : " values") + ", got " +
                             std::to_string(got));
    }
    if (wanted == 0) return Value::unspecified(); // that there is none was all to be seen to
    return several ? static_cast<Values*>(args[0].as_object())->elements[args[1].as_fixnum()] : args[0];
}

Value concrete_values_to_list(PrimContext& c, const Value* args, uint32_t) {
    if (!is_type(args[0], ObjectType::values)) return c.heap.list(std::span(args, 1));
    auto* v = static_cast<Values*>(args[0].as_object());
    return c.heap.list(std::span<const Value>(v->elements, v->count));
}

Value concrete_list_to_values(PrimContext& c, const Value* args, uint32_t) {
    std::vector<Value> values;
    Value rest = args[0];
    for (; is_pair(rest); rest = as_pair(rest).cdr) values.push_back(as_pair(rest).car);
    if (!rest.is_null()) fail_operand(c, "values", args[0], "a list");
    return c.heap.values(values);
}

// ── Channels and timers, showing, giving up
// ─────────────────────────────────────────────────────────────────────

Value concrete_make_channel(PrimContext& c, const Value*, uint32_t) { return Value::object(make_channel(c.heap)); }
Value concrete_make_timer(PrimContext& c, const Value*, uint32_t) { return Value::object(make_timer(c.heap, false)); }
Value concrete_make_early_timer(PrimContext& c, const Value*, uint32_t) {
    return Value::object(make_timer(c.heap, true));
}

Value concrete_display(PrimContext& c, const Value* args, uint32_t) {
    if (c.displayed != nullptr) *c.displayed += to_text(c.program, args[0], Style::display);
    return Value::unspecified();
}

// (error "text" 1 "b") reads: text 1 "b"
Value concrete_error(PrimContext& c, const Value* args, uint32_t) {
    std::string text = to_text(&c.program, args[0], Style::display, 1000);
    for (Value rest = args[1]; is_pair(rest) && text.size() < 1000; rest = as_pair(rest).cdr) {
        text += ' ' + to_text(&c.program, as_pair(rest).car, Style::write, 200);
    }
    throw PrimitiveError(text);
}

} // namespace espalier
