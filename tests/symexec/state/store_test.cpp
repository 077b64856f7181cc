// The persistent store and terms, by themselves.
#include <doctest/doctest.h>

#include <set>
#include <utility>

#include "symexec/state/store.hpp"
#include "symexec/terms/term.hpp"

using namespace espalier;
using namespace espalier::sym;

TEST_CASE("a copied store keeps its content") {
    Store a;
    a.allocate(5000, Value::fixnum(0));
    for (uint32_t i = 0; i < 5000; ++i) a.set(i, Value::fixnum(i));
    Store b = a;
    for (uint32_t i = 0; i < 5000; i += 7) b.set(i, Value::fixnum(-1));
    const uint32_t more = b.allocate(40'000, Value::null());
    CHECK(more == 5000);
    for (uint32_t i = 0; i < 5000; ++i) {
        REQUIRE(a.get(i) == Value::fixnum(i));
        REQUIRE(b.get(i) == (i % 7 == 0 ? Value::fixnum(-1) : Value::fixnum(i)));
    }
    CHECK(b.get(44'999).is_null());
    CHECK(a.size() == 5000);
}

TEST_CASE("nodes are freed") {
    const size_t before = Store::nodes_alive();
    {
        Store a;
        a.allocate(10'000, Value::null());
        Store b = a;
        b.set(77, Value::fixnum(1));
    }
    CHECK(Store::nodes_alive() == before);
}

TEST_CASE("forking costs by the height of the trie, not by the number of cells") {
    // How many nodes a fork makes, and how many its first write: the copies that the fork does not share.
    const auto made = [](uint32_t cells) {
        Store a;
        a.allocate(cells, Value::null());
        std::set<std::pair<size_t, size_t>> costs; // of a write to each cell
        for (uint32_t i = 0; i < cells; ++i) {
            const size_t before = Store::nodes_alive();
            Store b = a;
            const size_t forked = Store::nodes_alive();
            b.set(i, Value::fixnum(1));
            const size_t written = Store::nodes_alive();
            b.set(i, Value::fixnum(2)); // in place: the nodes are b's own
            REQUIRE(Store::nodes_alive() == written);
            costs.insert({forked - before, written - forked});
        }
        return costs;
    };
    using Costs = std::set<std::pair<size_t, size_t>>;
    CHECK(made(30) == Costs{{0, 1}});
    CHECK(made(100) == Costs{{0, 2}});
    CHECK(made(10'000) == Costs{{0, 3}}); // a hundred times the cells, one node more
}

TEST_CASE("terms are simplified on construction") {
    Terms t;
    const DomainId any = t.add_domain({Sort::integer, {}, {}, {}, Value::fixnum(0)});
    const Value x = t.variable(0, any), y = t.variable(1, any), one = Value::fixnum(1);
    CHECK(t.sub(t.add(x, y), y) == x);
    CHECK(t.sub(x, x) == Value::fixnum(0));
    CHECK(t.add(x, y) == t.add(y, x));
    CHECK(t.mul(x, y) == t.mul(y, x));
    CHECK(t.less(x, t.add(x, one)) == Value::boolean(true));
    CHECK(t.negation(t.negation(t.equal_integers(x, y))) == t.equal_integers(y, x));
    CHECK(t.negation(t.less(x, y)) == t.at_most(y, x));
    const Value twice = t.mul(x, Value::fixnum(2));
    CHECK(t.equal_integers(twice, Value::fixnum(5)) == Value::boolean(false));
    CHECK(t.at_most(twice, Value::fixnum(5)) == t.at_most(x, Value::fixnum(2)));
    CHECK(t.evaluate(t.add(t.mul(x, y), one), {Value::fixnum(6), Value::fixnum(7)}) == Value::fixnum(43));
}
