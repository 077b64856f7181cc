// Values as a tester writes them.
#include <doctest/doctest.h>

#include "tests/lang/running.hpp"

using namespace espalier;

namespace {

const char* const declarations =
    "(define-type seq (int 0 7)) (define-message Inner (s seq) (b bool)) (define-message Empty)"
    "(define-message Outer (i Inner) (e (enum a b 3 \"x\")) (t string) (d (bytes 2)) (l (list-of Inner 2)) "
    "(o (one-of Inner Empty)))"
    "(define-message Plain (n int)) (define-port p in Inner Outer Empty Plain) (read p)";

// The value a datum stands for, written again; or why there is none.
struct Reading {
    Reading() : model(compile_text(declarations)) { REQUIRE(model.program); }
    std::string of(const std::string& text) {
        Diagnostics diagnostics;
        Data data;
        const auto parsed = read_data(model.sources, model.sources.add("input", text), data, diagnostics);
        REQUIRE(parsed.size() == 1);
        std::string error;
        const NamedValue named = [](Symbol s) -> std::optional<Value> {
            return name_of(s) == "x1" ? std::optional(Value::fixnum(5)) : std::nullopt;
        };
        const auto value = value_from_datum(*model.program, heap, data, parsed[0], named, error);
        CHECK(value.has_value() == error.empty());
        return value ? to_text(*model.program, *value) : "! " + error;
    }
    Model model;
    Heap heap;
};

} // namespace

TEST_CASE("data that stand for themselves") {
    Reading reading;
    for (const char* text : {"1", "-5", "123456789012345678901234567890", "#t", "#f", "\"aλ\\n\"", "sym", "()",
                             "(1 2 (3 \"x\"))", "#u8(0 255)", "#\\a"})
        CHECK(reading.of(text) == text);
    CHECK(reading.of("'sym") == "sym");
    CHECK(reading.of("'(1 2)") == "(1 2)");
    CHECK(reading.of("#xff") == "255");
}

TEST_CASE("a message is the call that makes it") {
    Reading reading;
    CHECK(reading.of("(Inner 3 #t)") == "(Inner 3 #t)");
    CHECK(reading.of("(Empty)") == "(Empty)");
    const std::string outer = "(Outer (Inner 0 #f) a \"\" #u8(1 2) ((Inner 1 #t) (Inner 7 #f)) (Empty))";
    CHECK(reading.of(outer) == outer);
    CHECK(reading.of("(Outer (Inner 0 #f) 'b \"\" #u8() () (Inner 1 #t))") ==
          "(Outer (Inner 0 #f) b \"\" #u8() () (Inner 1 #t))");
    CHECK(reading.of("((Inner 3 #t) (Empty))") == "((Inner 3 #t) (Empty))");
}

TEST_CASE("a symbol in a field that cannot hold it may be the name of a fresh value") {
    Reading reading;
    CHECK(reading.of("(Plain x1)") == "(Plain 5)");
    CHECK(reading.of("(Plain x2)") == "! the field `n` of Plain is of type int, x2 is not");
}

TEST_CASE("what is no value says why") {
    Reading reading;
    CHECK(reading.of("(Inner 3)") == "! `(Inner 3)` does not have the shape (Inner s b)");
    CHECK(reading.of("(Inner 3 #t 4)") == "! `(Inner 3 #t 4)` does not have the shape (Inner s b)");
    CHECK(reading.of("(Inner 3 . #t)").substr(0, 2) == "! ");
    CHECK(reading.of("(Inner 8 #t)") == "! the field `s` of Inner is of type seq, 8 is not");
    CHECK(reading.of("(Inner 1 0)") == "! the field `b` of Inner is of type bool, 0 is not");
    CHECK(reading.of("(Outer (Inner 9 #t) a \"\" #u8() () (Empty))") ==
          "! the field `s` of Inner is of type seq, 9 is not");
    CHECK(reading.of("(Outer (Inner 1 #t) c \"\" #u8() () (Empty))").substr(0, 13) == "! the field `");
    CHECK(reading.of("(Outer (Inner 1 #t) a \"\" #u8(1 2 3) () (Empty))").substr(0, 16) == "! the field `d` ");
    CHECK(reading.of("(Outer (Inner 1 #t) a \"\" #u8() ((Inner 1 #t) (Inner 1 #t) (Inner 1 #t)) (Empty))")
              .substr(0, 16) == "! the field `l` ");
    CHECK(reading.of("(Outer (Inner 1 #t) a \"\" #u8() () (Plain 1))").substr(0, 16) == "! the field `o` ");
    CHECK(reading.of("#(1 2)") == "! `#(1 2)` is not a value that a port carries");
    CHECK(reading.of("(1 . 2)") == "! `(1 . 2)` is not a proper list");
    CHECK(reading.of(std::string(5000, '(') + std::string(5000, ')')) == "! the value is nested too deeply");
}
