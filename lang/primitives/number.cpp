// Numbers. Operands are checked here first, because only here a message can name what the program defines.
#include "lang/values/number.hpp"
#include "lang/primitives/primitives.hpp"
#include "lang/values/equality.hpp"

namespace espalier {
namespace {

void need_number(const PrimContext& c, const char* operation, Value v) {
    if (!number::is_number(v)) [[unlikely]]
        fail_operand(c, operation, v, "a number");
}

void need_numbers(const PrimContext& c, const char* operation, const Value* args) {
    need_number(c, operation, args[0]);
    need_number(c, operation, args[1]);
}

void need_integer(const PrimContext& c, const char* operation, Value v) {
    if (!number::is_integer(v)) [[unlikely]]
        fail_operand(c, operation, v, "an integer");
}

void need_integers(const PrimContext& c, const char* operation, const Value* args) {
    need_integer(c, operation, args[0]);
    need_integer(c, operation, args[1]);
}

int need_radix(const PrimContext& c, const char* operation, Value v) {
    if (!v.is_fixnum() || v.as_fixnum() < 2 || v.as_fixnum() > 36)
        fail_operand(c, operation, v, "a radix from 2 to 36");
    return static_cast<int>(v.as_fixnum());
}

// The result of an operation on numbers that are no larger themselves.
Value bounded(const char* operation, Value result) {
    if (result.is_object() && number::bits(result) > most_bits_of_number) [[unlikely]]
        throw TooLarge(std::string(operation) + ": a number of more than " + std::to_string(most_bits_of_number) +
                       " bits is too large");
    return result;
}

bool is_fresh(Value v) { return is_type(v, ObjectType::fresh); }

} // namespace

#define NUMBERS_2(id, name, function)                                                                                  \
    Value concrete_##id(PrimContext& c, const Value* args, uint32_t) {                                                 \
        need_numbers(c, name, args);                                                                                   \
        return bounded(name, number::function(c.heap, args[0], args[1]));                                              \
    }
NUMBERS_2(add, "+", add)
NUMBERS_2(sub, "-", sub)
NUMBERS_2(mul, "*", mul)
NUMBERS_2(div, "/", div)
#undef NUMBERS_2

#define INTEGERS_2(id, name)                                                                                           \
    Value concrete_##id(PrimContext& c, const Value* args, uint32_t) {                                                 \
        need_integers(c, name, args);                                                                                  \
        return bounded(name, number::id(c.heap, args[0], args[1]));                                                    \
    }
INTEGERS_2(quotient, "quotient")
INTEGERS_2(remainder, "remainder")
INTEGERS_2(modulo, "modulo")
INTEGERS_2(floor_quotient, "floor-quotient")
INTEGERS_2(bitwise_and, "bitwise-and")
INTEGERS_2(bitwise_or, "bitwise-or")
INTEGERS_2(bitwise_xor, "bitwise-xor")
INTEGERS_2(arithmetic_shift, "arithmetic-shift")
#undef INTEGERS_2

#define NUMBER_1(id, name, function)                                                                                   \
    Value concrete_##id(PrimContext& c, const Value* args, uint32_t) {                                                 \
        need_number(c, name, args[0]);                                                                                 \
        return number::function(c.heap, args[0]);                                                                      \
    }
NUMBER_1(numerator, "numerator", numerator_of)
NUMBER_1(denominator, "denominator", denominator_of)
NUMBER_1(floor, "floor", floor)
NUMBER_1(ceiling, "ceiling", ceiling)
NUMBER_1(truncate, "truncate", truncate)
NUMBER_1(round, "round", round)
#undef NUMBER_1

#define ORDER(id, name, operation)                                                                                     \
    Value concrete_##id(PrimContext& c, const Value* args, uint32_t) {                                                 \
        need_numbers(c, name, args);                                                                                   \
        return Value::boolean(number::compare(args[0], args[1], name) operation 0);                                    \
    }
ORDER(lt, "<", <)
ORDER(le, "<=", <=)
ORDER(gt, ">", >)
ORDER(ge, ">=", >=)
#undef ORDER

// Fresh values may be compared for equality.
Value concrete_num_eq(PrimContext& c, const Value* args, uint32_t) {
    if (!is_fresh(args[0])) need_number(c, "=", args[0]);
    if (!is_fresh(args[1])) need_number(c, "=", args[1]);
    return Value::boolean(eqv(args[0], args[1]));
}

Value concrete_isqrt(PrimContext& c, const Value* args, uint32_t) {
    need_integer(c, "exact-integer-sqrt", args[0]);
    return number::integer_sqrt(c.heap, args[0]);
}

Value concrete_bitwise_not(PrimContext& c, const Value* args, uint32_t) {
    need_integer(c, "bitwise-not", args[0]);
    return number::bitwise_not(c.heap, args[0]);
}

Value concrete_number_to_string(PrimContext& c, const Value* args, uint32_t) {
    need_number(c, "number->string", args[0]);
    return c.heap.string(number::to_text(args[0], need_radix(c, "number->string", args[1])));
}

Value concrete_string_to_number(PrimContext& c, const Value* args, uint32_t) {
    need(c, args[0], ObjectType::string, "string->number", "a string");
    const int radix = need_radix(c, "string->number", args[1]);
    const auto result = number::parse(c.heap, to_utf8(as_string(args[0])), radix);
    return result ? bounded("string->number", *result) : Value::boolean(false);
}

} // namespace espalier
