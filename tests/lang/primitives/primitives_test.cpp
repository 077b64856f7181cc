#include "lang/primitives/primitives.hpp"

#include <doctest/doctest.h>

#include "tests/lang/values.hpp"

namespace espalier {
namespace {

using testing::Example;
using testing::fix;
using testing::fresh;
using testing::list;
using testing::sym;
using testing::vec;

struct Calls : Example {
    std::string shown;

    Value value(Prim prim, std::initializer_list<Value> args) {
        PrimContext context{heap, program, &shown};
        REQUIRE((info(prim).arity < 0 || static_cast<size_t>(info(prim).arity) == args.size()));
        return concrete(prim)(context, args.begin(), static_cast<uint32_t>(args.size()));
    }
    // The result as text, or what went wrong.
    std::string operator()(Prim prim, std::initializer_list<Value> args) {
        try {
            return write(value(prim, args));
        } catch (const PrimitiveError& e) {
            return e.what();
        }
    }
    Value s(std::string_view utf8) { return heap.string(utf8); }
    Value n(std::string_view digits) { return number::from_text(heap, digits); }
    static Value c(char32_t code) { return Value::character(code); }
};

TEST_CASE("the table of primitives") {
    CHECK(info(Prim::vector_ref).name == "vector-ref");
    CHECK(info(Prim::vector).arity == -1);
    CHECK(info(Prim::vector_set).effect == Effect::write);
    for (size_t i = 0; i < prim_count; ++i) CHECK((concrete(static_cast<Prim>(i)) != nullptr));
}

TEST_CASE("kinds") {
    Calls call;
    Heap& h = call.heap;
    const Value one_of_each[] = {Value::boolean(false),
                                 sym("a"),
                                 call.c('a'),
                                 call.s("a"),
                                 h.cons(fix(1), fix(2)),
                                 Value::null(),
                                 vec(h, {}),
                                 h.bytevector({}),
                                 Value::object(h.closure(LambdaId{0}, 0)),
                                 call.value(Prim::make_hash_table, {})};
    const Prim kinds[] = {Prim::is_boolean,   Prim::is_symbol,    Prim::is_char,   Prim::is_string,
                          Prim::is_pair,      Prim::is_null,      Prim::is_vector, Prim::is_bytevector,
                          Prim::is_procedure, Prim::is_hash_table};
    for (size_t i = 0; i < std::size(one_of_each); ++i) {
        for (size_t k = 0; k < std::size(kinds); ++k) {
            CHECK(call.value(kinds[k], {one_of_each[i]}) == Value::boolean(i == k));
        }
        CHECK(call(Prim::is_number, {one_of_each[i]}) == "#f");
        CHECK(call(Prim::not_, {one_of_each[i]}) == (i == 0 ? "#t" : "#f"));
    }
    CHECK(call(Prim::is_number, {call.n("1/2")}) == "#t");
    CHECK(call(Prim::is_integer, {call.n("1/2")}) == "#f");
    CHECK(call(Prim::is_integer, {call.n("99999999999999999999")}) == "#t");
}

TEST_CASE("arithmetic, and what it says of other operands") {
    Calls call;
    CHECK(call(Prim::add, {fix(1), call.n("1/2")}) == "3/2");
    CHECK(call(Prim::div, {fix(6), fix(4)}) == "3/2");
    CHECK(call(Prim::add, {fix(1), sym("a")}) == "+: a is not a number");
    CHECK(call(Prim::add, {call.message(1, {}), fix(1)}) == "+: (Bye) is not a number");
    CHECK(call(Prim::div, {fix(1), fix(0)}) == "/: division by zero");
    CHECK(call(Prim::quotient, {fix(1), fix(0)}) == "quotient: division by zero");
    CHECK(call(Prim::modulo, {fix(1), call.n("1/2")}) == "modulo: 1/2 is not an integer");
    CHECK(call(Prim::modulo, {fix(-7), fix(2)}) == "1");
    CHECK(call(Prim::remainder, {fix(-7), fix(2)}) == "-1");
    CHECK(call(Prim::floor_quotient, {fix(-7), fix(2)}) == "-4");
    CHECK(call(Prim::lt, {fix(1), call.n("3/2")}) == "#t");
    CHECK(call(Prim::ge, {fix(1), call.s("x")}) == ">=: \"x\" is not a number");
    CHECK(call(Prim::num_eq, {call.n("2/4"), call.n("1/2")}) == "#t");
    CHECK(call(Prim::num_eq, {fix(1), sym("a")}) == "=: a is not a number");
    CHECK(call(Prim::round, {call.n("7/2")}) == "4");
    CHECK(call(Prim::numerator, {call.n("6/4")}) == "3");
    CHECK(call(Prim::isqrt, {fix(17)}) == "4");
    CHECK(call(Prim::isqrt, {fix(-1)}) == "exact-integer-sqrt: -1 is not a non-negative integer");
    CHECK(call(Prim::bitwise_and, {fix(12), fix(10)}) == "8");
    CHECK(call(Prim::arithmetic_shift, {fix(-8), fix(-1)}) == "-4");
    CHECK(call(Prim::number_to_string, {fix(255), fix(16)}) == "\"ff\"");
    CHECK(call(Prim::number_to_string, {fix(255), fix(1)}) == "number->string: 1 is not a radix from 2 to 36");
    CHECK(call(Prim::string_to_number, {call.s("1/3"), fix(10)}) == "1/3");
    CHECK(call(Prim::string_to_number, {call.s("abc"), fix(10)}) == "#f");
    CHECK(call(Prim::string_to_number, {call.s("λ"), fix(10)}) == "#f");
}

TEST_CASE("pairs, vectors, bytevectors") {
    Calls call;
    Heap& h = call.heap;
    CHECK(call(Prim::car, {h.cons(fix(1), fix(2))}) == "1");
    CHECK(call(Prim::car, {fix(5)}) == "car: 5 is not a pair");
    CHECK(call(Prim::cdr, {Value::null()}) == "cdr: () is not a pair");
    CHECK(call(Prim::vector, {fix(1), fix(2)}) == "#(1 2)");
    CHECK(call(Prim::make_vector, {fix(2), sym("a")}) == "#(a a)");
    CHECK(call(Prim::make_vector, {fix(-1), fix(0)}) == "make-vector: -1 is not a length");
    CHECK(call(Prim::make_vector, {fix(int64_t{1} << 40), fix(0)}) ==
          "make-vector: a length of 1099511627776 is too much");
    const Value v = vec(h, {fix(1), fix(2), fix(3)});
    CHECK(call(Prim::vector_length, {v}) == "3");
    CHECK(call(Prim::vector_ref, {v, fix(2)}) == "3");
    CHECK(call(Prim::vector_ref, {v, fix(5)}) == "vector-ref: index 5 is out of range for a vector of length 3");
    CHECK(call(Prim::vector_ref, {v, fix(-1)}) == "vector-ref: index -1 is out of range for a vector of length 3");
    CHECK(call(Prim::vector_ref, {v, call.n("99999999999999999999")}) ==
          "vector-ref: index 99999999999999999999 is out of range for a vector of length 3");
    CHECK(call(Prim::vector_ref, {v, sym("a")}) == "vector-ref: a is not an index");
    CHECK(call(Prim::vector_ref, {fix(1), fix(0)}) == "vector-ref: 1 is not a vector");
    call.value(Prim::vector_set, {v, fix(0), sym("x")});
    CHECK(call.write(v) == "#(x 2 3)");
    Heap literals(Heap::Lifetime::immortal);
    CHECK(call(Prim::vector_set, {vec(literals, {fix(1)}), fix(0), fix(2)}) ==
          "vector-set!: a constant of the program's text may not be changed");
    const Value b = call.value(Prim::make_bytevector, {fix(2), fix(7)});
    call.value(Prim::bytevector_set, {b, fix(1), fix(255)});
    CHECK(call.write(b) == "#u8(7 255)");
    CHECK(call(Prim::bytevector_ref, {b, fix(1)}) == "255");
    CHECK(call(Prim::bytevector_set, {b, fix(0), fix(256)}) == "bytevector-u8-set!: 256 is not a byte (0 to 255)");
    CHECK(call(Prim::bytevector_ref, {b, fix(2)}) ==
          "bytevector-u8-ref: index 2 is out of range for a bytevector of length 2");
    CHECK(call(Prim::bytevector_set, {literals.vector(0, fix(0)), fix(0), fix(0)}) ==
          "bytevector-u8-set!: #() is not a bytevector");
}

TEST_CASE("symbols and characters") {
    Calls call;
    CHECK(call(Prim::symbol_to_string, {sym("λ")}) == "\"λ\"");
    CHECK(call(Prim::string_to_symbol, {call.s("a b")}) == "|a b|");
    CHECK(call(Prim::char_to_integer, {call.c('a')}) == "97");
    CHECK(call(Prim::integer_to_char, {fix(955)}) == "#\\λ");
    CHECK(call(Prim::integer_to_char, {fix(0xD800)}) == "integer->char: 55296 is not the number of a character");
    CHECK(call(Prim::char_upcase, {call.c(U'ä')}) == "#\\Ä");
    CHECK(call(Prim::char_is_numeric, {call.c(U'\x663')}) == "#t");
    CHECK(call(Prim::digit_value, {call.c('3')}) == "3");
    CHECK(call(Prim::digit_value, {call.c('x')}) == "#f");
    CHECK(call(Prim::char_upcase, {fix(1)}) == "char-upcase: 1 is not a character");
}

TEST_CASE("strings, narrow and wide") {
    Calls call;
    CHECK(call(Prim::string_length, {call.s("häλ")}) == "3");
    CHECK(call(Prim::string_ref, {call.s("häλ"), fix(2)}) == "#\\λ");
    CHECK(call(Prim::string_ref, {call.s("abc"), fix(3)}) ==
          "string-ref: index 3 is out of range for a string of length 3");
    CHECK(call(Prim::substring, {call.s("hello"), fix(1), fix(3)}) == "\"el\"");
    CHECK(call(Prim::substring, {call.s("hello"), fix(3), fix(1)}) ==
          "substring: the range from 3 to 1 is not within a string of length 5");
    CHECK(call(Prim::substring, {call.s("hello"), fix(0), fix(6)}) ==
          "substring: the range from 0 to 6 is not within a string of length 5");
    // A part without wide characters is the same string as one made without them.
    const Value part = call.value(Prim::substring, {call.s("aλb"), fix(0), fix(1)});
    CHECK(!as_string(part).is_wide());
    CHECK(equal(part, call.s("a")));
    CHECK(call(Prim::string_append, {call.s("a"), call.s("λ")}) == "\"aλ\"");
    CHECK(call(Prim::string_append, {call.s("a"), fix(1)}) == "string-append: 1 is not a string");
    CHECK(call(Prim::string_concatenate, {list(call.heap, {call.s("a"), call.s(""), call.s("ä"), call.s("λ")})}) ==
          "\"aäλ\"");
    CHECK(call(Prim::string_concatenate, {Value::null()}) == "\"\"");
    CHECK(call(Prim::string_eq, {call.s("λ"), call.s("λ")}) == "#t");
    CHECK(call(Prim::string_eq, {call.s("λ"), sym("λ")}) == "string=?: λ is not a string");
    CHECK(call(Prim::string_lt, {call.s("ab"), call.s("b")}) == "#t");
    CHECK(call(Prim::string_lt, {call.s("a"), call.s("aλ")}) == "#t");
    CHECK(call(Prim::string_lt, {call.s("λ"), call.s("ÿ")}) == "#f");
    CHECK(call(Prim::string_lt, {call.s(""), call.s("")}) == "#f");
    CHECK(call(Prim::make_string, {fix(2), call.c(U'λ')}) == "\"λλ\"");
    CHECK(equal(call.value(Prim::make_string, {fix(0), call.c(U'λ')}), call.s("")));
    CHECK(call(Prim::make_string, {fix(int64_t{1} << 33), call.c('a')}) ==
          "make-string: a length of 8589934592 is too much");
    CHECK(call(Prim::list_to_string, {list(call.heap, {call.c('a'), call.c(U'λ')})}) == "\"aλ\"");
    CHECK(call(Prim::list_to_string, {list(call.heap, {fix(1)})}) == "list->string: 1 is not a character");
    CHECK(call(Prim::list_to_string, {fix(1)}) == "list->string: 1 is not a list");
    CHECK(call(Prim::string_upcase, {call.s("straße")}) == "\"STRASSE\"");
    CHECK(call(Prim::string_downcase, {call.s("ÄΣ")}) == "\"äς\"");
    CHECK(call(Prim::string_foldcase, {call.s("Maß")}) == "\"mass\"");
    CHECK(call(Prim::string_to_utf8, {call.s("aλ")}) == "#u8(97 206 187)");
    const uint8_t bytes[] = {97, 206, 187};
    const Value b = call.heap.bytevector(bytes);
    CHECK(call(Prim::utf8_to_string, {b, fix(0), fix(3)}) == "\"aλ\"");
    CHECK(call(Prim::utf8_to_string, {b, fix(1), fix(1)}) == "\"\"");
    CHECK(call(Prim::utf8_to_string, {b, fix(0), fix(2)}) == "utf8->string: the byte at 1 is not part of UTF-8 text");
}

TEST_CASE("hash tables") {
    Calls call;
    const Value t = call.value(Prim::make_hash_table, {});
    call.value(Prim::hash_table_set, {t, call.s("b"), fix(1)});
    call.value(Prim::hash_table_set, {t, call.s("a"), fix(2)});
    call.value(Prim::hash_table_set, {t, call.s("b"), fix(3)});
    CHECK(call(Prim::hash_table_ref, {t, call.s("b"), fix(0)}) == "3");
    CHECK(call(Prim::hash_table_ref, {t, call.s("x"), fix(0)}) == "0");
    CHECK(call(Prim::hash_table_keys, {t}) == "(\"b\" \"a\")");
    CHECK(call(Prim::hash_table_values, {t}) == "(3 2)");
    CHECK(call(Prim::hash_table_count, {t}) == "2");
    call.value(Prim::hash_table_delete, {t, call.s("b")});
    CHECK(call(Prim::hash_table_contains, {t, call.s("b")}) == "#f");
    CHECK(call(Prim::hash_table_keys, {t}) == "(\"a\")");
    call.value(Prim::hash_table_clear, {t});
    CHECK(call(Prim::hash_table_keys, {t}) == "()");
    CHECK(call(Prim::hash_table_set, {fix(1), fix(1), fix(1)}) == "hash-table-set!: 1 is not a hash table");
}

TEST_CASE("multiple values") {
    Calls call;
    const Value two = call.value(Prim::values, {fix(1), fix(2)});
    CHECK(call(Prim::values_ref, {two, fix(1), fix(2)}) == "2");
    CHECK(call(Prim::values_ref, {two, fix(0), fix(3)}) == "expected 3 values, got 2");
    CHECK(call(Prim::values_ref, {fix(7), fix(0), fix(1)}) == "7");
    CHECK(call(Prim::values_ref, {fix(7), fix(0), fix(2)}) == "expected 2 values, got 1");
    CHECK(call(Prim::values, {fix(5)}) == "5");
    CHECK(call(Prim::values_to_list, {two}) == "(1 2)");
    CHECK(call(Prim::values_to_list, {fix(5)}) == "(5)");
    CHECK(call(Prim::values_to_list, {call.value(Prim::values, {})}) == "()");
    CHECK(call(Prim::values_to_list, {call.value(Prim::list_to_values, {list(call.heap, {fix(1), fix(2)})})}) ==
          "(1 2)");
    CHECK(call(Prim::list_to_values, {list(call.heap, {fix(1)})}) == "1");
}

TEST_CASE("display and error") {
    Calls call;
    call.value(Prim::display, {call.s("a\"b")});
    call.value(Prim::display, {list(call.heap, {call.c('x'), call.s("y")})});
    CHECK(call.shown == "a\"b(x y)");
    CHECK(call(Prim::error, {call.s("no such call:"), list(call.heap, {fix(5), call.s("x")})}) ==
          "no such call: 5 \"x\"");
    CHECK(call(Prim::error, {sym("oops"), Value::null()}) == "oops");
}

TEST_CASE("fresh values may be stored, passed, written and compared, and nothing else") {
    Calls call;
    const TypeId seq{Example::seq}, text{Example::text}, boolean{Example::boolean}, code{Example::code};
    const Value a = fresh(call.heap, seq, 1, true), b = fresh(call.heap, seq, 2, false),
                c = fresh(call.heap, seq, 3, false);
    const std::string only = " is a fresh value, which may only be stored, passed, written and compared for equality";
    CHECK(call(Prim::add, {a, fix(1)}) == "+: x1" + only);
    CHECK(call(Prim::lt, {fix(1), a}) == "<: x1" + only);
    CHECK(call(Prim::vector_ref, {vec(call.heap, {fix(1)}), a}) == "vector-ref: x1" + only);
    CHECK(call(Prim::string_length, {fresh(call.heap, text, 4, true)}) == "string-length: x4" + only);
    CHECK(call(Prim::num_eq, {a, a}) == "#t");
    CHECK(call(Prim::num_eq, {a, b}) == "#f");
    CHECK(call(Prim::num_eq, {a, fix(1)}) == "#f");
    CHECK(call(Prim::num_eq, {b, c}).starts_with("whether the fresh values x2 and x3 are equal is not known"));
    CHECK(call(Prim::eq, {b, c}).starts_with("whether"));
    CHECK(call(Prim::string_eq, {fresh(call.heap, text, 4, true), call.s("x")}) == "#f");
    CHECK(call(Prim::cons, {a, b}) == "(x1 . x2)");
    CHECK(call(Prim::is_number, {a}) == "#t");
    CHECK(call(Prim::is_string, {a}) == "#f");
    CHECK(call(Prim::is_pair, {a}) == "#f");
    CHECK(call(Prim::is_symbol, {fresh(call.heap, code, 5, true)}) == "symbol?: x5" + only);
    CHECK(call(Prim::not_, {a}) == "#f");
    CHECK(call(Prim::not_, {fresh(call.heap, boolean, 6, true)}) == "not: x6" + only);
}

} // namespace
} // namespace espalier
