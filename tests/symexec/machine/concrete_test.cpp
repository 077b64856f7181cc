// Code without symbolic values: each instruction of the machine's code, and where it must leave it to the general way.
// The interpreter runs the same model: a replay shows whether both engines came to the same checkpoint.
#include <doctest/doctest.h>

#include "symexec/state/code.hpp"
#include "symexec/symexec.hpp"
#include "tests/symexec/replay.hpp"

using namespace espalier;

namespace {

struct Example {
    const char* definitions;
    const char* expression;
    const char* result; // a datum
};

const Example examples[] = {
    // Small integers that become big ones, with the constant on either side and without one.
    {"(define big 1152921504606846975)", "(+ big 1)", "1152921504606846976"},
    {"(define big 1152921504606846975)", "(+ 1 big)", "1152921504606846976"},
    {"(define big 1152921504606846975)", "(+ big big)", "2305843009213693950"},
    {"(define low -1152921504606846976)", "(- low 1)", "-1152921504606846977"},
    {"(define low -1152921504606846976)", "(- 1 low)", "1152921504606846977"},
    {"(define low -1152921504606846976)", "(- 0 low)", "1152921504606846976"},
    {"(define big 1152921504606846975)", "(list (* big 3) (* -3 big) (* big big))",
     "(3458764513820540925 -3458764513820540925 1329227995784915870597964051066650625)"},
    {"(define low -1152921504606846976) (define m -1)", "(list (quotient low -1) (quotient low m))",
     "(1152921504606846976 1152921504606846976)"},
    {"(define a -7) (define b 2)", "(list (quotient a b) (remainder a b) (modulo a b) (modulo a -2) (modulo 7 -2))",
     "(-3 -1 1 -1 -1)"},
    {"(define a 7)", "(list (quotient a 2) (remainder a 2) (modulo a 2) (modulo a 7))", "(3 1 1 0)"},
    {"(define third (/ 1 3))", "(+ third 1)", "4/3"},
    // Comparisons, as values and as conditions; the constant on either side.
    {"(define a 3)", "(list (< a 4) (< 4 a) (<= a 3) (<= 3 a) (> a 2) (> 2 a) (>= a 4) (>= 4 a) (= a 3) (= 4 a))",
     "(#t #f #t #t #t #f #f #t #t #f)"},
    {"(define a 3) (define b 4) (define (yes x) (if x 'yes 'no))",
     "(list (if (< a b) 1 2) (if (<= b a) 1 2) (if (> a b) 1 2) (if (>= b a) 1 2) (if (= a b) 1 2) (if (< 3 a) 1 2))",
     "(1 2 2 1 2 2)"},
    {"(define big 99999999999999999999)", "(list (< big 1) (if (> big 1) 'more 'less) (= big big) (if (= 5 big) 1 2))",
     "(#f more #t 2)"},
    {"(define c #\\a) (define s 'sym) (define n '())",
     "(list (eq? c #\\a) (eq? 'sym s) (eqv? s 'other) (if (eq? n '()) 1 2) (if (equal? c s) 1 2) (eq? #t #t))",
     "(#t #t #f 1 2 #t)"},
    {"(define x (list 1 2)) (define y (list 1 2))",
     "(list (eq? x x) (eq? x y) (equal? x y) (if (equal? x y) 1 2) (equal? \"ab\" (string-append \"a\" \"b\")))",
     "(#t #f #t 1 #t)"},
    // Data.
    {"", "(list (not #f) (not 0) (not '()) (null? '()) (null? 0) (pair? '(1)) (pair? '()) (pair? (vector 1)))",
     "(#t #f #f #t #f #t #f #f)"},
    {"(define v (make-vector 3 'a))",
     "(begin (vector-set! v 1 'b) (list (vector-ref v 0) (vector-ref v 1) (vector-length v) (vector-ref #(7 8) 1)))",
     "(a b 3 8)"},
    {"(define s \"aβc\")", "(list (string-length s) (char->integer (string-ref s 1)) (string-ref s 2))",
     "(3 946 #\\c)"},
    {"(define t (make-hash-table)) (define (fill n) (if (< n 100) (begin (hash-table-set! t (* n 8) n) (fill (+ n "
     "1)))))",
     "(begin (fill 0) (list (hash-table-count t) (hash-table-ref/default t 792 #f) (hash-table-ref/default t 1 "
     "'none)))",
     "(100 99 none)"},
    // Calls.
    {"(define (even n) (if (= n 0) #t (odd (- n 1)))) (define (odd n) (if (= n 0) #f (even (- n 1))))",
     "(list (even 10001) (odd 10001))", "(#f #t)"},
    {"(define (swap a b n) (if (= n 0) (list a b) (swap b a (- n 1))))", "(swap 1 2 7)", "(2 1)"},
    {"(define (sum n) (if (= n 0) 0 (+ n (sum (- n 1)))))", "(sum 5000)", "12502500"},
    {"(define (adder n) (lambda (m) (+ n m)))", "(list ((adder 1) 10) (map (adder 5) '(1 2 3)))", "(11 (6 7 8))"},
    // Two closures of one λ that call each other: what they captured differs.
    {"(define (make name) (define (go n other) (if (= n 0) (list name) (cons name (other (- n 1) go)))) go)",
     "((make 'a) 3 (make 'b))", "(a b a b)"},
    {"(define (walk k) (let loop ((i 0) (all '())) (if (= i k) all (loop (+ i 1) (cons (* i k) all)))))", "(walk 4)",
     "(12 8 4 0)"},
    {"(define (rest a . more) (list a more))", "(list (rest 1) (rest 1 2 3) (apply rest '(4 5)))",
     "((1 ()) (1 (2 3)) (4 (5)))"},
    {"(define area (case-lambda ((a) (* a a)) ((a b) (* a b))))", "(list (area 3) (area 3 4))", "(9 12)"},
    {"(define (count) (define n 0) (lambda () (set! n (+ n 1)) n)) (define c (count)) (define d (count))",
     "(begin (c) (c) (d) (list (c) (d)))", "(3 2)"},
    {"(define g 1) (define (bump) (set! g (* g 2)) g)", "(begin (bump) (bump) g)", "4"},
    // Variables that come together after a branch, while others live on.
    {"(define (mix p a b) (let* ((x (if p a b)) (y (if p b a)) (z (if (< x y) (- y x) (- x y)))) (list a b x y z)))",
     "(list (mix #t 1 5) (mix #f 1 5))", "((1 5 1 5 4) (1 5 5 1 4))"},
};

} // namespace

TEST_CASE("concrete code means what it means to the interpreter") {
    for (const Example& e : examples) {
        const std::string text = std::string(e.definitions) + "(if (equal? " + e.expression + " '" + e.result +
                                 ") (checkpoint right) (checkpoint wrong))";
        CAPTURE(text);
        const Model model = compile_text(text);
        REQUIRE(model.program);
        const Exploration found = explore(*model.program);
        for (const FoundError& error : found.errors) FAIL_CHECK(error.text);
        CHECK(found.unsupported.empty());
        CHECK(found.covered == std::vector<bool>{true, false});
        CHECK(found.statistics.states_forked == 0);
        CHECK(test::replay_all(*model.program, found) == "");
    }
}

TEST_CASE("mistakes are told with the operands in the author's order, and at their place") {
    const std::pair<const char*, const char*> mistakes[] = {
        {"(define s 'a) (+ 1 s)", "+: a is not a number"},
        {"(define s 'a) (if (< 2 s) 1 2)", "<: a is not a number"},
        {"(define s 0) (quotient 5 s)", "quotient: division by zero"},
        {"(define s 'a) (car s)", "car: a is not a pair"},
        {"(define s (vector 1)) (vector-ref s 1)", "vector-ref: index 1 is out of range for a vector of length 1"},
        {"(define s 5) (s 1 2)", "5 is not a procedure, but it is called with 2 arguments"},
        {"(define (f a) a) (define (g h) (h 1 2)) (g f)", "f is called with 2 arguments, which it does not take"},
    };
    for (const auto& mistake : mistakes) {
        CAPTURE(mistake.first);
        const Model model = compile_text(std::string(mistake.first) + "(checkpoint end)");
        REQUIRE(model.program);
        const Exploration found = explore(*model.program);
        REQUIRE(found.errors.size() == 1);
        CHECK(found.errors[0].text == mistake.second);
        CHECK(found.errors[0].label != no_label);
        CHECK(test::replay_all(*model.program, found) == "");
    }
}

TEST_CASE("variables that do not live together share a slot") {
    std::string opening, closing;
    for (int i = 0; i < 100; ++i) {
        opening += "(vector-ref (vector ";
        closing += " b) 0)";
    }
    const Model model = compile_text("(define (deep a b) " + opening + "a" + closing + ") (deep 1 2) (checkpoint end)");
    REQUIRE(model.program);
    const sym::Code code(*model.program);
    for (uint32_t l = 0; l < model.program->lambdas.size(); ++l) {
        const Lambda& lambda = model.program->lambdas[l];
        if (name_of(lambda.name) != "deep") continue;
        CHECK(lambda.variables > 100);
        CHECK(code.entry(LambdaId{l}).slots <= 5);
    }
    const Exploration found = explore(*model.program);
    CHECK(found.covered == std::vector<bool>{true});
}

// Frames are not cleared when they are made: what an earlier one left in a slot must not be followed once it was
// collected. Under AddressSanitizer a freed object cannot be read.
TEST_CASE("collections between calls whose frames are used again") {
    const Model model = compile_text(R"(
(define (numbers n) (if (= n 0) '() (cons (number->string n) (numbers (- n 1)))))
(define (total strings) (if (null? strings) 0 (+ (string-length (car strings)) (total (cdr strings)))))
(define (rounds n sum) (if (= n 0) sum (rounds (- n 1) (+ sum (total (reverse (numbers 200)))))))
(if (= (rounds 8000 0) (* 8000 492)) (checkpoint right) (checkpoint wrong))
)");
    REQUIRE(model.program);
    ExploreOptions options;
    options.quiet_step_limit = UINT64_MAX;
    const Exploration found = explore(*model.program, options);
    CHECK(found.covered == std::vector<bool>{true, false});
    CHECK(found.statistics.peak_memory_bytes > 30'000'000); // it came to a collection
    CHECK(found.statistics.peak_memory_bytes < 60'000'000);
}
