// Values as an author or tester writes them: the datum of a message is the call that would make it.
#include "lang/read/value_datum.hpp"

#include "lang/ir/type.hpp"
#include "lang/values/number.hpp"
#include "lang/values/print.hpp"

namespace espalier {

namespace {

struct Reader {
    const Program& program;
    Heap& heap;
    const Data& data;
    const NamedValue& named;
    std::string& error;
    int depth = 0;

    std::optional<Value> fail(std::string text) {
        error = std::move(text);
        return std::nullopt;
    }

    std::optional<MessageId> message_named(Symbol name) const {
        for (uint32_t m = 0; m < program.messages.size(); ++m) {
            if (program.messages[m].name == name) return MessageId{m};
        }
        return std::nullopt;
    }

    std::optional<Value> read(DatumId d) {
        if (++depth > 1000) return fail("the value is nested too deeply");
        auto result = read_inner(d);
        --depth;
        return result;
    }

    std::optional<Value> read_inner(DatumId d) {
        switch (data[d].kind) {
        case DatumKind::null: return Value::null();
        case DatumKind::boolean: return Value::boolean(data[d].a != 0);
        case DatumKind::symbol: return Value::symbol(data.symbol(d));
        case DatumKind::integer: return number::from_int64(heap, data.integer(d));
        case DatumKind::number: return number::from_text(heap, data.text(d));
        case DatumKind::character: return Value::character(static_cast<char32_t>(data[d].a));
        case DatumKind::string: return heap.string(data.text(d));
        case DatumKind::bytevector: {
            const std::string& bytes = data.text(d);
            return heap.bytevector({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
        }
        case DatumKind::alias:
        case DatumKind::vector: return fail("`" + print_datum(data, d) + "` is not a value that a port carries");
        case DatumKind::pair: break;
        }
        // (Message field …), 'symbol or a list of values
        if (data.is(data.car(d), DatumKind::symbol)) {
            const Symbol head = data.symbol(data.car(d));
            if (name_of(head) == "quote" && data.is_pair(data.cdr(d)) && data.is_null(data.cdr(data.cdr(d))))
                return read_plain(data.car(data.cdr(d)));
            if (const auto m = message_named(head)) return read_message(*m, data.cdr(d), d);
        }
        std::vector<Value> items;
        DatumId rest = d;
        for (; data.is_pair(rest); rest = data.cdr(rest)) {
            auto item = read(data.car(rest));
            if (!item) return std::nullopt;
            items.push_back(*item);
        }
        if (!data.is_null(rest)) return fail("`" + print_datum(data, d) + "` is not a proper list");
        return heap.list(items);
    }

    std::optional<Value> read_plain(DatumId d) {
        if (data.is(d, DatumKind::symbol)) return Value::symbol(data.symbol(d));
        return read(d);
    }

    std::optional<Value> read_message(MessageId id, DatumId rest, DatumId whole) {
        const MessageDef& def = program.messages[index(id)];
        std::vector<Value> fields;
        for (; data.is_pair(rest); rest = data.cdr(rest)) {
            auto field = read(data.car(rest));
            if (!field) return std::nullopt;
            fields.push_back(*field);
        }
        const std::string name(name_of(def.name));
        if (!data.is_null(rest) || fields.size() != def.fields.size()) {
            std::string shape = "(" + name;
            for (const FieldDef& f : def.fields) shape += " " + std::string(name_of(f.name));
            return fail("`" + print_datum(data, whole) + "` does not have the shape " + shape + ")");
        }
        for (size_t i = 0; i < fields.size(); ++i) {
            if (fields[i].is_symbol() && named && !belongs(program, def.fields[i].type, fields[i])) {
                if (auto value = named(fields[i].as_symbol())) fields[i] = *value;
            }
            if (!belongs(program, def.fields[i].type, fields[i])) {
                return fail("the field `" + std::string(name_of(def.fields[i].name)) + "` of " + name + " is of type " +
                            to_text(program, def.fields[i].type) + ", " + to_text(program, fields[i]) + " is not");
            }
        }
        Message* m = heap.message(id, fields.size());
        for (size_t i = 0; i < fields.size(); ++i) m->fields[i] = fields[i];
        return Value::object(m);
    }
};

} // namespace

std::optional<Value> value_from_datum(const Program& program, Heap& heap, const Data& data, DatumId datum,
                                      const NamedValue& named, std::string& error) {
    return Reader{program, heap, data, named, error}.read(datum);
}

} // namespace espalier
