// Terms with other things in the place of variables: the same as if they had been built with them.
#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "symexec/terms/term.hpp"

using namespace espalier;
using namespace espalier::sym;

namespace {

struct Inputs {
    Terms terms;
    DomainId any = terms.add_domain({Sort::integer, {}, {}, {}, Value::fixnum(0)});
    std::mt19937_64 dice{17};

    Value variable(uint32_t n) { return terms.variable(n, any); }
    int64_t below(uint64_t n) { return static_cast<int64_t>(dice() % n); }
    // What stands for a variable: another one, a constant, or a sum.
    std::vector<Value> replacements(uint32_t count, uint64_t kinds) {
        std::vector<Value> all;
        for (uint32_t n = 0; n < count; ++n) {
            const Value other = variable(100 + static_cast<uint32_t>(below(count)));
            const int64_t kind = below(kinds);
            all.push_back(kind == 0   ? other
                          : kind == 1 ? Value::fixnum(below(5) - 2)
                                      : terms.add(other, Value::fixnum(below(9))));
        }
        return all;
    }
    Value replaced(Value in, const std::vector<Value>& by) {
        return terms.substitute(in, [&](Value v) { return by[terms.ordinal(v)]; });
    }
};

} // namespace

TEST_CASE("sums with variables replaced are those that addition makes") {
    Inputs inputs;
    for (int round = 0; round < 500; ++round) {
        const auto by = inputs.replacements(8, 3);
        Value sum = Value::fixnum(inputs.below(10)), expected = sum;
        for (int part = 0; part < 6; ++part) {
            const Value factor = Value::fixnum(inputs.below(7) - 3);
            const auto n = static_cast<uint32_t>(inputs.below(8));
            sum = inputs.terms.add(sum, inputs.terms.mul(factor, inputs.variable(n)));
            expected = inputs.terms.add(expected, inputs.terms.mul(factor, by[n]));
        }
        REQUIRE(inputs.replaced(sum, by) == expected);
    }
}

TEST_CASE("products with variables replaced have the same value") {
    Inputs inputs;
    for (int round = 0; round < 500; ++round) {
        const auto by = inputs.replacements(6, 3);
        Value product = inputs.variable(0);
        for (int part = 0; part < 4; ++part)
            product = inputs.terms.mul(product, inputs.variable(static_cast<uint32_t>(inputs.below(6))));
        Assignment model(106, Value::fixnum(0));
        for (uint32_t n = 100; n < 106; ++n) model[n] = Value::fixnum(inputs.below(20) - 10);
        Assignment inner(6, Value::fixnum(0));
        for (uint32_t n = 0; n < 6; ++n) inner[n] = inputs.terms.evaluate(by[n], model);
        REQUIRE(number::equal(inputs.terms.evaluate(inputs.replaced(product, by), model),
                              inputs.terms.evaluate(product, inner)));
    }
}

// One part after the other, a sum of each beginning would be made.
TEST_CASE("renaming a long sum or product makes no more terms than it has parts") {
    constexpr uint32_t length = 3000;
    for (const bool is_sum : {true, false}) {
        Inputs inputs;
        Value all = inputs.variable(0);
        for (uint32_t n = 1; n < length; ++n)
            all = is_sum ? inputs.terms.add(all, inputs.variable(n)) : inputs.terms.mul(all, inputs.variable(n));
        const size_t before = inputs.terms.size();
        const Value renamed = inputs.terms.substitute(
            all, [&](Value v) { return inputs.variable(2 * length - inputs.terms.ordinal(v)); });
        CHECK(inputs.terms.variables(renamed).size() == length);
        CHECK(inputs.terms.size() <= before + length + 1);
    }
}
