// Applying a primitive: operands of the wrong kind end the run, operands that are a few constants are
// computed with, and everything else has its meaning in primitives_meaning.cpp.
#include "flowanalysis/primitives.hpp"

namespace espalier::flow {

namespace {

constexpr size_t most_combinations = 64;

// Primitives whose results on constants are numbers, characters, symbols or booleans, and cost little.
bool foldable(Prim prim) {
    return prim <= Prim::bitwise_not || prim == Prim::string_to_number || prim == Prim::string_to_symbol ||
           (prim >= Prim::char_to_integer && prim <= Prim::string_ref) || prim == Prim::string_eq ||
           prim == Prim::string_lt;
}

// Two literals of the same content may be one object or two.
bool compares_identity(Prim prim) { return prim == Prim::eq || prim == Prim::eqv; }

} // namespace

Families tested_families(Prim prim) {
    switch (prim) {
    case Prim::is_boolean: return family::boolean;
    case Prim::is_symbol: return family::symbol;
    case Prim::is_char: return family::character;
    case Prim::is_string: return family::string;
    case Prim::is_pair: return family::pair;
    case Prim::is_null: return family::null;
    case Prim::is_vector: return family::vector;
    case Prim::is_bytevector: return family::bytevector;
    case Prim::is_procedure: return family::procedure;
    case Prim::is_hash_table: return family::table;
    case Prim::is_number: return family::number;
    case Prim::is_integer: return family::integer;
    default: return 0;
    }
}

Families operand_families(Prim prim, size_t operand) {
    using namespace family;
    // A value that the system under test chooses may be compared, and nothing else.
    if (prim == Prim::num_eq) return number | fresh;
    if (prim == Prim::string_eq) return string | fresh;
    if (prim >= Prim::add && prim <= Prim::ge) return number;
    if (prim >= Prim::quotient && prim <= Prim::floor_quotient) return integer;
    if (prim >= Prim::numerator && prim <= Prim::round) return number;
    if (prim >= Prim::isqrt && prim <= Prim::arithmetic_shift) return integer;
    switch (prim) {
    case Prim::number_to_string: return number;
    case Prim::string_to_number: return operand == 0 ? string : integer;
    case Prim::car:
    case Prim::cdr: return pair;
    case Prim::symbol_to_string: return symbol;
    case Prim::string_to_symbol:
    case Prim::string_length:
    case Prim::string_append:
    case Prim::string_eq:
    case Prim::string_lt:
    case Prim::string_upcase:
    case Prim::string_downcase:
    case Prim::string_foldcase:
    case Prim::string_to_utf8: return string;
    case Prim::string_ref:
    case Prim::substring: return operand == 0 ? string : integer;
    case Prim::char_to_integer:
    case Prim::char_upcase:
    case Prim::char_downcase:
    case Prim::char_is_alphabetic:
    case Prim::char_is_numeric:
    case Prim::char_is_whitespace:
    case Prim::char_is_upper_case:
    case Prim::char_is_lower_case:
    case Prim::digit_value: return character;
    case Prim::integer_to_char: return integer;
    case Prim::make_string: return operand == 0 ? integer : character;
    case Prim::vector_length: return vector;
    case Prim::vector_ref:
    case Prim::vector_set: return operand == 0 ? vector : operand == 1 ? integer : everything;
    case Prim::make_vector: return operand == 0 ? integer : everything;
    case Prim::make_bytevector: return integer;
    case Prim::bytevector_length: return bytevector;
    case Prim::utf8_to_string:
    case Prim::bytevector_ref:
    case Prim::bytevector_set: return operand == 0 ? bytevector : integer;
    case Prim::hash_table_ref:
    case Prim::hash_table_set:
    case Prim::hash_table_delete:
    case Prim::hash_table_contains: return operand == 0 ? table : everything;
    case Prim::hash_table_count:
    case Prim::hash_table_keys:
    case Prim::hash_table_values:
    case Prim::hash_table_clear: return table;
    default: return everything;
    }
}

bool Machine::apply_primitive(const op::Primitive& o, Label label) {
    size_t operand = 0;
    for (VarId v : program_.list(o.args))
        if (!demand(v, operand_families(o.prim, operand++))) return false;
    if (changes_constant(o)) {
        fails_ = true;
        return false;
    }
    if (o.prim == Prim::car || o.prim == Prim::cdr)
        return ref_field(o.dst, program_.list(o.args)[0], Key::Kind::field, o.prim == Prim::car ? 0 : 1);
    Primitives applied(*this, o, label);
    fails_ = fails_ || applied.may_fail();
    if (!define(o.dst, applied.apply())) return false;
    if (o.prim == Prim::cons)
        for (uint32_t field = 0; field < 2; ++field)
            remember({Key::Kind::field, index(o.dst), field}, program_.list(o.args)[field]);
    return true;
}

// Only ever one of the program's text, which may not be changed.
bool Machine::changes_constant(const op::Primitive& o) {
    if (o.prim != Prim::vector_set && o.prim != Prim::bytevector_set) return false;
    bool literal = true;
    each_object(known(program_.list(o.args)[0]), family::vector | family::bytevector,
                [&](ObjectId object) { literal = literal && is_literal(object); });
    return literal;
}

Primitives::Primitives(Machine& machine, const op::Primitive& o, Label label)
    : m_(machine), o_(o), vars_(machine.program_.list(o.args)), label_(label) {
    for (VarId v : vars_) args_.push_back(machine.known(v));
}

ValueId Primitives::apply() {
    if (foldable(o_.prim)) {
        bool done = false;
        const ValueId result = fold(done);
        if (done) return result;
    }
    switch (o_.prim) {
#define PRIMITIVE(id, name, arity, effect)                                                                             \
    case Prim::id:                                                                                                     \
        return id();
#include "lang/ir/primitives.def"
#undef PRIMITIVE
    }
    return bottom;
}

// Of operands that are of the right kind. What only very large results or tables do is left aside.
bool Primitives::may_fail() const {
    switch (o_.prim) {
    case Prim::div:
    case Prim::quotient:
    case Prim::remainder:
    case Prim::modulo:
    case Prim::floor_quotient: return ints(1).contains(0);
    case Prim::isqrt: return ints(0).low() < 0;
    case Prim::make_string:
    case Prim::make_vector:
    case Prim::make_bytevector: return ints(0).low() < 0;
    case Prim::number_to_string:
    case Prim::string_to_number: return ints(1).low() < 2 || ints(1).high() > 36;
    case Prim::integer_to_char: return ints(0).low() < 0 || ints(0).high() >= 0xd800;
    case Prim::string_ref: // the analysis knows no lengths
    case Prim::substring:
    case Prim::vector_ref:
    case Prim::vector_set:
    case Prim::bytevector_ref:
    case Prim::bytevector_set:
    case Prim::utf8_to_string:
    case Prim::string_concatenate: // nor that a list ends, and of what all its elements are
    case Prim::list_to_string:
    case Prim::list_to_values:
    case Prim::values_ref:
    case Prim::error: return true;
    default: return false;
    }
}

// The members of a value that is nothing but a few constants.
std::optional<std::vector<Value>> Primitives::constants(ValueId v) {
    const AbstractValue& value = m_.domain_[v];
    constexpr Atoms immediate = atom::truth | atom::falsity | atom::null | atom::unspecified;
    if ((m_.domain_.families(v) & family::object) != 0 || m_.domain_.part_count(v) > most_combinations ||
        (value.atoms & ~immediate) != 0 || (!value.integers.empty() && value.integers.constants().empty()))
        return std::nullopt;
    std::vector<Value> result;
    for (int64_t n : value.integers.constants()) result.push_back(Value::fixnum(n));
    for (const auto& [bit, word] : {std::pair{atom::truth, Value::boolean(true)},
                                    {atom::falsity, Value::boolean(false)},
                                    {atom::null, Value::null()},
                                    {atom::unspecified, Value::unspecified()}})
        if ((value.atoms & bit) != 0) result.push_back(word);
    for (const Datum& d : m_.domain_.data(v)) {
        switch (d.kind) {
        case Datum::Kind::symbol: result.push_back(Value::symbol(Symbol{d.id})); break;
        case Datum::Kind::character: result.push_back(Value::character(static_cast<char32_t>(d.id))); break;
        case Datum::Kind::string:
            if (compares_identity(o_.prim)) return std::nullopt;
            result.push_back(m_.scratch_.string(name_of(Symbol{d.id})));
            break;
        }
    }
    return result;
}

// What the primitive gives on all combinations of its operands' constants, when those are few.
ValueId Primitives::fold(bool& done) {
    std::vector<std::vector<Value>> members;
    size_t combinations = 1;
    for (ValueId v : args_) {
        auto all = constants(v);
        if (!all || (combinations *= all->size()) > most_combinations) return bottom;
        members.push_back(std::move(*all));
    }
    ValueId result = bottom;
    std::vector<Value> operands(members.size());
    for (size_t n = 0; n < combinations; ++n) {
        size_t rest = n;
        for (size_t i = 0; i < members.size(); ++i) {
            operands[i] = members[i][rest % members[i].size()];
            rest /= members[i].size();
        }
        const auto one = folded(operands);
        if (!one) return bottom;
        result = m_.domain_.join(result, *one);
    }
    done = true;
    return result;
}

std::string Primitives::complaint() {
    std::vector<Value> operands;
    for (ValueId v : args_) {
        const auto all = foldable(o_.prim) ? constants(v) : std::nullopt;
        if (!all || all->size() != 1) return {};
        operands.push_back(all->front());
    }
    PrimContext context{m_.scratch_, m_.program_, nullptr};
    try {
        concrete(o_.prim)(context, operands.data(), static_cast<uint32_t>(operands.size()));
    } catch (const PrimitiveError& error) {
        return error.what();
    }
    return {};
}

std::optional<ValueId> Primitives::folded(std::span<const Value> operands) {
    PrimContext context{m_.scratch_, m_.program_, nullptr};
    try {
        const Value v = concrete(o_.prim)(context, operands.data(), static_cast<uint32_t>(operands.size()));
        if (!v.is_object() || number::is_number(v))
            return v.is_object() ? numbers(number::is_integer(v) ? Integers::all() : Integers{}, !number::is_integer(v))
                                 : m_.constant(v);
        return std::nullopt;
    } catch (const PrimitiveError&) {
        return bottom;
    }
}

} // namespace espalier::flow
