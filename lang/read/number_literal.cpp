// Exact arithmetic on literals, by GMP, whose conversions stay below quadratic time in the number of digits.
#include "lang/read/number_literal.hpp"

#include <gmp.h>

#include <cassert>

namespace espalier {
namespace {

class Integer {
public:
    Integer() { mpz_init(value_); }
    Integer(const std::string& digits, int radix) {
        const int failed = mpz_init_set_str(value_, digits.empty() ? "0" : digits.c_str(), radix);
        assert(failed == 0 && "the reader passes digits only");
        (void)failed;
    }
    Integer(const Integer&) = delete;
    Integer& operator=(const Integer&) = delete;
    ~Integer() { mpz_clear(value_); }

    bool is_zero() const { return mpz_sgn(value_) == 0; }
    bool is_one() const { return mpz_cmp_ui(value_, 1) == 0; }
    void multiply_by_power_of_ten(unsigned long exponent) {
        Integer power;
        mpz_ui_pow_ui(power.value_, 10, exponent);
        mpz_mul(value_, value_, power.value_);
    }
    // Both divided by their greatest common divisor.
    static void reduce(Integer& a, Integer& b) {
        Integer divisor;
        mpz_gcd(divisor.value_, a.value_, b.value_);
        mpz_divexact(a.value_, a.value_, divisor.value_);
        mpz_divexact(b.value_, b.value_, divisor.value_);
    }
    std::string text() const {
        std::string digits(mpz_sizeinbase(value_, 10) + 2, '\0');
        mpz_get_str(digits.data(), 10, value_);
        digits.resize(digits.find('\0'));
        return digits;
    }

private:
    mpz_t value_;
};

} // namespace

std::optional<std::string> canonical_number(const ExactLiteral& literal) {
    Integer numerator(std::string(literal.whole).append(literal.fraction), literal.radix);
    Integer denominator(literal.denominator.empty() ? "1" : std::string(literal.denominator), literal.radix);
    if (denominator.is_zero()) return std::nullopt;
    if (numerator.is_zero()) return "0";
    const long scale = literal.exponent - static_cast<long>(literal.fraction.size());
    if (scale > 0) numerator.multiply_by_power_of_ten(static_cast<unsigned long>(scale));
    if (scale < 0) denominator.multiply_by_power_of_ten(static_cast<unsigned long>(-scale));
    Integer::reduce(numerator, denominator);
    std::string text = literal.negative ? "-" : "";
    text += numerator.text();
    if (!denominator.is_one()) text.append(1, '/').append(denominator.text());
    return text;
}

} // namespace espalier
