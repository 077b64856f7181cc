// How each kind of object is made.
#include <algorithm>
#include <cstring>

#include "lang/text/utf8.hpp"
#include "lang/values/channel.hpp"
#include "lang/values/heap.hpp"
#include "lang/values/table.hpp"

namespace espalier {
namespace {

constexpr size_t header_and_id = sizeof(Object) + 8; // of what has elements of a named kind

template <typename T>
T* with_elements(Heap& heap, ObjectType type, size_t fixed, size_t count) {
    return static_cast<T*>(heap.allocate(type, fixed + count * sizeof(Value), static_cast<uint32_t>(count)));
}

// For what C++ must construct; the header stays as the heap wrote it.
template <typename T>
T* construct(Heap& heap, ObjectType type) {
    Object* memory = heap.allocate(type, sizeof(T), 0);
    const Object header = *memory;
    T* object = new (memory) T();
    static_cast<Object&>(*object) = header;
    return object;
}

} // namespace

Value Heap::box(Value content) {
    auto* b = static_cast<Box*>(allocate(ObjectType::box, sizeof(Box), 0));
    b->content = content;
    return Value::object(b);
}

Value Heap::vector(size_t count, Value fill) {
    auto* v = with_elements<Vector>(*this, ObjectType::vector, sizeof(Object), count);
    std::fill_n(static_cast<Value*>(v->elements), count, fill);
    return Value::object(v);
}

Value Heap::vector(std::span<const Value> elements) {
    auto* v = with_elements<Vector>(*this, ObjectType::vector, sizeof(Object), elements.size());
    std::copy(elements.begin(), elements.end(), static_cast<Value*>(v->elements));
    return Value::object(v);
}

Value Heap::bytevector(std::span<const uint8_t> bytes) {
    auto* b = static_cast<Bytevector*>(
        allocate(ObjectType::bytevector, sizeof(Object) + bytes.size(), static_cast<uint32_t>(bytes.size())));
    std::copy(bytes.begin(), bytes.end(), static_cast<uint8_t*>(b->bytes));
    return Value::object(b);
}

Value Heap::values(std::span<const Value> elements) {
    if (elements.size() == 1) return elements[0];
    auto* v = with_elements<Values>(*this, ObjectType::values, sizeof(Object), elements.size());
    std::copy(elements.begin(), elements.end(), static_cast<Value*>(v->elements));
    return Value::object(v);
}

Value Heap::list(std::span<const Value> elements, Value tail) {
    for (size_t i = elements.size(); i > 0; --i) tail = cons(elements[i - 1], tail);
    return tail;
}

Closure* Heap::closure(LambdaId lambda, size_t captures) {
    auto* c = with_elements<Closure>(*this, ObjectType::closure, header_and_id, captures);
    c->lambda = lambda;
    return c;
}

Record* Heap::record(RecordId record, size_t fields) {
    auto* r = with_elements<Record>(*this, ObjectType::record, header_and_id, fields);
    r->record = record;
    return r;
}

Message* Heap::message(MessageId message, size_t fields) {
    auto* m = with_elements<Message>(*this, ObjectType::message, header_and_id, fields);
    m->message = message;
    return m;
}

String* Heap::string(size_t count, bool wide) {
    auto* s = static_cast<String*>(
        allocate(ObjectType::string, sizeof(String) + count * (wide ? 4 : 1), static_cast<uint32_t>(count)));
    if (wide) s->flags |= wide_flag;
    return s;
}

Value Heap::string(std::u32string_view text) {
    const bool wide = std::any_of(text.begin(), text.end(), [](char32_t c) { return c > 0xFF; });
    String* s = string(text.size(), wide);
    if (wide) {
        std::copy(text.begin(), text.end(), reinterpret_cast<char32_t*>(s + 1));
    } else {
        std::transform(text.begin(), text.end(), reinterpret_cast<uint8_t*>(s + 1),
                       [](char32_t c) { return static_cast<uint8_t>(c); });
    }
    return Value::object(s);
}

Value Heap::string(std::string_view utf8) {
    const bool ascii = std::none_of(utf8.begin(), utf8.end(), [](char c) { return (c & 0x80) != 0; });
    if (ascii) {
        String* s = string(utf8.size(), false);
        if (!utf8.empty()) std::memcpy(s + 1, utf8.data(), utf8.size());
        return Value::object(s);
    }
    std::u32string text;
    for (size_t at = 0; at < utf8.size();) {
        const CodePoint point = decode_utf8(utf8, at);
        text.push_back(point.code);
        at += point.size;
    }
    return string(text);
}

Channel* make_channel(Heap& heap) {
    auto* c = construct<Channel>(heap, ObjectType::channel);
    c->id = heap.next_channel_id();
    return c;
}

Timer* make_timer(Heap& heap, bool early) {
    auto* t = construct<Timer>(heap, ObjectType::timer);
    t->id = heap.next_timer_id();
    t->early = early;
    return t;
}

HashTable* make_hash_table(Heap& heap) { return construct<HashTable>(heap, ObjectType::hash_table); }

} // namespace espalier
