// Bit operations on two inputs: terms against numbers, and the solver's answers about them against trying all values.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>

#include "symexec/solver/path_facts.hpp"
#include "symexec/solver/solver.hpp"
#include "symexec/terms/bounds.hpp"
#include "tests/random/scale.hpp"
#include "tests/symexec/finding.hpp"

using namespace espalier;
using namespace espalier::sym;
using namespace espalier::test;

namespace {

constexpr Op bitwise[] = {Op::bitwise_and, Op::bitwise_or, Op::bitwise_xor};
constexpr uint32_t resources = 2'000'000;

// An expression on variables, as a term and as what it is worth: computed beside each other, one step at a time.
struct Both {
    Value term, value;
};

class RandomBits {
public:
    RandomBits(Terms& terms, uint64_t seed) : terms_(terms), random_(seed) {}
    uint32_t pick(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

    Value power(int64_t n) { return number::arithmetic_shift(terms_.heap(), Value::fixnum(1), Value::fixnum(n)); }
    // Within ±2^bits.
    Value integer(uint32_t bits) {
        Value v = Value::fixnum(0);
        for (uint32_t i = 0; i < bits; ++i)
            v = number::add(terms_.heap(), number::mul(terms_.heap(), v, Value::fixnum(2)), Value::fixnum(pick(2)));
        return pick(2) == 0 ? v : number::sub(terms_.heap(), Value::fixnum(-1), v);
    }
    Value variable(uint32_t ordinal, Value low, Value high) {
        return terms_.variable(ordinal, terms_.add_domain({Sort::integer, low, high, {}, low}));
    }
    // Of these leaves, each as often as it likes.
    Both expression(const std::vector<Both>& leaves, uint32_t bits, int depth) {
        if (depth == 0 || pick(8) == 0) {
            if (pick(4) != 0) return leaves[pick(static_cast<uint32_t>(leaves.size()))];
            const Value constant = integer(pick(bits + 1));
            return {constant, constant};
        }
        const Both a = expression(leaves, bits, depth - 1), b = expression(leaves, bits, depth - 1);
        Heap& heap = terms_.heap();
        switch (pick(8)) {
        case 0: return {terms_.add(a.term, b.term), number::add(heap, a.value, b.value)};
        case 1: return {terms_.sub(Value::fixnum(-1), a.term), number::bitwise_not(heap, a.value)};
        case 2:
            return {terms_.floor_quotient(a.term, Value::fixnum(4)),
                    number::floor_quotient(heap, a.value, Value::fixnum(4))};
        case 3: return {terms_.quotient(a.term, Value::fixnum(-3)), number::quotient(heap, a.value, Value::fixnum(-3))};
        default: {
            const Op op = bitwise[pick(3)];
            return {terms_.bitwise(op, a.term, b.term),
                    op == Op::bitwise_and  ? number::bitwise_and(heap, a.value, b.value)
                    : op == Op::bitwise_or ? number::bitwise_or(heap, a.value, b.value)
                                           : number::bitwise_xor(heap, a.value, b.value)};
        }
        }
    }

private:
    Terms& terms_;
    std::mt19937_64 random_;
};

uint64_t first_seed() { return std::random_device{}(); }

Verdict asked(Solver& solver, Terms& terms, const std::vector<Value>& path, Value condition) {
    if (!condition.is_term()) return condition.is_true() ? Verdict::sat : Verdict::unsat;
    const Answer a = solver.ask({path, condition, nullptr});
    if (a.verdict == Verdict::sat) {
        CHECK(terms.evaluate(condition, a.model).is_true());
        for (Value c : path) CHECK(terms.evaluate(c, a.model).is_true());
    }
    return a.verdict;
}

} // namespace

TEST_CASE("terms of bit operations are worth what numbers say, and lie within their bounds") {
    const uint64_t seed = first_seed();
    CAPTURE(seed);
    Terms terms;
    RandomBits random(terms, seed);
    for (uint32_t i = 0; i < scaled(3000); ++i) {
        const uint32_t bits = random.pick(5) == 0 ? 100 : 1 + random.pick(34);
        const bool natural = random.pick(2) == 0;
        const Value high = number::sub(terms.heap(), random.power(bits), Value::fixnum(1));
        const Value low = natural ? Value::fixnum(0) : number::sub(terms.heap(), Value::fixnum(-1), high);
        std::vector<Both> leaves;
        std::vector<Value> path;
        Assignment model;
        for (uint32_t n = 0; n < 3; ++n) {
            Value value = random.integer(bits);
            if (natural && number::compare(value, Value::fixnum(0), "<") < 0)
                value = number::bitwise_not(terms.heap(), value);
            leaves.push_back({random.variable(n, low, high), value});
            model.push_back(terms.constant(value));
            path.push_back(terms.domain_condition(leaves.back().term));
        }
        const Both e = random.expression(leaves, bits, 4);
        const std::string text = terms.to_text(e.term);
        CAPTURE(text);
        CHECK(number::equal(terms.evaluate(e.term, model), e.value));
        // Put in, one variable after the other, as where a path knows it.
        Value known = e.term;
        for (const Both& leaf : leaves)
            known = terms.substitute(known, [&](Value v) { return v == leaf.term ? leaf.value : v; });
        REQUIRE(!known.is_term());
        CHECK(number::equal(known, e.value));
        PathFacts facts(terms);
        facts.follow(path);
        const Range range = facts.range(e.term);
        if (range.low) CHECK(number::compare(Value::fixnum(*range.low), e.value, "<=") <= 0);
        if (range.high) CHECK(number::compare(e.value, Value::fixnum(*range.high), "<=") <= 0);
        PathBounds bounds(terms, path);
        const Bounds b = bounds.of(e.term);
        REQUIRE(b.are_both());
        CHECK(number::compare(*b.low, e.value, "<=") <= 0);
        CHECK(number::compare(e.value, *b.high, "<=") <= 0);
    }
}

TEST_CASE("what undoes itself is the input at once") {
    Terms terms;
    RandomBits random(terms, 1);
    const Value a = random.variable(0, Value::fixnum(0), Value::fixnum(65535));
    const Value b = random.variable(1, Value::fixnum(0), Value::fixnum(65535));
    const auto exclusive_or = [&](Value x, Value y) { return terms.bitwise(Op::bitwise_xor, x, y); };
    CHECK(exclusive_or(exclusive_or(a, b), b) == a);
    CHECK(exclusive_or(b, exclusive_or(a, b)) == a);
    CHECK(exclusive_or(exclusive_or(exclusive_or(a, Value::fixnum(5)), b), exclusive_or(Value::fixnum(5), b)) == a);
    CHECK(exclusive_or(a, a) == Value::fixnum(0));
    const Value neither = terms.sub(Value::fixnum(-1), exclusive_or(a, b));
    CHECK(exclusive_or(neither, b) == terms.sub(Value::fixnum(-1), a));
    CHECK(exclusive_or(Value::fixnum(-1), exclusive_or(a, b)) == neither);
    for (const Op op : {Op::bitwise_and, Op::bitwise_or}) {
        CHECK(terms.bitwise(op, a, a) == a);
        CHECK(terms.bitwise(op, terms.bitwise(op, b, a), b) == terms.bitwise(op, a, b));
    }
    CHECK(terms.bitwise(Op::bitwise_and, a, Value::fixnum(0)) == Value::fixnum(0));
    CHECK(terms.bitwise(Op::bitwise_and, a, Value::fixnum(-1)) == a);
    CHECK(terms.bitwise(Op::bitwise_or, a, Value::fixnum(-1)) == Value::fixnum(-1));
    CHECK(terms.bitwise(Op::bitwise_or, a, Value::fixnum(0)) == a);
    CHECK(terms.to_text(exclusive_or(b, exclusive_or(Value::fixnum(3), a))) == "(bitwise-xor 3 x0 x1)");
}

TEST_CASE("questions about bits are answered as by trying all values") {
    const uint64_t seed = first_seed();
    CAPTURE(seed);
    Terms terms;
    RandomBits random(terms, seed);
    SolverStatistics statistics;
    const auto plain = make_z3(terms, resources, false, statistics);
    const auto chain = make_chain({}, terms, resources, statistics);
    const Value x = random.variable(0, Value::fixnum(0), Value::fixnum(7));
    const Value y = random.variable(1, Value::fixnum(-4), Value::fixnum(3));
    const std::vector<Value> path{terms.domain_condition(x), terms.domain_condition(y)};
    int sat = 0, unsat = 0;
    for (uint32_t i = 0; i < scaled(400); ++i) {
        const std::vector<Both> leaves{{x, Value::fixnum(0)}, {y, Value::fixnum(0)}};
        const Value left = random.expression(leaves, 4, 3).term, right = random.expression(leaves, 4, 2).term;
        const uint32_t relation = random.pick(3);
        const Value condition = relation == 0 ? terms.equal_integers(left, right)
                                : relation == 1
                                    ? terms.less(left, right)
                                    : terms.both(terms.negation(terms.equal_integers(left, right)),
                                                 terms.at_most(right, terms.bitwise(Op::bitwise_and, x, y)));
        bool can = false;
        for (int64_t m = 0; m <= 7 && !can; ++m)
            for (int64_t n = -4; n <= 3 && !can; ++n)
                can = terms.evaluate(condition, {Value::fixnum(m), Value::fixnum(n)}).is_true();
        const std::string text = condition.is_term() ? terms.to_text(condition) : "";
        CAPTURE(text);
        CHECK(asked(*plain, terms, path, condition) == (can ? Verdict::sat : Verdict::unsat));
        CHECK(asked(*chain, terms, path, condition) == (can ? Verdict::sat : Verdict::unsat));
        ++(can ? sat : unsat);
    }
    if (sanitized) return; // of few questions there is nothing to count
    CHECK(sat > 10);
    CHECK(unsat > 10);
}

TEST_CASE("wide fields: what values have is found again, and what no values have is not") {
    const uint64_t seed = first_seed();
    CAPTURE(seed);
    Terms terms;
    RandomBits random(terms, seed);
    SolverStatistics statistics;
    const auto solver = make_z3(terms, resources, false, statistics);
    for (uint32_t i = 0; i < scaled(60); ++i) {
        const uint32_t bits = std::array{16U, 32U, 64U, 128U}[i % 4];
        const Value high = number::sub(terms.heap(), random.power(bits), Value::fixnum(1));
        const Value low = random.pick(3) == 0 ? number::bitwise_not(terms.heap(), high) : Value::fixnum(0);
        std::vector<Both> leaves;
        std::vector<Value> path;
        for (uint32_t n = 0; n < 3; ++n) {
            Value value = random.integer(bits);
            if (number::compare(value, low, "<") < 0) value = number::bitwise_not(terms.heap(), value);
            leaves.push_back({random.variable(n, low, high), value});
            path.push_back(terms.domain_condition(leaves.back().term));
        }
        // What two expressions are worth, and their order with the first input.
        Value all = Value::boolean(true);
        for (int n = 0; n < 2; ++n) {
            const Both e = random.expression(leaves, bits, 2);
            all = terms.both(all, terms.equal_integers(e.term, e.value));
        }
        const Both e = random.expression(leaves, bits, 2);
        all =
            terms.both(all, number::compare(e.value, leaves[0].value, "<") < 0 ? terms.less(e.term, leaves[0].term)
                                                                               : terms.at_most(leaves[0].term, e.term));
        const std::string text = all.is_term() ? terms.to_text(all) : "";
        CAPTURE(text);
        CHECK(asked(*solver, terms, path, all) == Verdict::sat);
        const Value a = leaves[0].term, b = leaves[1].term;
        const Value both = terms.bitwise(Op::bitwise_and, a, b), any = terms.bitwise(Op::bitwise_or, a, b),
                    one = terms.bitwise(Op::bitwise_xor, a, b);
        CHECK(asked(*solver, terms, path, terms.less(any, both)) ==
              (low == Value::fixnum(0) ? Verdict::unsat : Verdict::sat));
        CHECK(asked(*solver, terms, path,
                    terms.negation(terms.equal_integers(terms.add(both, any), terms.add(a, b)))) == Verdict::unsat);
        CHECK(asked(*solver, terms, path, terms.negation(terms.equal_integers(terms.add(both, one), any))) ==
              Verdict::unsat);
    }
    CHECK(statistics.sat_unknown == 0);
}

TEST_CASE("bits beside what is not bounded, and beside strings") {
    Terms terms;
    RandomBits random(terms, 1);
    SolverStatistics statistics;
    const auto solver = make_z3(terms, resources, false, statistics);
    const Value a = random.variable(0, Value::fixnum(0), Value::fixnum(65535));
    const Value b = random.variable(1, Value::fixnum(0), Value::fixnum(65535));
    const Value n = terms.variable(2, terms.add_domain({Sort::integer, {}, {}, {}, Value::fixnum(0)}));
    const Value s =
        terms.variable(3, terms.add_domain({Sort::string, {}, {}, {}, terms.constant(terms.heap().string(""))}));
    const Value both = terms.bitwise(Op::bitwise_and, a, b);
    std::vector<Value> path{terms.domain_condition(a), terms.domain_condition(b)};
    const auto with = [&](std::initializer_list<Value> more, Value condition) {
        std::vector<Value> longer = path;
        longer.insert(longer.end(), more.begin(), more.end());
        return asked(*solver, terms, longer, condition);
    };
    const Value large = random.power(90);
    CHECK(with({terms.less(both, n)}, terms.equal_integers(both, Value::fixnum(4660))) == Verdict::sat);
    CHECK(with({terms.less(both, n)}, terms.less(large, n)) == Verdict::sat);
    CHECK(with({terms.less(both, n)}, terms.less(a, both)) == Verdict::unsat);
    CHECK(with({terms.equal_integers(both, n)}, terms.less(a, n)) == Verdict::unsat);
    CHECK(with({terms.equal_integers(both, n)}, terms.less(n, Value::fixnum(0))) == Verdict::unsat);
    CHECK(with({terms.less(n, both), terms.less(both, n)}, terms.less(a, n)) == Verdict::unsat);
    CHECK(with({terms.equal_integers(terms.length(s), both)}, terms.less(Value::fixnum(70), both)) == Verdict::sat);
    CHECK(with({terms.equal_integers(terms.length(s), both)}, terms.less(a, both)) == Verdict::unsat);
    CHECK(with({terms.either(terms.same(s, terms.constant(terms.heap().string("x"))), terms.is_zero(both))},
               terms.equal_integers(both, Value::fixnum(3))) == Verdict::sat);
}

TEST_CASE("models with bits of two fields, validated") {
    const std::string fields = "(define a (read (int 0 65535))) (define b (read (int 0 65535)))";
    CHECK(find_validated(fields + R"(
(cond ((= (bitwise-xor a b) 4660) (checkpoint xor))
      ((= (bitwise-and a b) 255) (checkpoint and))
      ((> (bitwise-and a b) a) (checkpoint never))
      ((not (= (bitwise-xor (bitwise-xor a b) b) a)) (checkpoint never-either)))
(let ((c (bitwise-xor (bitwise-xor (bitwise-xor a 99) (bitwise-and b a)) (bitwise-and a b))))
  (cond ((= c 77) (checkpoint nested)) ((> c 65535) (checkpoint too-much))))
(let* ((sum (+ a b)) (folded (+ (bitwise-and sum 65535) (arithmetic-shift sum -16))))
  (if (and (> a 65000) (= (bitwise-xor folded (bitwise-or a 1)) 4096)) (checkpoint folded))))")
              .covered == Names{"xor", "and", "nested", "folded"});
    CHECK(find_validated(R"(
(define a (read (int -100000 100000)))
(define b (read (int 0 18446744073709551615)))
(cond ((= (bitwise-and a b) 18446744073709551614) (checkpoint negative))
      ((= (bitwise-or a b) -5) (checkpoint or))
      ((< (bitwise-or a b) a) (checkpoint never))
      ((< (bitwise-xor a b) -18446744073709451617) (checkpoint xor))))")
              .covered == Names{"negative", "or", "xor"});
    CHECK(find_validated(R"(
(define n (read int))
(define m (read int))
(assume (< 1000 n 70000))
(assume (<= n m (* 2 n)))
(if (= (bitwise-and n m) 1024) (checkpoint bounded-by-the-path)))")
              .covered == Names{"bounded-by-the-path"});
}
