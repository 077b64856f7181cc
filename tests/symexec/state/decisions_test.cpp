// Decisions are found by what they are about, and one that fits nothing is a bug that shows.
#include "symexec/state/decisions.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace espalier;
using namespace espalier::sym;

namespace {

Subject truth(uint32_t term) { return {.kind = Subject::Kind::truth, .of = Value::term(term)}; }
Subject value(uint32_t term) { return {.kind = Subject::Kind::value, .of = Value::term(term)}; }

} // namespace

TEST_CASE("a decision is found by its subject, in any order and as often as it is asked for") {
    Decisions made;
    made.add({truth(1), 1, 2});
    made.add({value(1), 4, 9, Value::fixnum(40)});
    made.add({{Subject::Kind::index, 3, Value::term(1)}, 2, 4});
    made.start_again();
    CHECK(made.find(truth(2)) == nullptr);
    CHECK(made.find({Subject::Kind::index, 4, Value::term(1)}) == nullptr);
    for (int i = 0; i < 2; ++i) {
        CHECK(made.find(value(1))->value == Value::fixnum(40));
        CHECK(made.find(truth(1))->way_of(2) == 1);
        CHECK(made.find({Subject::Kind::index, 3, Value::term(1)})->way_of(4) == 2);
    }
    made.finish();
    CHECK(made.empty());
}

TEST_CASE("a decision for a question with other answers is an internal error") {
    Decisions made;
    made.add({value(1), 4, 9});
    CHECK_THROWS_AS(made.find(value(1))->way_of(5), std::logic_error);
}

TEST_CASE("a decision that is not asked for again is an internal error") {
    Decisions made;
    made.add({truth(1), 0, 2});
    made.add({truth(2), 0, 2});
    made.start_again();
    made.find(truth(2));
    CHECK_THROWS_AS(made.finish(), std::logic_error);
    made.find(truth(1));
    made.start_again(); // from here on it must be asked for again
    made.find(truth(2));
    CHECK_THROWS_AS(made.finish(), std::logic_error);
    made.drop(made.find(truth(1)));
    made.find(truth(2));
    made.finish();
}
