#include <doctest/doctest.h>
#include <gmp.h>

#include "tests/lang/values.hpp"

namespace espalier {
namespace {

using testing::fix;
using testing::Random;

// GMP itself, as the judge.
class Mpz {
public:
    Mpz() { mpz_init(z); }
    explicit Mpz(const std::string& text) { mpz_init_set_str(z, text.c_str(), 10); }
    Mpz(const Mpz& other) { mpz_init_set(z, other.z); }
    Mpz& operator=(const Mpz& other) {
        mpz_set(z, other.z);
        return *this;
    }
    ~Mpz() { mpz_clear(z); }
    std::string text() const {
        char* digits = mpz_get_str(nullptr, 10, z);
        std::string result(digits);
        std::free(digits);
        return result;
    }
    mpz_t z;
};

// Small ones, those around every power of two that matters to the representation, and long ones.
std::string random_integer(Random& random) {
    Mpz n;
    switch (random.below(4)) {
    case 0: return std::to_string(static_cast<int64_t>(random.below(41)) - 20);
    case 1: {
        static constexpr unsigned powers[] = {31, 32, 59, 60, 61, 62, 63, 64, 127, 128};
        mpz_ui_pow_ui(n.z, 2, powers[random.below(std::size(powers))]);
        Mpz offset(std::to_string(random.below(5)));
        mpz_add(n.z, n.z, offset.z);
        mpz_sub_ui(n.z, n.z, 2);
        break;
    }
    case 2: n = Mpz(std::to_string(random.below(Value::fixnum_max))); break;
    default: {
        std::string digits(1 + random.below(80), '0');
        for (char& d : digits) d = static_cast<char>('0' + random.below(10));
        n = Mpz(digits);
    }
    }
    if (random.one_in(2)) mpz_neg(n.z, n.z);
    return n.text();
}

bool is_canonical(Value v) {
    if (v.is_fixnum()) return true;
    const std::optional<int64_t> small = number::to_int64(v);
    return !small || !Value::fits_fixnum(*small);
}

TEST_CASE("integers agree with GMP") {
    for (const unsigned seed : testing::seeds(20)) {
        CAPTURE(seed);
        Random random(seed);
        Heap heap;
        for (int i = 0; i < 500; ++i) {
            const std::string x = random_integer(random), y = random_integer(random);
            CAPTURE(x);
            CAPTURE(y);
            const Mpz a(x), b(y);
            const Value v = number::from_text(heap, x), w = number::from_text(heap, y);
            REQUIRE(number::to_text(v) == x);
            REQUIRE(is_canonical(v));
            Mpz r;
            const auto agrees = [&r](Value got) {
                REQUIRE(is_canonical(got));
                REQUIRE(number::to_text(got) == r.text());
            };
            mpz_add(r.z, a.z, b.z), agrees(number::add(heap, v, w));
            mpz_sub(r.z, a.z, b.z), agrees(number::sub(heap, v, w));
            mpz_mul(r.z, a.z, b.z), agrees(number::mul(heap, v, w));
            mpz_and(r.z, a.z, b.z), agrees(number::bitwise_and(heap, v, w));
            mpz_ior(r.z, a.z, b.z), agrees(number::bitwise_or(heap, v, w));
            mpz_xor(r.z, a.z, b.z), agrees(number::bitwise_xor(heap, v, w));
            mpz_com(r.z, a.z), agrees(number::bitwise_not(heap, v));
            if (mpz_sgn(b.z) != 0) {
                mpz_tdiv_q(r.z, a.z, b.z), agrees(number::quotient(heap, v, w));
                mpz_tdiv_r(r.z, a.z, b.z), agrees(number::remainder(heap, v, w));
                mpz_fdiv_q(r.z, a.z, b.z), agrees(number::floor_quotient(heap, v, w));
                mpz_fdiv_r(r.z, a.z, b.z), agrees(number::modulo(heap, v, w));
            }
            if (mpz_sgn(a.z) >= 0) mpz_sqrt(r.z, a.z), agrees(number::integer_sqrt(heap, v));
            const auto shift = static_cast<int64_t>(random.below(140)) - 70;
            if (shift >= 0)
                mpz_mul_2exp(r.z, a.z, static_cast<mp_bitcnt_t>(shift));
            else
                mpz_fdiv_q_2exp(r.z, a.z, static_cast<mp_bitcnt_t>(-shift));
            agrees(number::arithmetic_shift(heap, v, fix(shift)));
            const int order = mpz_cmp(a.z, b.z);
            const int got = number::compare(v, w, "<");
            REQUIRE((order < 0) == (got < 0));
            REQUIRE((order > 0) == (got > 0));
            REQUIRE(number::equal(v, w) == (order == 0));
            if (order == 0) REQUIRE(number::hash(v) == number::hash(w));
            const int radix = 2 + static_cast<int>(random.below(35));
            REQUIRE(number::equal(*number::parse(heap, number::to_text(v, radix), radix), v));
        }
    }
}

TEST_CASE("rationals agree with GMP") {
    for (const unsigned seed : testing::seeds(10)) {
        CAPTURE(seed);
        Random random(seed);
        Heap heap;
        for (int i = 0; i < 300; ++i) {
            std::string x = random_integer(random), y = random_integer(random), d = random_integer(random);
            if (d == "0") d = "7";
            if (d[0] == '-') d.erase(0, 1);
            CAPTURE(x);
            CAPTURE(d);
            CAPTURE(y);
            mpq_t a, b, r;
            mpq_inits(a, b, r, nullptr);
            const std::string ratio = x.append("/").append(d);
            mpq_set_str(a, ratio.c_str(), 10);
            mpq_canonicalize(a);
            mpq_set_str(b, y.c_str(), 10);
            const auto agrees = [&r](Value got) {
                char* text = mpq_get_str(nullptr, 10, r);
                REQUIRE(number::to_text(got) == text);
                std::free(text);
                REQUIRE(is_canonical(got));
            };
            const Value v = *number::parse(heap, ratio, 10), w = number::from_text(heap, y);
            mpq_set(r, a), agrees(v);
            mpq_add(r, a, b), agrees(number::add(heap, v, w)), agrees(number::add(heap, w, v));
            mpq_sub(r, a, b), agrees(number::sub(heap, v, w));
            mpq_mul(r, a, b), agrees(number::mul(heap, v, w));
            if (mpq_sgn(b) != 0) mpq_div(r, a, b), agrees(number::div(heap, v, w));
            REQUIRE((mpq_cmp(a, b) < 0) == (number::compare(v, w, "<") < 0));
            REQUIRE((mpq_equal(a, b) != 0) == number::equal(v, w));
            mpz_fdiv_q(mpq_numref(r), mpq_numref(a), mpq_denref(a)), mpz_set_ui(mpq_denref(r), 1);
            agrees(number::floor(heap, v));
            mpz_cdiv_q(mpq_numref(r), mpq_numref(a), mpq_denref(a)), agrees(number::ceiling(heap, v));
            mpz_tdiv_q(mpq_numref(r), mpq_numref(a), mpq_denref(a)), agrees(number::truncate(heap, v));
            mpz_set(mpq_numref(r), mpq_numref(a)), agrees(number::numerator_of(heap, v));
            mpz_set(mpq_numref(r), mpq_denref(a)), agrees(number::denominator_of(heap, v));
            // Rounded: no integer is nearer, and a half goes to the even one.
            const Value rounded = number::round(heap, v), off = number::sub(heap, rounded, v);
            const Value half = number::div(heap, fix(1), fix(2));
            const Value size = number::compare(off, fix(0), "<") < 0 ? number::sub(heap, fix(0), off) : off;
            REQUIRE(number::compare(size, half, "<") <= 0);
            if (number::equal(size, half)) REQUIRE(number::remainder(heap, rounded, fix(2)) == fix(0));
            mpq_clears(a, b, r, nullptr);
        }
    }
}

TEST_CASE("round goes to even") {
    Heap heap;
    const auto rounded = [&heap](const char* text) {
        return number::to_text(number::round(heap, number::from_text(heap, text)));
    };
    CHECK(rounded("7/2") == "4");
    CHECK(rounded("5/2") == "2");
    CHECK(rounded("-5/2") == "-2");
    CHECK(rounded("-7/2") == "-4");
    CHECK(rounded("1/2") == "0");
    CHECK(rounded("-1/2") == "0");
    CHECK(rounded("8/3") == "3");
}

TEST_CASE("what string->number takes") {
    Heap heap;
    const auto parsed = [&heap](std::string_view text, int radix = 10) {
        const std::optional<Value> v = number::parse(heap, text, radix);
        return v ? number::to_text(*v) : "no";
    };
    CHECK(parsed("+5") == "5");
    CHECK(parsed("-0") == "0");
    CHECK(parsed("007") == "7");
    CHECK(parsed("6/4") == "3/2");
    CHECK(parsed("-6/3") == "-2");
    CHECK(parsed("FF", 16) == "255");
    CHECK(parsed("#xff") == "255");
    CHECK(parsed("#b-101") == "-5");
    CHECK(parsed("#e#x10") == "16");
    CHECK(parsed("#x#e10") == "16");
    CHECK(parsed("#e1.25") == "5/4");
    CHECK(parsed("#e-.5") == "-1/2");
    CHECK(parsed("#e15e2") == "1500");
    CHECK(parsed("#e1.5e-1") == "3/20");
    CHECK(parsed("1152921504606846976") == "1152921504606846976");
    CHECK(parsed("-1152921504606846976") == "-1152921504606846976");
    for (const char* text : {"",   "-",   "+",   "1/0",   "1/", "/2", "1/-2", "a",   "12a", "1.5", "1e3",  "--1",
                             "#x", "#xg", "#i5", "#b#b1", "1 ", " 1", "#e1e", "#e.", "#",   "+-1", "1_000"}) {
        CAPTURE(text);
        CHECK(parsed(text) == "no");
    }
    CHECK(parsed("8", 8) == "no");
    CHECK(parsed("#d9", 2) == "9");
}

TEST_CASE("no result is so large that it could end the process") {
    Heap heap;
    CHECK_THROWS_AS(number::arithmetic_shift(heap, fix(1), fix(int64_t{1} << 40)), TooLarge);
    const Value big = number::arithmetic_shift(heap, fix(1), fix(int64_t{1} << 23));
    CHECK_THROWS_WITH_AS(number::mul(heap, big, big), "*: the result is too large a number", TooLarge);
    CHECK(number::arithmetic_shift(heap, fix(-1), fix(-(int64_t{1} << 59))) == fix(-1));
    CHECK(number::arithmetic_shift(heap, big, number::sub(heap, fix(0), big)) == fix(0));
}

TEST_CASE("the ends of the fixnums") {
    Heap heap;
    const Value most = fix(Value::fixnum_max), least = fix(Value::fixnum_min);
    CHECK(number::to_text(number::add(heap, most, fix(1))) == "1152921504606846976");
    CHECK(number::sub(heap, number::add(heap, most, fix(1)), fix(1)) == most);
    CHECK(number::to_text(number::sub(heap, least, fix(1))) == "-1152921504606846977");
    CHECK(number::to_text(number::quotient(heap, least, fix(-1))) == "1152921504606846976");
    CHECK(number::to_text(number::div(heap, least, fix(-1))) == "1152921504606846976");
    CHECK(number::to_text(number::floor_quotient(heap, least, fix(-1))) == "1152921504606846976");
    CHECK(number::to_text(number::mul(heap, least, fix(-1))) == "1152921504606846976");
    CHECK(number::remainder(heap, least, fix(-1)) == fix(0));
    CHECK(*number::to_int64(number::from_int64(heap, INT64_MIN)) == INT64_MIN);
    CHECK(!number::to_int64(number::mul(heap, least, fix(16))));
}

} // namespace
} // namespace espalier
