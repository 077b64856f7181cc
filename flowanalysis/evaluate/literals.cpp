#include "flowanalysis/evaluate/literals.hpp"

#include <vector>

namespace espalier::flow {

namespace {
// Pairs of one literal that are kept apart. A procedure that goes along a list sees all of them, one by one.
constexpr uint32_t most_literal_pairs = 512;
} // namespace

ValueId Literals::constant(Value v) {
    if (v.is_fixnum()) return domain_.integer(v.as_fixnum());
    if (v.is_boolean()) return domain_.boolean(v.is_true(), v.is_false());
    if (v.is_null()) return domain_.atoms(atom::null);
    if (v.is_symbol()) return domain_.datum({Datum::Kind::symbol, static_cast<uint32_t>(v.as_symbol())});
    if (v.is_character()) return domain_.datum({Datum::Kind::character, static_cast<uint32_t>(v.as_character())});
    if (v.is_port()) return domain_.object(memory_.make(family::port, no_label, no_variant, index(v.as_port()), 0));
    if (v == Value::any()) return domain_.atoms(atom::any_output);
    if (!v.is_object()) return domain_.atoms(atom::unspecified);
    return literal(v);
}

// A literal is one object for all places of the text that share it, so it is found by address. Nested ones wait for
// their turn: text may nest deeper than the stack.
ValueId Literals::literal(Value v) {
    std::vector<Value> pending;
    uint32_t pairs = 0;
    ValueId others = bottom; // all pairs of a long literal beyond the first ones
    const auto part = [&](Value each) {
        if (!each.is_object()) return constant(each);
        const auto [at, made] = literals_.try_emplace(each.bits(), bottom);
        if (made) {
            const bool many = is_pair(each) && ++pairs > most_literal_pairs;
            at->second =
                many && others != bottom ? others : literal_object(each, static_cast<uint32_t>(literals_.size()));
            if (many) others = at->second;
            pending.push_back(each);
        }
        return at->second;
    };
    const ValueId result = part(v);
    while (!pending.empty()) {
        const Value each = pending.back();
        pending.pop_back();
        if (is_pair(each)) {
            const ObjectId pair = *domain_.only_object(literals_[each.bits()]);
            memory_.grow(memory_.cell(pair, 0), part(as_pair(each).car));
            memory_.grow(memory_.cell(pair, 1), part(as_pair(each).cdr));
        } else if (is_type(each, ObjectType::vector)) {
            const ObjectId vector = *domain_.only_object(literals_[each.bits()]);
            for (uint32_t i = 0; i < as_vector(each).count; ++i)
                memory_.grow(memory_.cell(vector, 0), part(as_vector(each).elements[i]));
        }
    }
    return result;
}

bool Literals::is_literal(ObjectId o) const {
    return domain_[o].label == no_label && domain_[o].variant == no_variant && domain_[o].which < first_type;
}

// Its content is filled in by the caller.
ValueId Literals::literal_object(Value v, uint32_t number) {
    const auto object = [&](Families kind, uint32_t cells) {
        return domain_.object(memory_.make(kind, no_label, no_variant, number, cells));
    };
    switch (v.as_object()->type) {
    case ObjectType::bignum: return domain_.integers(Integers::all());
    case ObjectType::rational: return domain_.atoms(atom::rational);
    case ObjectType::string:
        return domain_.datum({Datum::Kind::string, static_cast<uint32_t>(intern(to_utf8(as_string(v))))});
    case ObjectType::pair: return object(family::pair, 2);
    case ObjectType::vector: return object(family::vector, 1);
    case ObjectType::bytevector: return object(family::bytevector, 0);
    default: return domain_.atoms(atom::unspecified);
    }
}

} // namespace espalier::flow
