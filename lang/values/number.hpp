// Exact integers of any size and exact rationals, and how large a value may be.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lang/values/heap.hpp"

namespace espalier {

// What one value of a model may hold, in both engines alike. More is an error of the model, so that no single operation
// takes long and none can be the end of the tool.
inline constexpr uint32_t most_elements = uint32_t{1} << 24;   // of a vector or bytevector
inline constexpr uint32_t most_characters = uint32_t{1} << 24; // of a string
inline constexpr size_t most_bits_of_number = size_t{1} << 19; // more than 150,000 decimal digits

// A primitive met operands it is not defined for: the author's mistake, not ours. The engine adds the place.
struct PrimitiveError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
// A result is larger than any value may be.
struct TooLarge : PrimitiveError {
    using PrimitiveError::PrimitiveError;
};

// Results are fixnums wherever they fit. Arithmetic throws PrimitiveError "%s is not a number" and its like, naming the
// operation as the author knows it.
namespace number {
Value add(Heap& heap, Value a, Value b);
Value sub(Heap& heap, Value a, Value b);
Value mul(Heap& heap, Value a, Value b);
Value div(Heap& heap, Value a, Value b);
Value quotient(Heap& heap, Value a, Value b);
Value remainder(Heap& heap, Value a, Value b);
Value modulo(Heap& heap, Value a, Value b);
Value floor_quotient(Heap& heap, Value a, Value b);
Value numerator_of(Heap& heap, Value v);
Value denominator_of(Heap& heap, Value v);
Value floor(Heap& heap, Value v);
Value ceiling(Heap& heap, Value v);
Value truncate(Heap& heap, Value v);
Value round(Heap& heap, Value v);        // a half goes to the even neighbour
Value integer_sqrt(Heap& heap, Value v); // the greatest integer whose square is at most v
Value bitwise_and(Heap& heap, Value a, Value b);
Value bitwise_or(Heap& heap, Value a, Value b);
Value bitwise_xor(Heap& heap, Value a, Value b);
Value bitwise_not(Heap& heap, Value v);
Value arithmetic_shift(Heap& heap, Value v, Value shift);
int compare(Value a, Value b, const char* operation); // <0, 0, >0
bool equal(Value a, Value b);                         // both are numbers; exact, so = and eqv? agree
bool is_number(Value v);
bool is_integer(Value v);
uint64_t hash(Value v);
size_t bits(Value v);            // of a number: of an integer, or of numerator and denominator together
Value copy(Heap& heap, Value v); // of a number in another heap
Value from_int64(Heap& heap, int64_t n);
std::optional<int64_t> to_int64(Value v);                          // nothing where it is no integer of that size
Value from_text(Heap& heap, std::string_view canonical);           // "-12", "22/7", any size
Value from_digits(Heap& heap, std::string_view digits, int radix); // nothing but digits, at least one
// #f-like: nothing when the text is not an exact number in that radix.
std::optional<Value> parse(Heap& heap, std::string_view text, int radix);
std::string to_text(Value v, int radix = 10);
void destroy(Object* bignum_or_rational); // called by the sweep
size_t external_bytes(const Object* bignum_or_rational);
} // namespace number

// What making a value took, in steps of an engine; 0 unless it is large.
inline uint64_t work_of(Value made) {
    if (!made.is_object()) return 0;
    const Object* o = made.as_object();
    size_t bytes = 0;
    switch (o->type) {
    case ObjectType::string: bytes = size_t{o->count} * ((o->flags & wide_flag) != 0 ? 4 : 1); break;
    case ObjectType::bytevector: bytes = o->count; break;
    case ObjectType::vector: bytes = size_t{o->count} * sizeof(Value); break;
    case ObjectType::bignum:
    case ObjectType::rational: bytes = number::external_bytes(o) * 16; break; // a product takes more than a copy
    default: break;
    }
    constexpr size_t bytes_of_step = 64, small = 64 * bytes_of_step;
    return bytes < small ? 0 : bytes / bytes_of_step;
}

} // namespace espalier
