// Conditions on data in the author's words.
#include <doctest/doctest.h>

#include "symexec/learn/words.hpp"

using namespace espalier;
using namespace espalier::sym;

TEST_CASE("conditions are told in the author's words") {
    Terms terms;
    const DomainId integers = terms.add_domain({Sort::integer, {}, {}, {}, Value::fixnum(0)});
    const DomainId booleans = terms.add_domain({Sort::boolean, {}, {}, {}, Value::boolean(false)});
    const DomainId symbols = terms.add_domain({Sort::symbol, {}, {}, {}, Value::symbol(intern("red"))});
    const Value tries = terms.variable(0, integers), most = terms.variable(1, integers);
    const Value open = terms.variable(2, booleans), lamp = terms.variable(3, symbols);
    const std::vector<std::string> names{"`tries`", "`most`", "`open`", "`lamp`"};
    const auto said = [&](const std::vector<Value>& conditions) { return in_words(terms, conditions, names); };
    const auto number = [](int64_t n) { return Value::fixnum(n); };
    CHECK(said({}) == "");
    CHECK(said({terms.at_most(tries, number(2))}) == "`tries` is at most 2");
    CHECK(said({terms.negation(terms.at_most(tries, number(2)))}) == "`tries` is at least 3");
    CHECK(said({terms.less(number(4), tries)}) == "`tries` is at least 5");
    CHECK(said({terms.at_most(tries, terms.add(most, number(1)))}) == "`tries` is at most `most` + 1");
    CHECK(said({terms.equal_integers(tries, number(7))}) == "`tries` is 7");
    CHECK(said({terms.negation(terms.equal_integers(tries, most))}) == "`tries` is not `most`");
    CHECK(said({open}) == "`open` is true");
    CHECK(said({terms.negation(open), terms.same(lamp, Value::symbol(intern("green")))}) ==
          "`open` is false and `lamp` is `green`");
    CHECK(said({terms.either(open, terms.at_most(tries, number(0)))}) == "`open` is true or `tries` is at most 0");
}
