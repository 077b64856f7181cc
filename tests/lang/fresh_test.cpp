// Values that the system chooses: what may be done with them, and what is an error.
#include <doctest/doctest.h>

#include "tests/lang/running.hpp"

using namespace espalier;

namespace {

const std::string ports = "(define-message Id (id int)) (define-message Tag (s string)) (define-port in-port in Id Tag)"
                          "(define-port out-port out Id Tag)";

std::string result_of(const std::string& text) {
    Running run(ports + text);
    const Status status = run.start();
    return status == Status::finished ? run.result() : run.error();
}

// The place of the model error, and that it is one.
std::string fails_at(const std::string& text) {
    Running run(ports + text);
    const Status status = run.start();
    return status == Status::model_error ? run.error_at() : std::string("no error: ") + toString(status).c_str();
}

} // namespace

TEST_CASE("fresh values are made, stored, passed, compared for equality and written") {
    CHECK(result_of("(define x (fresh int)) (define y (fresh int)) (list (eq? x x) (eqv? x x) (equal? x x) "
                    "(equal? x y) (eq? x y))") == "(#t #t #t #f #f)");
    CHECK(result_of("(define x (fresh int)) (define h (make-hash-table)) (hash-table-set! h x 1) "
                    "(hash-table-set! h (fresh int) 2)"
                    "(list (hash-table-ref/default h x 0) (hash-table-ref/default h (fresh int) 0) "
                    "(hash-table-count h))") == "(1 0 2)");
    CHECK(
        result_of("(define x (fresh int)) (list (memv x (list 1 x)) (assv x (list (cons x 'found))))").find("found") !=
        std::string::npos);
    CHECK(result_of("(define x (fresh int)) (equal? (Id x) (Id x))") == "#t");
    CHECK(result_of("(define x (fresh int)) (equal? (list 1 x) (list 1 (fresh int)))") == "#f");
}

TEST_CASE("written ones are numbered in the order they were made") {
    Running run(ports + "(define a (fresh int)) (define b (fresh string)) (write out-port (Tag b)) (write "
                        "out-port (Id a)) (write out-port (Id a))");
    CHECK(run.start() == Status::finished);
    CHECK(run.told() == "out-port:(Tag x2); out-port:(Id x1); out-port:(Id x1)");
    CHECK(run.interpreter->fresh_value(1).has_value());
    CHECK(run.interpreter->fresh_value(2).has_value());
    CHECK_FALSE(run.interpreter->fresh_value(3).has_value());
}

TEST_CASE("against an input field: the same value, or another") {
    const std::string text =
        ports + "(define x (fresh int)) (write out-port (Id x)) (if (= (Id-id (read in-port)) x) 'same 'other)";
    Running other(text);
    CHECK(other.start() == Status::stable);
    CHECK(other.send("in-port", "(Id 77)") == Status::finished);
    CHECK(other.result() == "other");
    Running same(text);
    CHECK(same.start() == Status::stable);
    Heap& heap = same.interpreter->heap();
    Message* m = heap.message(MessageId{0}, 1);
    m->fields[0] = *same.interpreter->fresh_value(1);
    CHECK(same.interpreter->deliver(same.port_named("in-port"), Value::object(m)) == Status::finished);
    CHECK(same.result() == "same");
}

TEST_CASE("one that differs from a list only is not known to differ from others") {
    CHECK(result_of("(define x (fresh int)) (define y (fresh int (list x))) (list (equal? x y) (equal? y x))") ==
          "(#f #f)");
    CHECK(result_of("(define x (fresh int '())) (define y (fresh int (list x))) (equal? x y)") == "#f");
    CHECK(fails_at("(define x (fresh int '())) (define y (fresh int '())) (equal? x y)") == "(equal? x y)");
    CHECK(fails_at("(define x (fresh int '())) (define y (fresh int '())) (eqv? x y)") == "(eqv? x y)");
    CHECK(fails_at("(define x (fresh int '())) (define y (fresh int '())) (= x y)") == "(= x y)");
    CHECK(result_of("(define x (fresh int '())) (eq? x x)") == "#t");
}

TEST_CASE("any other use is an error at that place") {
    for (const char* use :
         {"(+ x 1)", "(< x 5)", "(- x)", "(number->string x)", "(vector-ref (vector 1 2) x)", "(even? x)"}) {
        CAPTURE(use);
        const std::string at = fails_at("(define x (fresh int)) (list " + std::string(use) + ")");
        CHECK(at == use);
    }
    for (const char* use : {"(string-length s)", "(string-append s \"a\")", "(string-ref s 0)", "(string<? s \"a\")",
                            "(string->symbol s)"}) {
        CAPTURE(use);
        CHECK(fails_at("(define s (fresh string)) (list " + std::string(use) + ")") == use);
    }
}

TEST_CASE("any is written and not compared; otherwise it is nothing") {
    Running run(ports + "(write out-port (Id (any)))");
    CHECK(run.start() == Status::finished);
    CHECK(run.told() == "out-port:(Id (any))");
    CHECK(fails_at("(define a (any)) (+ a 1)") == "(+ a 1)");
}
