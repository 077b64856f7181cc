#include <doctest/doctest.h>

#include "tests/lang/values.hpp"

namespace espalier {
namespace {

using testing::Example;
using testing::fix;
using testing::fresh;
using testing::list;
using testing::sym;

TEST_CASE("what belongs to a type") {
    Example e;
    Heap& h = e.heap;
    const auto in = [&e](uint32_t type, Value v) { return belongs(e.program, TypeId{type}, v); };
    const Value big = number::from_text(h, "100000000000000000000"), half = number::from_text(h, "1/2");
    CHECK(in(Example::integer, big));
    CHECK(!in(Example::integer, half));
    CHECK(!in(Example::integer, Value::boolean(true)));
    CHECK(in(Example::seq, fix(0)));
    CHECK(in(Example::seq, fix(100)));
    CHECK(!in(Example::seq, fix(-1)));
    CHECK(!in(Example::seq, fix(101)));
    CHECK(!in(Example::seq, big));
    CHECK(in(Example::boolean, Value::boolean(false)));
    CHECK(!in(Example::boolean, fix(0)));
    CHECK(in(Example::code, fix(200)));
    CHECK(in(Example::code, sym("ok")));
    CHECK(!in(Example::code, fix(201)));
    CHECK(in(Example::text, h.string("x")));
    CHECK(!in(Example::text, sym("x")));
    const uint8_t bytes[5] = {};
    CHECK(in(Example::bytes4, h.bytevector(std::span(bytes).first(4))));
    CHECK(!in(Example::bytes4, h.bytevector(bytes)));
    CHECK(in(Example::ints3, Value::null()));
    CHECK(in(Example::ints3, list(h, {fix(1), big, fix(3)})));
    CHECK(!in(Example::ints3, list(h, {fix(1), fix(2), fix(3), fix(4)})));
    CHECK(!in(Example::ints3, list(h, {fix(1), half})));
    CHECK(!in(Example::ints3, h.cons(fix(1), fix(2))));
    CHECK(in(Example::invite, e.message(0, {h.string("x"), fix(1)})));
    CHECK(!in(Example::invite, e.message(1, {})));
    CHECK(in(Example::any_message, e.message(1, {})));
    CHECK(!in(Example::any_message, fix(1)));
    CHECK(in(Example::seq, Value::any()));
}

TEST_CASE("a fresh value belongs where every value of its type does") {
    Example e;
    const auto in = [&e](uint32_t type, uint32_t of) {
        return belongs(e.program, TypeId{type}, fresh(e.heap, TypeId{of}, 1, true));
    };
    CHECK(in(Example::seq, Example::seq));
    CHECK(in(Example::integer, Example::seq));
    CHECK(!in(Example::seq, Example::integer));
    CHECK(!in(Example::text, Example::integer));
    CHECK(!in(Example::integer, Example::code));
    CHECK(in(Example::ints3, Example::seq_list));
    CHECK(!in(Example::seq_list, Example::ints3));
    CHECK(in(Example::any_message, Example::invite));
    CHECK(!in(Example::invite, Example::any_message));
    CHECK(belongs(e.program, TypeId{Example::ints3}, list(e.heap, {fresh(e.heap, TypeId{Example::seq}, 1, true)})));
}

TEST_CASE("types as text") {
    Example e;
    const auto text = [&e](uint32_t type) { return to_text(e.program, TypeId{type}); };
    CHECK(text(Example::integer) == "int");
    CHECK(text(Example::seq) == "seq");
    CHECK(text(Example::boolean) == "bool");
    CHECK(text(Example::code) == "(enum 100 200 ok)");
    CHECK(text(Example::text) == "string");
    CHECK(text(Example::bytes4) == "(bytes 4)");
    CHECK(text(Example::ints3) == "(list-of int 3)");
    CHECK(text(Example::seq_list) == "(list-of seq 2)");
    CHECK(text(Example::invite) == "Invite");
    CHECK(text(Example::any_message) == "(one-of Invite Bye)");
    e.program.types[Example::seq].name = Symbol{};
    CHECK(text(Example::seq) == "(int 0 100)");
}

} // namespace
} // namespace espalier
