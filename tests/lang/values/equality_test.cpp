#include <doctest/doctest.h>

#include "lang/values/table.hpp"
#include "tests/lang/values.hpp"

namespace espalier {
namespace {

using testing::Example;
using testing::fix;
using testing::fresh;
using testing::list;
using testing::Random;
using testing::sym;
using testing::vec;

TEST_CASE("eqv? tells objects apart, and numbers by value") {
    Heap heap;
    const Value big = number::from_text(heap, "123456789012345678901234567890");
    CHECK(eqv(big, number::from_text(heap, "123456789012345678901234567890")));
    CHECK(eqv(number::from_text(heap, "1/3"), number::from_text(heap, "2/6")));
    CHECK(!eqv(number::from_text(heap, "1/3"), fix(3)));
    CHECK(eqv(sym("a"), sym("a")));
    CHECK(!eqv(sym("a"), sym("b")));
    CHECK(!eqv(heap.string("a"), heap.string("a")));
    CHECK(!eqv(heap.cons(fix(1), fix(2)), heap.cons(fix(1), fix(2))));
    CHECK(!eqv(Value::boolean(false), Value::null()));
    CHECK(!eqv(Value::character('1'), fix(1)));
}

TEST_CASE("equal? looks into pairs, vectors, strings, bytevectors and messages, not into records and tables") {
    Example e;
    Heap& h = e.heap;
    CHECK(equal(list(h, {fix(1), h.string("x"), vec(h, {sym("a")})}),
                list(h, {fix(1), h.string("x"), vec(h, {sym("a")})})));
    CHECK(!equal(list(h, {fix(1), fix(2)}), list(h, {fix(1)})));
    CHECK(!equal(list(h, {fix(1)}), list(h, {fix(1), fix(2)})));
    CHECK(!equal(h.cons(fix(1), fix(2)), h.cons(fix(1), fix(3))));
    CHECK(!equal(vec(h, {fix(1)}), vec(h, {fix(1), fix(1)})));
    CHECK(!equal(h.string("ab"), h.string("ba")));
    CHECK(equal(h.string("λx"), h.string("λx")));
    CHECK(!equal(h.string("λ"), h.string("x")));
    CHECK(equal(h.string(""), h.string("")));
    CHECK(equal(h.bytevector({}), h.bytevector({})));
    const uint8_t bytes[] = {1, 2};
    CHECK(equal(h.bytevector(bytes), h.bytevector(bytes)));
    CHECK(!equal(h.bytevector(bytes), h.bytevector(std::span(bytes).first(1))));
    CHECK(equal(e.message(0, {h.string("b"), fix(1)}), e.message(0, {h.string("b"), fix(1)})));
    CHECK(!equal(e.message(0, {h.string("b"), fix(1)}), e.message(0, {h.string("b"), fix(2)})));
    CHECK(!equal(e.message(1, {}), e.message(0, {h.string("b"), fix(2)})));
    const Value p = e.point(fix(1), fix(2));
    CHECK(equal(p, p));
    CHECK(!equal(p, e.point(fix(1), fix(2))));
    CHECK(!equal(Value::object(make_hash_table(h)), Value::object(make_hash_table(h))));
    CHECK(!equal(list(h, {fix(1)}), vec(h, {fix(1)})));
}

TEST_CASE("neither depth, nor cycles, nor shared parts are too much") {
    Heap heap;
    const auto deep = [&heap](int levels) {
        Value v = Value::null();
        for (int i = 0; i < levels; ++i) v = i % 2 == 0 ? heap.cons(v, Value::null()) : vec(heap, {v});
        return v;
    };
    CHECK(equal(deep(1'000'000), deep(1'000'000)));
    CHECK(!equal(deep(1'000'000), deep(1'000'001)));

    const auto ring = [&heap](int length) { // a vector that holds itself, some steps on
        const Value first = vec(heap, {fix(0), Value::null()});
        Value last = first;
        for (int i = 1; i < length; ++i) last = vec(heap, {fix(0), last});
        as_vector(first).elements[1] = last;
        return first;
    };
    CHECK(equal(ring(2), ring(3)));
    const Value odd = ring(3);
    as_vector(as_vector(odd).elements[1]).elements[0] = fix(1);
    CHECK(!equal(ring(3), odd));

    const auto doubled = [&heap](int levels, bool vectors) { // 2^levels leaves
        Value v = Value::null();
        for (int i = 0; i < levels; ++i) v = vectors ? vec(heap, {v, v}) : heap.cons(v, v);
        return v;
    };
    CHECK(equal(doubled(64, true), doubled(64, true)));
    CHECK(equal(doubled(64, false), doubled(64, false)));
    CHECK(!equal(doubled(64, false), doubled(65, false)));
    (void)equal_hash(doubled(64, true));
    (void)equal_hash(ring(3));
}

Value random_value(Heap& heap, Random& random, int depth) {
    switch (random.below(depth > 0 ? 8 : 5)) {
    case 0: return fix(static_cast<int64_t>(random.below(3)));
    case 1: return number::from_text(heap, random.one_in(2) ? "1/2" : "99999999999999999999");
    case 2: return heap.string(random.one_in(2) ? "λ" : "a");
    case 3: return Value::null();
    case 4: return sym(random.one_in(2) ? "a" : "b");
    case 5: return vec(heap, {random_value(heap, random, depth - 1), random_value(heap, random, depth - 1)});
    default: {
        const Value car = random_value(heap, random, depth - 1);
        return heap.cons(car, random_value(heap, random, depth - 1));
    }
    }
}

TEST_CASE("equal? agrees with how values print, and the hash with equal?") {
    size_t equal_pairs = 0;
    for (const unsigned seed : testing::seeds(10)) {
        CAPTURE(seed);
        Random random(seed);
        Example e;
        for (int i = 0; i < 3000; ++i) {
            const int depth = static_cast<int>(random.below(4));
            const Value a = random_value(e.heap, random, depth), b = random_value(e.heap, random, depth);
            CAPTURE(e.write(a));
            CAPTURE(e.write(b));
            REQUIRE(equal(a, b) == (e.write(a) == e.write(b)));
            if (!equal(a, b)) continue;
            ++equal_pairs;
            REQUIRE(equal_hash(a) == equal_hash(b));
        }
    }
    CHECK(equal_pairs > 50);
}

TEST_CASE("fresh values are equal to themselves, differ from what they are known to differ from, and else "
          "nobody knows") {
    Heap heap;
    const TypeId any{0};
    const Value a = fresh(heap, any, 1, false), b = fresh(heap, any, 2, false), c = fresh(heap, any, 3, true);
    const Value d = fresh(heap, any, 4, false, list(heap, {a}));
    for (bool (*same)(Value, Value) : {eq, eqv, equal}) {
        CHECK(same(a, a));
        CHECK(!same(a, c));
        CHECK(!same(c, b));
        CHECK(!same(d, a));
        CHECK(!same(a, d));
        CHECK(!same(a, fix(1)));
        CHECK(!same(sym("x1"), a));
        CHECK_THROWS_AS(same(a, b), PrimitiveError);
        CHECK_THROWS_AS(same(d, b), PrimitiveError);
    }
    CHECK_THROWS_AS(equal(list(heap, {a}), list(heap, {b})), PrimitiveError);

    HashTable* table = make_hash_table(heap);
    table->set(heap, a, fix(1));
    table->set(heap, c, fix(2));
    table->set(heap, d, fix(3));
    CHECK(*table->find(a) == fix(1));
    CHECK(*table->find(c) == fix(2));
    CHECK(*table->find(d) == fix(3));
    CHECK(table->find(fix(1)) == nullptr);
    CHECK_THROWS_AS(table->find(b), PrimitiveError);
}

} // namespace
} // namespace espalier
