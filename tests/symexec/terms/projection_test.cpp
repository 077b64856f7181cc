#include "symexec/terms/projection.hpp"

#include <algorithm>
#include <array>
#include <random>

#include <doctest/doctest.h>

using namespace espalier;
using namespace espalier::sym;

namespace {

constexpr uint32_t live = 2, all = 4;
constexpr int64_t low = 0, high = 4;

// Random conditions over four integers, two of which are dead.
class Conditions {
public:
    Conditions(Terms& terms, uint32_t seed, const std::array<Value, all>& variables)
        : terms_(terms), dice_(seed), variables_(variables) {}

    std::vector<Value> list() {
        std::vector<Value> conditions;
        for (uint32_t n = 1 + below(5); n > 0; --n) conditions.push_back(condition());
        return conditions;
    }

private:
    uint32_t below(uint32_t n) { return static_cast<uint32_t>(dice_() % n); }
    Value constant() { return Value::fixnum(static_cast<int64_t>(below(7)) - 1); }
    Value variable() { return variables_[below(all)]; }
    Value sum() {
        const Value a = below(4) == 0 ? terms_.mul(Value::fixnum(2), variable()) : variable();
        return terms_.add(below(2) == 0 ? terms_.sub(a, variable()) : a, constant());
    }
    Value condition() {
        switch (below(6)) {
        case 0: return terms_.is_zero(sum());
        case 1:
        case 2: return terms_.negation(terms_.is_zero(sum()));
        case 3: return terms_.at_most(constant(), variable());
        case 4: return terms_.both(terms_.at_most(constant(), variable()), terms_.at_most_zero(sum()));
        default: return terms_.either(terms_.is_zero(sum()), terms_.at_most_zero(sum()));
        }
    }

    Terms& terms_;
    std::mt19937 dice_;
    std::array<Value, all> variables_;
};

bool hold(Terms& terms, const std::vector<Value>& conditions, const Assignment& values) {
    return std::all_of(conditions.begin(), conditions.end(),
                       [&](Value c) { return terms.evaluate(c, values).is_true(); });
}

// With some values of the dead ones.
bool may_hold(Terms& terms, const std::vector<Value>& conditions, Assignment& values) {
    for (int64_t a = low; a <= high; ++a)
        for (int64_t b = low; b <= high; ++b) {
            values[live] = Value::fixnum(a);
            values[live + 1] = Value::fixnum(b);
            if (hold(terms, conditions, values)) return true;
        }
    return false;
}

} // namespace

TEST_CASE("a projection says of the live inputs what the conditions say, on random conditions") {
    Terms terms;
    const DomainId domain =
        terms.add_domain({Sort::integer, Value::fixnum(low), Value::fixnum(high), {}, Value::fixnum(low)});
    std::array<Value, all> variables;
    for (uint32_t i = 0; i < all; ++i) variables[i] = terms.variable(i, domain);
    uint32_t projected = 0, rid = 0;
    for (uint32_t seed = 0; seed < 3000; ++seed) {
        CAPTURE(seed);
        const std::vector<Value> conditions = Conditions(terms, seed, variables).list();
        const std::vector<Value> result = project(terms, conditions, live);
        const auto has_dead = [&](Value c) {
            const auto in = terms.variables(c);
            return std::any_of(in.begin(), in.end(), [](uint32_t n) { return n >= live; });
        };
        const bool before = std::any_of(conditions.begin(), conditions.end(), has_dead);
        const bool after = std::any_of(result.begin(), result.end(), has_dead);
        projected += before && result != conditions ? 1 : 0;
        rid += before && !after ? 1 : 0;
        Assignment values(all);
        for (int64_t x = low; x <= high; ++x)
            for (int64_t y = low; y <= high; ++y) {
                values[0] = Value::fixnum(x);
                values[1] = Value::fixnum(y);
                const bool demanded = may_hold(terms, conditions, values);
                REQUIRE(may_hold(terms, result, values) == demanded);
            }
    }
    MESSAGE(projected << " of 3000 projected, " << rid << " without dead inputs then");
    CHECK(projected > 1000);
    CHECK(rid > 700);
}
