// What the expander says of malformed forms, letter by letter, with its place and its hint. The mistakes that an author
// is likely to make are in tests/golden/check; this table has the others, so that no message is without a test.
#include <doctest/doctest.h>

#include <string>

#include "lang/lang.hpp"

using namespace espalier;

TEST_CASE("each malformed form has its message, its place and its hint") {
    struct Case {
        const char* model;
        const char* place;
        const char* text;
        const char* hint;
    };
    const Case cases[] = {
        {"(let loop ((x 1)))", "1:1", "malformed `let`", "its shape is (let name ((name expression) ...) body ...)"},
        {"(do ((x)) (#t 1))", "1:6", "malformed binding", "its shape is (name init step), where step may be left out"},
        {"(do 5 (#t 1))", "1:5", "expected a list of bindings, found `5`", ""},
        {"(let-values (((a) 1)))", "1:1", "malformed `let-values`",
         "its shape is (let-values (((name ...) expression) ...) body ...)"},
        {"(let-values 5 1)", "1:13", "expected a list of bindings, found `5`", ""},
        {"(let ((a . 1)) 2)", "1:7", "malformed binding", "its shape is (name expression)"},
        {"(let-syntax ((m 5)))", "1:1", "malformed `let-syntax`",
         "its shape is (let-syntax ((name (syntax-rules ...)) ...) body ...)"},
        {"(cond (else))", "1:7", "`else` needs an expression", ""},
        {"(case 1 (5))", "1:9", "malformed clause of `case`", "its shape is ((datum ...) expression ...)"},
        {"(define-syntax loop (syntax-rules () ((_ x) (loop x)))) (loop 1)", "1:57",
         "this macro use expands without end (more than 10,000 levels)", ""},
        {"(import (rename (scheme base) (car head)))", "1:10", "`rename` in an import is not in the language",
         "every procedure is here already: call it by its own name"},
        {"(define-message Go) (define-port p in Go) (define-machine (m x) (state a (on (p Go) -> a (with . 5)))) (m 1)",
         "1:90", "malformed `with`",
         "an arrow's target is state, (state value ...) or state (with (variable value) ...)"},
        {"(define-message Go) (define-port p in Go) (define-machine (m x) (state a (on (p Go) -> a (with 5)))) (m 1)",
         "1:96", "malformed `with`",
         "an arrow's target is state, (state value ...) or state (with (variable value) ...)"},
        {"(define-machine (m . x) (state a (final))) (m)", "1:17", "malformed machine head",
         "its shape is (name parameter ...)"},
        {"(define-machine (m) (state a (final) (locals 5))) (m)", "1:46", "malformed local",
         "its shape is (name expression)"},
        {"(define-syntax m (syntax-rules dots))", "1:18", "malformed `syntax-rules`",
         "its shape is (syntax-rules (literal ...) (pattern template) ...)"},
        {"(define-syntax m (syntax-rules 5))", "1:32", "expected a list of literals, found `5`", ""},
        {"(define-syntax m (syntax-rules (5)))", "1:33", "a literal must be a name", ""},
        {"(define-port p in \"Go\")", "1:19", "expected the name of a message, found `\"Go\"`", ""},
        {"(type-values)", "1:1", "malformed `type-values`", "its shape is (type-values type)"},
        {"(type-values int)", "1:14", "`type-values` lists the values of an enum or of bool", ""},
        {"(requirement \"R\" \"one\") (requirement \"R\" \"two\")", "1:42",
         "the requirement \"R\" has another text elsewhere", ""},
        {"(define-message Go) (select ((in Go) 1))", "1:34", "the port `in` carries bare values, not messages",
         "use (read type)"},
        {"(define-record-type r (make x) r? 5)", "1:35", "malformed field of a record",
         "its shape is (field accessor) or (field accessor modifier)"},
        {"(define-record-type r (make . x) r? (x r-x))", "1:23", "expected a constructor, found `(make . x)`", ""},
        {"(define-record-type r 5 r? (x r-x))", "1:23", "malformed constructor",
         "its shape is (define-record-type name (constructor field ...) predicate (field accessor modifier) ...)"},
        {"(define-record-type r (make x) 5 (x r-x))", "1:32", "malformed predicate",
         "its shape is (define-record-type name (constructor field ...) predicate (field accessor modifier) ...)"},
        {"(quasiquote)", "1:1", "malformed `quasiquote`", "its shape is (quasiquote template)"},
        {"(define (f) (begin)) (f)", "1:13", "an empty `begin` is not an expression", ""},
        {"(lambda (x))", "1:1", "malformed `lambda`", "its shape is (lambda (parameter ...) body ...)"},
        {"(case-lambda)", "1:1", "`case-lambda` needs a clause", ""},
        {"(define-syntax m (syntax-rules () ((_ x) (... x y)))) (m 1)", "1:42", "malformed (... template)", ""},
        {"(define-syntax m (syntax-rules () ((_ (a ...) (b ...)) '((a b) ...)))) (m (1 2) (3))", "1:72",
         "the repeated parts of this use of `m` differ in length", ""},
        {"(define-syntax m (syntax-rules () ((_ a ...) '(a ... ...)))) (m 1 2)", "1:48",
         "too many ellipses after this template", ""},
        {"(define-message Go) (define-port p in Go) (select ((p ()) 1))", "1:55", "malformed pattern",
         "its shape is Message or (Message field ...), where a field is a name, _ or a literal"},
        {"(define-message Go (a int) (b int)) (define-port p in Go) (select ((p (Go x x)) x))", "1:77",
         "`x` appears twice in this pattern", ""},
        {"(define-message Go (a 5))", "1:23", "expected a type, found `5`", ""},
        {"(syntax-rules ())", "1:1", "`syntax-rules` may stand only in define-syntax, let-syntax or letrec-syntax", ""},
        {"(define (f) (fresh int)) (define-message Go) (define-port p in Go) (select ((p Go) (where (fresh bool)) 1))",
         "1:91", "a `where` may not make a fresh value", "do it in the clause's body"},
        {"(define f (case-lambda ((a) a) ((a b . c) b))) (f)", "1:48",
         "`f` takes at least 1 argument, here it has none", ""},
        {"(display “x”)", "1:10", "U+201C in a symbol", "quotation marks are \" and '"},
        {"(display x\u200By)", "1:11", "U+200B in a symbol", "it cannot be seen, or looks like a blank; delete it"},
        {"#vu8(1 2)", "1:1", "`#vu8` is not known", "a bytevector is written #u8(…)"},
        {"(display \"\\q\")", "1:11", "`\\q` is not an escape",
         "there are \\a \\b \\t \\n \\r \\\" \\\\ \\| \\x41; and \\ at the end of a line"},
        {"(display \"\\xzz;\")", "1:11", "`\\x` is not an escape",
         "a code point is written \\x41; with its hexadecimal digits and a semicolon"},
        {"(display '12x)", "1:11", "`12x` is neither a number nor a symbol", "a symbol of this name is written |12x|"},
        {"(define f (case-lambda ((a) a) ((a b c . d) b))) (f 1 2)", "1:50",
         "`f` takes 1 or at least 3 arguments, here it has 2", ""},
    };
    for (const Case& one : cases) {
        CAPTURE(one.model);
        const Model model = compile_text(one.model);
        REQUIRE_FALSE(model.diagnostics.all().empty());
        const Diagnostic& first = model.diagnostics.all().front();
        CHECK(first.text == std::string(one.text));
        CHECK(first.hint == std::string(one.hint));
        CHECK(model.sources.place(first.span) == std::string("model.scm:") + one.place);
    }
}
