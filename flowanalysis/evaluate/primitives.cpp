// Applying a primitive: what its operands must be, and where it may fail. What each one gives is in
// primitives_meaning.cpp.
#include "flowanalysis/evaluate/primitives.hpp"

namespace espalier::flow {

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

PrimitiveApplication::PrimitiveApplication(Context& context, Memory& memory, Knowledge& knowledge, Arguments& arguments,
                                           const op::Primitive& o, Label label)
    : domain_(context.domain), memory_(memory), knowledge_(knowledge), arguments_(arguments), prim_(o.prim),
      vars_(context.program.list(o.args)), label_(label) {
    for (VarId v : vars_) args_.push_back(knowledge.known(v));
}

ValueId PrimitiveApplication::apply() {
    switch (prim_) {
#define PRIMITIVE(id, name, arity, effect)                                                                             \
    case Prim::id:                                                                                                     \
        return id();
#include "lang/ir/primitives.def"
#undef PRIMITIVE
    }
    return bottom;
}

// Of operands that are of the right kind. What only very large results or tables do is left aside.
bool PrimitiveApplication::may_fail() const {
    switch (prim_) {
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

} // namespace espalier::flow
