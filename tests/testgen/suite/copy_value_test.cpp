#include <doctest/doctest.h>

#include "testgen/suite/copy_value.hpp"

using namespace espalier;

namespace {

const char* const declarations =
    "(define-message Empty) (define-message Box (n int) (s string) (l (list-of int 9)) (b (bytes 9)))"
    "(define-message Nest (box Box) (e Empty))";

struct Copying {
    Copying() : model(compile_text(declarations)) { REQUIRE(model.program); }
    Value value(const std::string& text) {
        Diagnostics diagnostics;
        Data data;
        const auto parsed = read_data(model.sources, model.sources.add("value", text), data, diagnostics);
        REQUIRE(parsed.size() == 1);
        std::string error;
        const auto v = value_from_datum(*model.program, from, data, parsed[0], {}, error);
        REQUIRE_MESSAGE(v.has_value(), error);
        return *v;
    }
    Model model;
    Heap from, to;
};

bool in_both(Value a, Value b) { return a.is_object() && b.is_object() && a.as_object() == b.as_object(); }

} // namespace

TEST_CASE("what a port carries is copied whole") {
    Copying copying;
    for (const char* text :
         {"5", "#t", "sym", "()", "123456789012345678901234567890", "-5/3", "\"\"", "\"plain\"", "\"λ𝄞\\a\"", "#u8()",
          "#u8(0 255)", "(1 (2 \"x\") ())", "(Empty)", "(Nest (Box -99999999999999999999 \"é\" (1 2) #u8(9)) (Empty))",
          "((Empty) (Box 1 \"\" () #u8()))"}) {
        const Value original = copying.value(text);
        const Value copy = copy_value(copying.to, original);
        CHECK(to_text(*copying.model.program, copy) == text);
        CHECK_FALSE(in_both(original, copy));
    }
}

TEST_CASE("deep and long values need no stack") {
    Heap from, to;
    Value deep = Value::null();
    for (int i = 0; i < 300'000; ++i) deep = from.cons(deep, Value::null());
    Value copy = copy_value(to, deep);
    int depth = 0;
    for (; is_pair(copy); copy = as_pair(copy).car) ++depth;
    CHECK(depth == 300'000);
    Value list = Value::null();
    for (int i = 0; i < 300'000; ++i) list = from.cons(Value::fixnum(i), list);
    copy = copy_value(to, list);
    int length = 0;
    for (; is_pair(copy); copy = as_pair(copy).cdr)
        length += as_pair(copy).car.as_fixnum() == 299'999 - length ? 1 : 1000;
    CHECK(length == 300'000);
}

TEST_CASE("a fresh value keeps its number, or becomes the one it is given for") {
    Heap from, to;
    auto* fresh = static_cast<Fresh*>(from.allocate(ObjectType::fresh, sizeof(Fresh), 7));
    fresh->of = TypeId{3};
    fresh->distinct_from_all = 1;
    fresh->differs_from = Value::null();
    fresh->told_apart = nullptr;
    const Value list = from.cons(Value::object(fresh), Value::null());
    const Value copy = as_pair(copy_value(to, list)).car;
    REQUIRE(is_type(copy, ObjectType::fresh));
    CHECK(copy.as_object()->count == 7);
    CHECK(static_cast<const Fresh*>(copy.as_object())->of == TypeId{3});
    CHECK(static_cast<const Fresh*>(copy.as_object())->distinct_from_all == 1);
    CHECK_FALSE(in_both(copy, Value::object(fresh)));
    const Value own = Value::fixnum(42);
    const auto given = [&](uint32_t number) { return number == 7 ? std::optional(own) : std::nullopt; };
    CHECK(as_pair(copy_value(to, list, given)).car == own);
}

TEST_CASE("what no port carries is an error of this program") {
    Heap from, to;
    CHECK_THROWS_AS(copy_value(to, from.vector(std::vector<Value>{})), std::logic_error);
}
