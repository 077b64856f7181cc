// Macros: patterns, templates, hygiene. Where R7RS gives an example, it is here (section 4.3.2).
#include <doctest/doctest.h>

#include "tests/lang/running.hpp"

using namespace espalier;

namespace {

std::string result_of(const std::string& text) {
    Running run(text);
    const Status status = run.start();
    return status == Status::finished ? run.result() : run.error();
}

// What (m …) gives, with m defined by these rules, literals first: rules("(=>) ((_ a => b) '(b a))").
std::string use(const std::string& rules, const std::string& expression) {
    return result_of("(define-syntax m (syntax-rules " + rules + ")) " + expression);
}

// The first error: the text it points at, then what it says.
std::string failure(const std::string& text) {
    const Model model = compile_text(text);
    for (const Diagnostic& d : model.diagnostics.all())
        if (d.severity == Severity::error) return std::string(model.sources.text(d.span)) + " | " + d.text;
    return "none";
}

} // namespace

TEST_CASE("patterns match lists, dotted tails, vectors, literals and data") {
    CHECK(use("() ((_ a) '(one a)) ((_ a b) '(two a b)) ((_ a b . c) '(more a b c))",
              "(list (m 1) (m 1 2) (m 1 2 3 4) (m 1 2 . 3))") == "((one 1) (two 1 2) (more 1 2 (3 4)) (more 1 2 3))");
    CHECK(use("() ((_ #(a b ...)) '(a (b ...))) ((_ a) 'other)", "(list (m #(1 2 3)) (m #(1)) (m #()) (m (1 2)))") ==
          "((1 (2 3)) (1 ()) other other)");
    CHECK(use("(=> else) ((_ a => b) '(arrow a b)) ((_ else a) '(else a)) ((_ a b c) '(none a b c)) ((_ . r) "
              "'r)",
              "(list (m 1 => 2) (m else 3) (m 1 2 3) (m 1 2))") == "((arrow 1 2) (else 3) (none 1 2 3) (1 2))");
    CHECK(use("() ((_ 1) 'one) ((_ \"s\") 'string) ((_ #\\a) 'char) ((_ #t) 'true) ((_ ()) 'null) ((_ (1 . "
              "2)) 'pair) ((_ x) 'else)",
              "(list (m 1) (m \"s\") (m #\\a) (m #t) (m ()) (m (1 . 2)) (m 2))") ==
          "(one string char true null pair else)");
    CHECK(use("() ((_ _ x _) 'x)", "(m 1 2 3)") == "2");
}

TEST_CASE("ellipses repeat, nest, and may be followed by more") {
    CHECK(use("() ((_ (a b ...) ...) '((b ... a) ...))", "(m (1 2 3) (4) (5 6))") == "((2 3 1) (4) (6 5))");
    CHECK(use("() ((_ a ... z) '(z a ...))", "(list (m 1) (m 1 2 3))") == "((1) (3 1 2))");
    CHECK(use("() ((_ a ... y z . r) '(y z r a ...))", "(list (m 1 2) (m 1 2 3 . 4))") == "((1 2 ()) (2 3 4 1))");
    CHECK(use("() ((_ (a ...) ...) '(a ... ...))", "(m (1 2) () (3))") == "(1 2 3)");
    CHECK(use("() ((_ x (a ...) ...) '((x a ...) ...))", "(m 0 (1 2) () (3))") == "((0 1 2) (0) (0 3))");
    CHECK(use("() ((_ #(a ... z) ...) '(#(z a ...) ...))", "(m #(1 2 3) #(4))") == "(#(3 1 2) #(4))");
    CHECK(use("() ((_ (a b) ...) '((a ...) (b ...)))", "(m)") == "(() ())");
    CHECK(use("() ((_ ((a ...) ...) ...) '(((a ... end) ...) ...))", "(m ((1 2) ()) () ((3)))") ==
          "(((1 2 end) (end)) () ((3 end)))");
}

TEST_CASE("an escaped or renamed ellipsis is a plain name") {
    CHECK(use("() ((_ a) '(a (... ...)))", "(m 1)") == "(1 ...)");
    CHECK(use("() ((_ a b) '((... (a ...)) b))", "(m 1 2)") == "((1 ...) 2)");
    CHECK(use("::: () ((_ a :::) '(a ::: ...))", "(m 1 2)") == "(1 2 ...)");
    CHECK(use("(...) ((_ ... a) 'a) ((_ a b) 'no)", "(list (m ... 1) (m 1 2))") == "(1 no)");
    CHECK(result_of("(define-syntax be-like-begin (syntax-rules () ((_ name)"
                    " (define-syntax name (syntax-rules () ((_ expr (... ...)) (begin expr (... ...))))))))"
                    "(be-like-begin sequence) (sequence 1 2 3 4)") == "4"); // R7RS 4.3.2
}

TEST_CASE("names that a template inserts neither capture nor are captured") {
    CHECK(use("() ((_ a b) (let ((tmp a)) (if tmp tmp b)))", "(let ((tmp 5)) (m #f tmp))") == "5");
    CHECK(use("() ((_ a) (let ((x 1)) (+ a x)))", "(let ((x 10)) (m x))") == "11");
    CHECK(result_of("(define x 'global) (define-syntax m (syntax-rules () ((_) x))) (let ((x 'local)) (m))") ==
          "global");
    CHECK(use("() ((_ c) (if c 'yes 'no))", "(let ((if list)) (m #f))") == "no");
    CHECK(result_of("(let ((=> #f)) (cond (#t => 'ok)))") == "ok"); // R7RS 4.3.2
    CHECK(result_of("(let ((x 'outer)) (let-syntax ((m (syntax-rules () ((m) x)))) (let ((x 'inner)) (m))))") ==
          "outer"); // R7RS 4.3.1
    CHECK(result_of("(letrec-syntax ((my-or (syntax-rules () ((_) #f) ((_ e) e)"
                    " ((_ e1 e2 ...) (let ((temp e1)) (if temp temp (my-or e2 ...)))))))"
                    " (let ((x #f) (y 7) (temp 8) (let odd?) (if even?)) (my-or x (let temp) (if y) y)))") ==
          "7"); // R7RS 4.3.1
    CHECK(use("() ((_ v ...) (let ((t 0)) (set! t (+ t v)) ... t))", "(let ((t 100)) (m t 1 t))") == "201");
    // Two uses of a macro that defines a helper do not meet.
    CHECK(result_of("(define-syntax m (syntax-rules () ((_ f v) (begin (define hidden v) (define (f) hidden)))))"
                    "(let () (m a 1) (m b 2) (list (a) (b)))") == "(1 2)");
    CHECK(result_of("(define-syntax m (syntax-rules () ((_ name v) (define name v)))) (m x 5) x") == "5");
}

TEST_CASE("literals match by binding") {
    const std::string rules = "(else) ((_ else) 'keyword) ((_ x) 'other)";
    CHECK(use(rules, "(m else)") == "keyword");
    CHECK(use(rules, "(let ((else 1)) (m else))") == "other");
    CHECK(use("(mark) ((_ mark) 'keyword) ((_ x) 'other)", "(list (m mark) (let ((mark 1)) (m mark)))") ==
          "(keyword other)");
}

TEST_CASE("macros that make macros, definitions, modelling forms") {
    CHECK(result_of("(define-syntax def (syntax-rules () ((_ name v) (define-syntax name (syntax-rules () "
                    "((_) v))))))"
                    "(define x 1) (def get x) (let ((x 2)) (get))") == "1");
    CHECK(result_of("(define-syntax while (syntax-rules () ((_ c b ...) (let loop () (when c b ... (loop))))))"
                    "(define (f n) (let ((sum 0)) (while (> n 0) (set! sum (+ sum n)) (set! n (- n 1))) sum)) "
                    "(f 4)") == "10");
    Running run("(define-syntax sig (syntax-rules () ((_ (n f) ...) (begin (define-message n (f int)) ...))))"
                "(sig (A x) (B y)) (define-port p (in A B) (out B))"
                "(define-syntax on-a (syntax-rules () ((_ port v body) (select ((port (A v)) body) ((port B) 'b)))))"
                "(define-syntax simple (syntax-rules () ((_ name s t) (define-machine (name n) (state s (on (p (A "
                "k)) -> (t k))) (state t (final n))))))"
                "(simple mach one two) (write p (B (on-a p v (+ v 1)))) (write p (B (mach 0)))");
    CHECK(run.start() == Status::stable);
    CHECK(run.send("p", "(A 4)") == Status::stable);
    CHECK(run.send("p", "(A 9)") == Status::finished);
    CHECK(run.told() == "p:(B 5); mark mach/one; mark mach/one#1; mark mach/two; p:(B 9)");
}

TEST_CASE("errors of macros point at their use") {
    const std::string two = "(define-syntax two (syntax-rules () ((_ a b) (list a b)))) ";
    CHECK(failure(two + "(two 1)").substr(0, 10) == "(two 1) | ");
    CHECK(failure(two + "(two nope 1)") == "nope | `nope` is not defined");
    CHECK(failure("(define-syntax bad (syntax-rules () ((_) (lambda)))) (list (bad))").substr(0, 8) == "(bad) | ");
    CHECK(failure("(define-syntax m (syntax-rules () ((_ a) (syntax-error \"wrong thing\" a)))) (m 5)")
              .find("wrong thing") != std::string::npos);
}

TEST_CASE("malformed macros are errors in their definition") {
    for (const char* spec :
         {"(syntax-rules)", "(syntax-rules (1) ((_) 1))", "(syntax-rules () (_ 1))", "(syntax-rules () ((_ a a) 1))",
          "(syntax-rules () ((_ a ... b ...) 1))", "(syntax-rules () ((_ a ...) a))",
          "(syntax-rules () ((_ a) (a ...)))", "(syntax-rules () ((_ ...) 1))", "(lambda (x) x)", "5"}) {
        CAPTURE(spec);
        const std::string said = failure("(define-syntax m " + std::string(spec) + ") (m 1)");
        CHECK(said != "none");
    }
}

TEST_CASE("expansions without end are an error, not a hang") {
    CHECK(failure("(define-syntax m (syntax-rules () ((_) (m)))) (m)").substr(0, 6) == "(m) | ");
    CHECK(failure("(define-syntax m (syntax-rules () ((_ x ...) (m x ... x ...)))) (m 1)").substr(0, 8) == "(m 1) | ");
    CHECK(failure("(define-syntax m (syntax-rules () ((_ x) (begin (m (x x)) (m (x x)))))) (m 1)").substr(0, 8) ==
          "(m 1) | ");
}
