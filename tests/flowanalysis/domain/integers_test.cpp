// Sets of integers against the sets they stand for: every operation on small ones contains what it must.
#include "flowanalysis/domain/integers.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace espalier::flow;

namespace {

std::vector<Integers> samples() {
    std::vector<Integers> all{Integers{}, Integers::all(), Integers::range(0, no_high), Integers::range(no_low, -1),
                              Integers::range(-50, 70)};
    for (int64_t low = -3; low <= 3; ++low)
        for (int64_t high = low; high <= 3; high += 2) all.push_back(Integers::range(low, high));
    all.push_back(join(Integers::one(-2), Integers::one(3)));
    return all;
}

constexpr int64_t far = 6; // members of unbounded sets that are tried

} // namespace

TEST_CASE("operations on sets contain the results on their members") {
    for (const Integers& a : samples())
        for (const Integers& b : samples())
            for (int64_t m = -far; m <= far; ++m)
                for (int64_t n = -far; n <= far; ++n) {
                    REQUIRE(join(a, b).contains(m) >= (a.contains(m) || b.contains(m)));
                    REQUIRE(meet(a, b).contains(m) == (a.contains(m) && b.contains(m)));
                    REQUIRE(without(a, n).contains(m) >= (a.contains(m) && m != n));
                    if (!a.contains(m) || !b.contains(n)) continue;
                    REQUIRE(add(a, b).contains(m + n));
                    REQUIRE(subtract(a, b).contains(m - n));
                    REQUIRE(multiply(a, b).contains(m * n));
                    REQUIRE(widen(a, join(a, b), {-1, 0, 1, 10}).contains(n));
                }
}

TEST_CASE("small sets stay exact, large ones become intervals") {
    CHECK(to_text(join(Integers::one(1), Integers::one(5))) == "1 5");
    CHECK(to_text(Integers::range(0, 100)) == "[0, 100]");
    CHECK(to_text(without(Integers::range(0, 100), 0)) == "[1, 100]");
    CHECK(to_text(without(Integers::range(0, 100), 50)) == "[0, 100]");
    CHECK(to_text(Integers::range(3, no_high)) == "[3, …]");
    CHECK(to_text(Integers::all()) == "int");
}

TEST_CASE("widening goes to the next threshold, then to the end") {
    const std::vector<int64_t> thresholds{0, 10, 100};
    CHECK(to_text(widen(Integers::range(0, 40), Integers::range(0, 41), thresholds)) == "[0, 100]");
    CHECK(to_text(widen(Integers::range(0, 100), Integers::range(0, 101), thresholds)) == "[0, …]");
    CHECK(to_text(widen(Integers::range(5, 60), Integers::range(4, 60), thresholds)) == "[0, 60]");
    CHECK(to_text(widen(Integers::range(0, 60), Integers::range(-1, 60), thresholds)) == "[…, 60]");
}

TEST_CASE("numbers too large for a word are past the end") {
    const Integers large = multiply(Integers::one(int64_t{1} << 59), Integers::one(4));
    CHECK(large.high() == no_high);
    CHECK(multiply(Integers::range(0, no_high), Integers::range(no_low, 0)).low() == no_low);
}
