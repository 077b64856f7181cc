// Exact numbers. Small integers are fixnums, handled without leaving the value word wherever the processor's
// overflow flag allows; the rest are Boost.Multiprecision numbers over GMP, which this file alone knows of.
#include <algorithm>
#include <bit>
#include <boost/multiprecision/gmp.hpp>
#include <new>

#include "lang/values/equality.hpp"
#include "lang/values/number.hpp"
#include "lang/values/print.hpp"

namespace espalier {

using Integer = boost::multiprecision::mpz_int;
using Ratio = boost::multiprecision::mpq_rational;

struct Bignum : Object {
    Integer value;
};
struct Rational : Object {
    Ratio value;
};

namespace number {
namespace {

// What even the engines' own arithmetic does not go beyond: GMP ends the process when memory runs out. A model's bound
// is far below (`most_bits_of_number`).
constexpr size_t most_bits = size_t{1} << 24;

bool is_bignum(Value v) { return is_type(v, ObjectType::bignum); }
bool is_rational(Value v) { return is_type(v, ObjectType::rational); }
const Integer& as_bignum(Value v) { return static_cast<const Bignum*>(v.as_object())->value; }
const Ratio& as_rational(Value v) { return static_cast<const Rational*>(v.as_object())->value; }
const __mpz_struct* raw(const Integer& n) { return n.backend().data(); }
__mpz_struct* raw(Integer& n) { return n.backend().data(); }

template <typename T, typename Content>
Value construct(Heap& heap, ObjectType type, Content&& content) {
    Object* memory = heap.allocate(type, sizeof(T), 0);
    const Object header = *memory;
    T* object = new (memory) T{header, std::forward<Content>(content)};
    heap.note_external(static_cast<int64_t>(external_bytes(object)));
    return Value::object(object);
}

// The canonical value of an integer.
Value make(Heap& heap, Integer&& n) {
    if (mpz_fits_slong_p(raw(n)) != 0) {
        const long small = mpz_get_si(raw(n));
        if (Value::fits_fixnum(small)) return Value::fixnum(small);
    }
    return construct<Bignum>(heap, ObjectType::bignum, std::move(n));
}

Value make(Heap& heap, Ratio&& q) {
    if (denominator(q) == 1) return make(heap, Integer(numerator(q)));
    return construct<Rational>(heap, ObjectType::rational, std::move(q));
}

[[noreturn]] void wrong(const char* operation, Value v, const char* wanted) {
    throw PrimitiveError(wrong_operand(nullptr, operation, v, wanted));
}

void need_number(const char* operation, Value v) {
    if (!is_number(v)) wrong(operation, v, "a number");
}

void need_integer(const char* operation, Value v) {
    if (!is_integer(v)) wrong(operation, v, "an integer");
}

void need_nonzero(const char* operation, Value v) {
    if (v == Value::fixnum(0)) throw PrimitiveError(std::string(operation) + ": division by zero");
}

void need_space(const char* operation, size_t bits) {
    if (bits > most_bits) throw TooLarge(std::string(operation) + ": the result is too large a number");
}

Integer to_integer(Value v) { return v.is_fixnum() ? Integer(static_cast<long>(v.as_fixnum())) : as_bignum(v); }

Ratio to_ratio(Value v) { return is_rational(v) ? as_rational(v) : Ratio(to_integer(v)); }

void need_numbers(const char* operation, Value a, Value b) {
    need_number(operation, a);
    need_number(operation, b);
}

void need_division(const char* operation, Value a, Value b) {
    need_integer(operation, a);
    need_integer(operation, b);
    need_nonzero(operation, b);
}

enum class Rounding { down, up, to_zero, to_even };

Integer rounded(const Ratio& q, Rounding rounding) {
    const auto* data = q.backend().data();
    Integer result;
    switch (rounding) {
    case Rounding::down: mpz_fdiv_q(raw(result), mpq_numref(data), mpq_denref(data)); break;
    case Rounding::up: mpz_cdiv_q(raw(result), mpq_numref(data), mpq_denref(data)); break;
    case Rounding::to_zero: mpz_tdiv_q(raw(result), mpq_numref(data), mpq_denref(data)); break;
    case Rounding::to_even: {
        const Ratio shifted = q + Ratio(1, 2);
        result = rounded(shifted, Rounding::down);
        if (denominator(shifted) == 1 && mpz_odd_p(raw(result)) != 0) --result;
        break;
    }
    }
    return result;
}

Value round_with(Heap& heap, const char* operation, Value v, Rounding rounding) {
    need_number(operation, v);
    return is_rational(v) ? make(heap, rounded(as_rational(v), rounding)) : v;
}

} // namespace

// ── Kinds
// ───────────────────────────────────────────────────────────────────────────────────────────────────────

bool is_integer(Value v) { return v.is_fixnum() || is_bignum(v); }
bool is_number(Value v) { return is_integer(v) || is_rational(v); }

size_t bits(Value v) {
    if (v.is_fixnum()) return 64;
    if (is_bignum(v)) return mpz_sizeinbase(raw(as_bignum(v)), 2);
    const Ratio& q = as_rational(v);
    return mpz_sizeinbase(mpq_numref(q.backend().data()), 2) + mpz_sizeinbase(mpq_denref(q.backend().data()), 2);
}

Value copy(Heap& heap, Value v) {
    if (is_bignum(v)) return construct<Bignum>(heap, ObjectType::bignum, Integer(as_bignum(v)));
    if (is_rational(v)) return construct<Rational>(heap, ObjectType::rational, Ratio(as_rational(v)));
    return v;
}

void destroy(Object* o) {
    if (o->type == ObjectType::bignum)
        static_cast<Bignum*>(o)->value.~Integer();
    else
        static_cast<Rational*>(o)->value.~Ratio();
}

size_t external_bytes(const Object* o) {
    if (o->type == ObjectType::bignum) {
        return static_cast<size_t>(raw(static_cast<const Bignum*>(o)->value)->_mp_alloc) * sizeof(mp_limb_t);
    }
    const auto* q = static_cast<const Rational*>(o)->value.backend().data();
    return static_cast<size_t>(mpq_numref(q)->_mp_alloc + mpq_denref(q)->_mp_alloc) * sizeof(mp_limb_t);
}

// ── Arithmetic
// ──────────────────────────────────────────────────────────────────────────────────────────────────

// Two fixnum words add as numbers; a sum beyond the word shows as overflow.
Value add(Heap& heap, Value a, Value b) {
    if (a.is_fixnum() && b.is_fixnum()) {
        int64_t sum = 0;
        if (!__builtin_add_overflow(static_cast<int64_t>(a.bits()), static_cast<int64_t>(b.bits()), &sum)) {
            return Value::from_bits(static_cast<uint64_t>(sum));
        }
        return from_int64(heap, a.as_fixnum() + b.as_fixnum());
    }
    need_numbers("+", a, b);
    if (is_rational(a) || is_rational(b)) return make(heap, Ratio(to_ratio(a) + to_ratio(b)));
    if (b.is_fixnum()) return make(heap, Integer(as_bignum(a) + static_cast<long>(b.as_fixnum())));
    if (a.is_fixnum()) return make(heap, Integer(as_bignum(b) + static_cast<long>(a.as_fixnum())));
    return make(heap, Integer(as_bignum(a) + as_bignum(b)));
}

Value sub(Heap& heap, Value a, Value b) {
    if (a.is_fixnum() && b.is_fixnum()) {
        int64_t difference = 0;
        if (!__builtin_sub_overflow(static_cast<int64_t>(a.bits()), static_cast<int64_t>(b.bits()), &difference)) {
            return Value::from_bits(static_cast<uint64_t>(difference));
        }
        return from_int64(heap, a.as_fixnum() - b.as_fixnum());
    }
    need_numbers("-", a, b);
    if (is_rational(a) || is_rational(b)) return make(heap, Ratio(to_ratio(a) - to_ratio(b)));
    if (b.is_fixnum()) return make(heap, Integer(as_bignum(a) - static_cast<long>(b.as_fixnum())));
    return make(heap, Integer(to_integer(a) - as_bignum(b)));
}

Value mul(Heap& heap, Value a, Value b) {
    if (a.is_fixnum() && b.is_fixnum()) {
        int64_t product = 0;
        if (!__builtin_mul_overflow(a.as_fixnum(), static_cast<int64_t>(b.bits()), &product)) {
            return Value::from_bits(static_cast<uint64_t>(product));
        }
        Integer result(static_cast<long>(a.as_fixnum()));
        mpz_mul_si(raw(result), raw(result), b.as_fixnum());
        return make(heap, std::move(result));
    }
    need_numbers("*", a, b);
    need_space("*", bits(a) + bits(b));
    if (is_rational(a) || is_rational(b)) return make(heap, Ratio(to_ratio(a) * to_ratio(b)));
    if (a.is_fixnum()) std::swap(a, b);
    Integer result;
    if (b.is_fixnum())
        mpz_mul_si(raw(result), raw(as_bignum(a)), b.as_fixnum());
    else
        mpz_mul(raw(result), raw(as_bignum(a)), raw(as_bignum(b)));
    return make(heap, std::move(result));
}

Value div(Heap& heap, Value a, Value b) {
    need_numbers("/", a, b);
    need_nonzero("/", b);
    if (a.is_fixnum() && b.is_fixnum() && a.as_fixnum() % b.as_fixnum() == 0) {
        return from_int64(heap, a.as_fixnum() / b.as_fixnum());
    }
    need_space("/", bits(a) + bits(b));
    return make(heap, Ratio(to_ratio(a) / to_ratio(b)));
}

int compare(Value a, Value b, const char* operation) {
    if (a.is_fixnum() && b.is_fixnum()) return (a.as_fixnum() > b.as_fixnum()) - (a.as_fixnum() < b.as_fixnum());
    need_numbers(operation, a, b);
    if (is_rational(a) || is_rational(b)) return to_ratio(a).compare(to_ratio(b));
    if (a.is_fixnum()) return as_bignum(b).sign() > 0 ? -1 : 1; // a bignum is beyond every fixnum
    if (b.is_fixnum()) return as_bignum(a).sign();
    return mpz_cmp(raw(as_bignum(a)), raw(as_bignum(b)));
}

bool equal(Value a, Value b) {
    if (a == b) return true;
    if (is_bignum(a)) return is_bignum(b) && as_bignum(a) == as_bignum(b);
    return is_rational(a) && is_rational(b) && as_rational(a) == as_rational(b);
}

// ── Division of integers
// ────────────────────────────────────────────────────────────────────────────────────────

Value quotient(Heap& heap, Value a, Value b) {
    need_division("quotient", a, b);
    if (a.is_fixnum() && b.is_fixnum()) return from_int64(heap, a.as_fixnum() / b.as_fixnum());
    return make(heap, Integer(to_integer(a) / to_integer(b)));
}

Value remainder(Heap& heap, Value a, Value b) {
    need_division("remainder", a, b);
    if (a.is_fixnum() && b.is_fixnum()) return Value::fixnum(a.as_fixnum() % b.as_fixnum());
    return make(heap, Integer(to_integer(a) % to_integer(b)));
}

Value modulo(Heap& heap, Value a, Value b) {
    need_division("modulo", a, b);
    if (a.is_fixnum() && b.is_fixnum()) {
        const int64_t r = a.as_fixnum() % b.as_fixnum();
        return Value::fixnum(r != 0 && (r < 0) != (b.as_fixnum() < 0) ? r + b.as_fixnum() : r);
    }
    Integer result;
    mpz_fdiv_r(raw(result), raw(to_integer(a)), raw(to_integer(b)));
    return make(heap, std::move(result));
}

Value floor_quotient(Heap& heap, Value a, Value b) {
    need_division("floor-quotient", a, b);
    if (a.is_fixnum() && b.is_fixnum()) {
        const int64_t q = a.as_fixnum() / b.as_fixnum();
        const int64_t r = a.as_fixnum() % b.as_fixnum();
        return from_int64(heap, r != 0 && (r < 0) != (b.as_fixnum() < 0) ? q - 1 : q);
    }
    Integer result;
    mpz_fdiv_q(raw(result), raw(to_integer(a)), raw(to_integer(b)));
    return make(heap, std::move(result));
}

// ── Rationals
// ───────────────────────────────────────────────────────────────────────────────────────────────────

Value numerator_of(Heap& heap, Value v) {
    need_number("numerator", v);
    return is_rational(v) ? make(heap, Integer(numerator(as_rational(v)))) : v;
}

Value denominator_of(Heap& heap, Value v) {
    need_number("denominator", v);
    return is_rational(v) ? make(heap, Integer(denominator(as_rational(v)))) : Value::fixnum(1);
}

Value floor(Heap& heap, Value v) { return round_with(heap, "floor", v, Rounding::down); }
Value ceiling(Heap& heap, Value v) { return round_with(heap, "ceiling", v, Rounding::up); }
Value truncate(Heap& heap, Value v) { return round_with(heap, "truncate", v, Rounding::to_zero); }
Value round(Heap& heap, Value v) { return round_with(heap, "round", v, Rounding::to_even); }

Value integer_sqrt(Heap& heap, Value v) {
    need_integer("exact-integer-sqrt", v);
    Integer n = to_integer(v);
    if (n < 0) wrong("exact-integer-sqrt", v, "a non-negative integer");
    mpz_sqrt(raw(n), raw(n));
    return make(heap, std::move(n));
}

// ── Bits, of integers in two's complement
// ───────────────────────────────────────────────────────────────────────

Value bitwise_and(Heap& heap, Value a, Value b) {
    if (a.is_fixnum() && b.is_fixnum()) return Value::from_bits(a.bits() & b.bits());
    need_integer("bitwise-and", a);
    need_integer("bitwise-and", b);
    return make(heap, Integer(to_integer(a) & to_integer(b)));
}

Value bitwise_or(Heap& heap, Value a, Value b) {
    if (a.is_fixnum() && b.is_fixnum()) return Value::from_bits(a.bits() | b.bits());
    need_integer("bitwise-or", a);
    need_integer("bitwise-or", b);
    return make(heap, Integer(to_integer(a) | to_integer(b)));
}

Value bitwise_xor(Heap& heap, Value a, Value b) {
    if (a.is_fixnum() && b.is_fixnum()) return Value::from_bits(a.bits() ^ b.bits());
    need_integer("bitwise-xor", a);
    need_integer("bitwise-xor", b);
    return make(heap, Integer(to_integer(a) ^ to_integer(b)));
}

Value bitwise_not(Heap& heap, Value v) {
    need_integer("bitwise-not", v);
    if (v.is_fixnum()) return Value::fixnum(~v.as_fixnum());
    Integer result;
    mpz_com(raw(result), raw(as_bignum(v)));
    return make(heap, std::move(result));
}

Value arithmetic_shift(Heap& heap, Value v, Value shift) {
    need_integer("arithmetic-shift", v);
    need_integer("arithmetic-shift", shift);
    if (v == Value::fixnum(0)) return v;
    const int64_t by = shift.is_fixnum()             ? shift.as_fixnum()
                       : as_bignum(shift).sign() > 0 ? Value::fixnum_max
                                                     : Value::fixnum_min;
    if (by <= 0) {
        if (v.is_fixnum()) return Value::fixnum(v.as_fixnum() >> std::min<int64_t>(-by, 63));
        Integer result;
        mpz_fdiv_q_2exp(raw(result), raw(as_bignum(v)), static_cast<mp_bitcnt_t>(-by));
        return make(heap, std::move(result));
    }
    if (int64_t small = 0;
        v.is_fixnum() && by < 60 && !__builtin_mul_overflow(v.as_fixnum(), int64_t{1} << by, &small)) {
        return from_int64(heap, small);
    }
    need_space("arithmetic-shift", bits(v) + static_cast<size_t>(by));
    Integer result;
    mpz_mul_2exp(raw(result), raw(to_integer(v)), static_cast<mp_bitcnt_t>(by));
    return make(heap, std::move(result));
}

// ── Conversions
// ─────────────────────────────────────────────────────────────────────────────────────────────────

Value from_int64(Heap& heap, int64_t n) {
    if (Value::fits_fixnum(n)) return Value::fixnum(n);
    return make(heap, Integer(static_cast<long>(n)));
}

std::optional<int64_t> to_int64(Value v) {
    if (v.is_fixnum()) return v.as_fixnum();
    if (is_bignum(v) && mpz_fits_slong_p(raw(as_bignum(v))) != 0) return mpz_get_si(raw(as_bignum(v)));
    return std::nullopt;
}

uint64_t hash(Value v) {
    if (v.is_fixnum()) return v.bits() * 0x9E3779B97F4A7C15U;
    uint64_t h = 0x51ED270B;
    const auto add_limbs = [&h](const __mpz_struct* n) {
        h = (std::rotl(h, 5) ^ static_cast<uint64_t>(mpz_sgn(n))) * 0x9E3779B97F4A7C15U;
        for (size_t i = 0; i < std::min<size_t>(mpz_size(n), 16); ++i) {
            h = (std::rotl(h, 5) ^ mpz_getlimbn(n, static_cast<mp_size_t>(i))) * 0x9E3779B97F4A7C15U;
        }
    };
    if (is_bignum(v)) {
        add_limbs(raw(as_bignum(v)));
    } else {
        add_limbs(mpq_numref(as_rational(v).backend().data()));
        add_limbs(mpq_denref(as_rational(v).backend().data()));
    }
    return h;
}

std::string to_text(Value v, int radix) {
    const auto integer_text = [radix](const __mpz_struct* n) {
        std::string text(mpz_sizeinbase(n, radix) + 2, '\0');
        mpz_get_str(text.data(), radix, n);
        text.resize(text.find('\0'));
        return text;
    };
    if (v.is_fixnum() && radix == 10) return std::to_string(v.as_fixnum());
    if (is_integer(v)) return integer_text(raw(to_integer(v)));
    const auto* q = as_rational(v).backend().data();
    return integer_text(mpq_numref(q)) + "/" + integer_text(mpq_denref(q));
}

Value from_digits(Heap& heap, std::string_view digits, int radix) {
    need_space("string->number", digits.size() * static_cast<size_t>(std::bit_width(static_cast<unsigned>(radix))));
    Integer n;
    const int bad = mpz_set_str(raw(n), std::string(digits).c_str(), radix);
    if (bad != 0) throw std::invalid_argument("not a number: " + std::string(digits));
    return make(heap, std::move(n));
}

} // namespace number
} // namespace espalier
