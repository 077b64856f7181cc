// Operations that always fail are named, each with its reason; those that may go well, or fail on purpose, are not.
#include <doctest/doctest.h>

#include "flowanalysis/flowanalysis.hpp"
#include "tests/random/shipped.hpp"

using namespace espalier;
using namespace espalier::test;

namespace {

// "1:9 text", one in each line.
std::string errors(const Model& model) {
    REQUIRE(model.program);
    FlowOptions options;
    options.certain_errors = true;
    std::string all;
    const Flow flow = analyse(*model.program, options);
    for (const CertainError& e : flow.certain_errors()) all += model.sources.place(e.at) + " " + e.text + "\n";
    return all;
}
std::string errors(const std::string& text) { return errors(compile_text(text)); }

} // namespace

TEST_CASE("certain errors: one that another call of the procedure does not make is none") {
    const std::string same = "(define (same? a b) (= a b)) ";
    CHECK(errors(same + "(same? (read string) 1)") ==
          "model.scm:1:21 `=` is always an error here: it takes a number, and is given a string\n");
    CHECK(errors(same + "(if (read bool) (same? 1 2)) (same? (read string) 1)").empty());
}

TEST_CASE("certain errors: what is given is told of all calls together") {
    CHECK(errors("(define (f a) (+ a 1)) (if (read bool) (f 'x) (f \"x\"))") ==
          "model.scm:1:15 `+` is always an error here: it takes a number, and is given a symbol or a string\n");
}

TEST_CASE("certain errors: a global before its definition") {
    CHECK(errors("(write later) (define later (read))") ==
          "model.scm:1:8 `later` is used here before its definition has run\n");
    CHECK(errors("(define (f) (g)) (define (g) later) (f) (define later (read)) (write later)") ==
          "model.scm:1:30 `later` is used here before its definition has run\n");
    // Called again later; by another thread, which may run later; or where it stands in a procedure.
    CHECK(errors("(define (f) later) (if (read bool) (f)) (define later (read)) (f)").empty());
    CHECK(errors("(define (f) later) (spawn (f)) (define later (read))").empty());
    CHECK(errors("(define (f) later) (define later (read)) (f)").empty());
    CHECK(errors("(define later #f) (define (f) later) (f) (set! later 2)").empty());
}

TEST_CASE("certain errors: procedures of the language fail for what they are given, not for what they call") {
    CHECK(errors("(write (length (read)))") ==
          "model.scm:1:8 `length` is always an error here: it is given an integer\n");
    CHECK(errors("(define (serve) (read) (serve)) (for-each (lambda (x) (serve)) '(1))").empty());
    CHECK(errors("(for-each (lambda (x) (error \"no\" x)) '(1))").empty());
    CHECK(errors("(map (lambda (x) (assert #f)) '(1))").empty());
}

TEST_CASE("certain errors: constants do not change, and what may be something else does") {
    CHECK(errors("(define v '#(1)) (vector-set! v 0 1)").find("may not be changed") != std::string::npos);
    CHECK(errors("(define v (if (read bool) '#(1) (vector 1))) (vector-set! v 0 1)").empty());
    CHECK(errors("(define b (read (bytes 3))) (if (> (bytevector-length b) 0) (bytevector-u8-set! b 0 1))").empty());
}

TEST_CASE("certain errors: delays") {
    CHECK(errors("(select ((after 0) 1))") == "model.scm:1:10 this is always an error: a delay must be positive\n");
    CHECK(errors("(define-timer t) (start t (fresh int))").find("whole time units") != std::string::npos);
    CHECK(errors("(define-timer t) (start t (read)) (select ((after (read (int 0 9))) 1))").empty());
    CHECK(errors("(define-timer t) (start t (expt 10 30))").empty());
}

TEST_CASE("what fails on every run is both a target of the oracle and a certain error") {
    const auto found = [](const std::string& text) { // how many targets, and how many errors
        const Model model = compile_text(text);
        REQUIRE(model.program);
        FlowOptions options;
        options.certain_errors = true;
        const Flow flow = analyse(*model.program, options);
        CHECK(analyse(*model.program).failing().size() == flow.failing().size());
        return std::to_string(flow.failing().size()) + " " + std::to_string(flow.certain_errors().size());
    };
    for (const std::string text :
         {"(write (+ 1 'x))", "((read))", "(define (f x) x) ((if (read bool) f f))", "(vector-set! '#(1) 0 1)",
          "(select ((after 0) 1))", "(write (quotient 1 0))", "(define-channel c) (send (read) 1)",
          "(define-timer t) (start t -1)",
          "(define-message M (x (int 0 9))) (define-port p out M) (define v (read string)) (write (M v) p)"}) {
        CAPTURE(text);
        CHECK(found(text) == "1 1");
    }
    // The text asks for these ends, or they may go well.
    for (const std::string text :
         {"(error \"no\")", "(assert #f)", "(assume #f)", "(write (quotient 9 (read)))", "(read)"}) {
        CAPTURE(text);
        CHECK(found(text) == "0 0");
    }
    // Of one of two variants it is no certain error, but a run of that variant fails.
    CHECK(found("(define (f x) (+ x 1)) (if (read bool) (f 1) (f 'x))") == "1 0");
    // The language's own code asks for this end; and no operand is wrong where a global has no value yet.
    CHECK(found("(length (read))") == "0 1");
    CHECK(found("(write later) (define later (read))") == "0 1");
}

TEST_CASE("certain errors: none in the models that come with the program") {
    int models = 0;
    for (const std::string& path : shipped_models()) {
        const Model model = load_model(path);
        if (!model.program) continue; // a part of another model
        CAPTURE(path);
        CHECK(errors(model).empty());
        ++models;
    }
    CHECK(models >= 10);
}
