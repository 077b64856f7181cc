#include "lang/names/syntax.hpp"

#include "lang/values/number.hpp"

namespace espalier {

Ident Syntax::ident(DatumId d) const {
    const Datum& datum = data_[d];
    return Ident{datum.kind == DatumKind::alias ? datum.a | alias_bit : datum.a};
}

Symbol Syntax::base_name(Ident name) const {
    while ((index(name) & alias_bit) != 0) name = alias(name).base;
    return Symbol{index(name)};
}

bool Syntax::named(DatumId d, std::string_view name) const { return is_identifier(d) && name_of(base_name(d)) == name; }

std::optional<std::vector<DatumId>> Syntax::elements(DatumId d) const {
    std::vector<DatumId> out;
    while (data_.is_pair(d)) {
        out.push_back(data_.car(d));
        d = data_.cdr(d);
    }
    if (!data_.is_null(d)) return std::nullopt;
    return out;
}

std::string Syntax::show(DatumId d) const {
    std::string text;
    if (is_identifier(d)) {
        text = name_of(base_name(d));
    } else {
        text = print_datum(data_, d);
    }
    if (text.size() > 40) {
        size_t cut = 37;
        while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
        text = text.substr(0, cut) + "...";
    }
    return text;
}

// A quoted datum as a value; never recurses, since data may be nested as deep as memory allows.
Value Syntax::literal(DatumId root) {
    enum class Todo : uint8_t { visit, make_pair, make_vector };
    struct Step {
        DatumId datum;
        Todo todo;
    };
    std::vector<Step> work{{root, Todo::visit}};
    std::vector<Value> done;
    while (!work.empty()) {
        const auto [datum, todo] = work.back();
        work.pop_back();
        const Datum& d = data_[datum];
        if (todo == Todo::make_pair) {
            const Value cdr = done.back();
            done.pop_back();
            done.back() = literals_.cons(done.back(), cdr);
        } else if (todo == Todo::make_vector) {
            const Value v = literals_.vector(std::span<const Value>(done.data() + done.size() - d.b, d.b));
            done.resize(done.size() - d.b);
            done.push_back(v);
        } else if (d.kind == DatumKind::pair) {
            work.push_back({datum, Todo::make_pair});
            work.push_back({data_.cdr(datum), Todo::visit});
            work.push_back({data_.car(datum), Todo::visit});
        } else if (d.kind == DatumKind::vector) {
            work.push_back({datum, Todo::make_vector});
            auto items = data_.elements(datum);
            for (size_t i = items.size(); i-- > 0;) work.push_back({items[i], Todo::visit});
        } else {
            done.push_back(atom(datum));
        }
    }
    return done.back();
}

Value Syntax::atom(DatumId datum) {
    const Datum& d = data_[datum];
    switch (d.kind) {
    case DatumKind::null: return Value::null();
    case DatumKind::symbol: return Value::symbol(Symbol{d.a});
    case DatumKind::alias: return Value::symbol(base_name(datum));
    case DatumKind::boolean: return Value::boolean(d.a != 0);
    case DatumKind::integer: return number::from_int64(literals_, data_.integer(datum));
    case DatumKind::number: return number::from_text(literals_, data_.text(datum));
    case DatumKind::character: return Value::character(static_cast<char32_t>(d.a));
    case DatumKind::string: return literals_.string(data_.text(datum));
    case DatumKind::bytevector: {
        const std::string& bytes = data_.text(datum);
        return literals_.bytevector({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
    }
    case DatumKind::pair:
    case DatumKind::vector: break; // not atoms
    }
    return Value::unspecified();
}

DatumId Syntax::make_alias(Ident base, Scope* scope, Span place) {
    aliases_.push_back({base, scope});
    return data_.alias(place, static_cast<uint32_t>(aliases_.size() - 1));
}

} // namespace espalier
