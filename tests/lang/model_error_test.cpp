// Model errors: each kind with the place the author wrote, and a backtrace of the author's procedures.
#include <doctest/doctest.h>

#include "tests/lang/running.hpp"

using namespace espalier;

namespace {

const std::string ports = "(define-message Go (n (int 0 9))) (define-message Other (s string)) (define-port user in Go)"
                          "(define-port net out Go) (define-channel c) (define-timer t) (define-record-type point "
                          "(make-point x) point? (x point-x))";

std::string in_a_procedure(const std::string& code) { return ports + "(define (f) (list " + code + ")) (list (f))"; }
std::string procedure(const BacktraceEntry& e) { return std::string(name_of(e.procedure)); }

} // namespace

TEST_CASE("each kind of model error stands where the author wrote it") {
    struct Case {
        const char* code; // the failing expression is the one marked by «»
        const char* text;
    };
    const Case cases[] = {
        {"«(car '())»", "car: () is not a pair"},
        {"«(cdr 5)»", "cdr: 5 is not a pair"},
        {"«(quotient 1 0)»", "quotient: division by zero"},
        {"«(/ 1 0)»", "/: division by zero"},
        {"«(modulo 5 0)»", "modulo: division by zero"},
        {"«(+ 1 'a)»", "+: a is not a number"},
        {"«(< 1 \"x\")»", "<: \"x\" is not a number"},
        {"«(vector-ref (vector 1 2) 2)»", "vector-ref: index 2 is out of range for a vector of length 2"},
        {"«(vector-ref (vector 1 2) -1)»", "vector-ref: index -1 is out of range for a vector of length 2"},
        {"«(string-ref \"abc\" 3)»", "string-ref: index 3 is out of range for a string of length 3"},
        {"«(bytevector-u8-ref (bytevector 1) 1)»",
         "bytevector-u8-ref: index 1 is out of range for a bytevector of length 1"},
        {"«(bytevector-u8-set! (make-bytevector 1 0) 0 256)»", "bytevector-u8-set!: 256 is not a byte (0 to 255)"},
        {"«(list-ref '(1 2) 2)»", "list-ref: no such position in the list: 2 (1 2)"},
        {"«(length '(1 . 2))»", "length: not a proper list: (1 . 2)"},
        {"«(substring \"abc\" 2 1)»", "substring: the range from 2 to 1 is not within a string of length 3"},
        {"«(integer->char -1)»", "integer->char: -1 is not the number of a character"},
        {"«(hash-table-set! 5 1 2)»", "hash-table-set!: 5 is not a hash table"},
        {"«(symbol->string 5)»", "symbol->string: 5 is not a symbol"},
        {"«(string-append \"a\" 'b)»", "string-append: b is not a string"},
        {"«(error \"gave up:\" 5 'x \"s\")»", "gave up: 5 x \"s\""},
        {"«(assert (= 1 2))»", "assertion failed"},
        {"(let ((f 5)) «(f 1)»)", "5 is not a procedure, but it is called with 1 argument"},
        {"(let ((f (lambda (x) x))) (set! f (lambda () 1)) «(f 1)»)", "lambda takes 0 arguments, but is called with 1"},
        {"«(apply car '(1 2))»", "car takes 1 argument, but is called with 2"},
        {"«(point-x 5)»", "cannot take the field x of 5, which is not a point"},
        {"(let ((n 10)) «(Go n)»)", "Go: 10 is not a value of the field n, which is (int 0 9)"},
        {"«(Go-n (Other \"s\"))»", "cannot take the field n of (Other \"s\"), which is not a message Go"},
        {"(let ((p net)) (set! p 5) «(write p (Go 1))»)", "write: 5 is not a port"},
        {"(let ((m (Other \"x\"))) (set! m m) «(write net m)»)", "write: the port net does not carry Other out"},
        {"«(start t 0)»", "start: a delay must be positive, and this one is 0"},
        {"«(receive c)»", "deadlock: thread 0 waits for ever"},
        {"(begin (send c 'odd) «(select ((c Go) 1))»)", "no clause takes odd, which is next in a channel"},
        {"(letrec ((a (lambda () «b»)) (b (a))) b)", "b is used before its definition"},
        {"«(let-values (((a b) (values 1 2 3))) a)»", "expected 2 values, got 3"},
        {"(let loop ((n 0)) (+ 1 «(loop n)»))", "recursion too deep"},
        {"(let ((x 5)) (set! x x) «(send x 1)»)", "send: 5 is not a channel"},
        {"(let ((x 5)) (set! x x) «(start x 1)»)", "start: 5 is not a timer"},
        {"(let ((x 5)) (set! x x) «(stop x)»)", "stop: 5 is not a timer"},
        {"«(start t 1/2)»", "start: 1/2 is not a delay in whole time units"},
        {"(let ((x 5)) (set! x x) (select («(timeout x)» 1)))", "timeout: 5 is not a timer"},
        {"(let ((x 5)) (set! x x) «(receive x)»)", "cannot wait for 5, which is neither a port nor a channel"},
        {"(let ((p net)) (set! p p) «(read p)»)", "the port net carries nothing in"},
        {"(let ((p in)) (set! p p) (select («(p Go)» 1)))", "the port in does not carry Go in"},
        {"(let ((n 5)) (set! n n) «(write net n)»)", "write: 5 is not a message that the port net carries out"},
        {"«(fresh int 5)»", "fresh: 5 is not a list"},
        {"«(apply car 5)»", "apply: 5 is not a list"},
        {"«(vector-set! '#(1) 0 2)»", "vector-set!: a constant of the program's text may not be changed"},
        {"«(make-vector -1 0)»", "make-vector: -1 is not a length"},
        {"«(make-vector 10000000000 0)»", "make-vector: a length of 10000000000 is too much"},
        {"«(utf8->string (bytevector 65 255))»", "utf8->string: the byte at 1 is not part of UTF-8 text"},
        {"«(equal? (fresh int (list)) (fresh int (list)))»",
         "whether the fresh values x1 and x2 are equal is not known: (fresh type) makes one that differs from all "
         "others, (fresh type list) from those in the list"},
        {"«(hash-table-ref (make-hash-table) 1)»", "hash-table-ref: no such key: 1"},
        {"«(exact (quote a))»", "exact: not a number: a"},
    };
    for (const Case& one : cases) {
        std::string code = one.code;
        CAPTURE(code);
        const size_t open = code.find("«");
        code.erase(open, 2);
        const size_t close = code.find("»");
        code.erase(close, 2);
        const std::string marked = code.substr(open, close - open);
        InterpreterOptions options;
        options.stack_limit = size_t{1} << 22;
        Running run(in_a_procedure(code), options);
        CHECK(run.start() == Status::model_error);
        REQUIRE(run.interpreter->error().has_value());
        CHECK(run.error_at() == marked);
        CHECK(run.error() == std::string(one.text));
        const auto& trace = run.interpreter->error()->backtrace;
        if (run.error().substr(0, 8) == "deadlock") continue; // it has a line for each thread that waits
        REQUIRE(trace.size() >= 2);
        CHECK(procedure(trace.back()) == "top");
        CHECK(run.model.sources.text(trace.back().span) == "(f)");
        CHECK(run.interpreter->error()->label != no_label);
    }
}

TEST_CASE("a backtrace is innermost first, with the author's calls only") {
    Running run("(define (inner x) (car x))\n(define (middle x) (+ 1 (inner x)))\n(define (outer x) (list (middle "
                "x)))\n(list (map outer '(5)))");
    CHECK(run.start() == Status::model_error);
    std::string text;
    for (const BacktraceEntry& e : run.interpreter->error()->backtrace)
        text += procedure(e) + "@" + run.model.sources.place(e.span) + " ";
    CHECK(text == "inner@model.scm:1:19 middle@model.scm:2:25 outer@model.scm:3:25 top@model.scm:4:7 ");
}

TEST_CASE("tail calls leave no trace, long traces are cut in the middle") {
    Running tail("(define (last x) (car x)) (define (first x) (last x)) (list (first 5))");
    CHECK(tail.start() == Status::model_error);
    REQUIRE(tail.interpreter->error()->backtrace.size() == 2);
    CHECK(procedure(tail.interpreter->error()->backtrace[0]) == "last");
    Running deep("(define (bottom) (car 5)) (define (f n) (if (= n 0) (list (bottom)) (+ 1 (f (- n 1))))) (define "
                 "(start) (list (f 1000))) (list (start))");
    CHECK(deep.start() == Status::model_error);
    const auto& trace = deep.interpreter->error()->backtrace;
    CHECK(trace.size() <= 12);
    CHECK(trace.size() >= 4);
    CHECK(procedure(trace.front()) == "bottom");
    CHECK(procedure(trace.back()) == "top");
    CHECK(procedure(trace[trace.size() - 2]) == "start");
}

TEST_CASE("an error in prelude code is shown at the call that entered it") {
    Running run("(define (f) (list (fold-left + 0 '(1 x 2)))) (list (f))");
    CHECK(run.start() == Status::model_error);
    CHECK(run.error_at() == "(fold-left + 0 '(1 x 2))");
    Running higher("(define (g x) (list (vector-ref (vector) x))) (for-each g '(0))");
    CHECK(higher.start() == Status::model_error);
    CHECK(higher.error_at() == "(vector-ref (vector) x)");
}

TEST_CASE("nothing happens after a model error") {
    Running run(ports + "(display 'before) (car '()) (display 'after)");
    CHECK(run.start() == Status::model_error);
    CHECK(run.told() == "before");
    CHECK(run.interpreter->deliver(run.port_named("user"), run.value("(Go 1)")) != Status::stable);
    CHECK(run.interpreter->pass_time() != Status::stable);
    CHECK(run.error() == "car: () is not a pair");
}

TEST_CASE("an error in a machine is shown in its state") {
    Running run(ports + "(define-machine (m) (state a (on (user (Go n)) (display (quotient 1 n)))))\n(m)");
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Go 1)") == Status::stable);
    CHECK(run.send("user", "(Go 0)") == Status::model_error);
    CHECK(run.error_at() == "(quotient 1 n)");
}

TEST_CASE("an error in a macro's text is shown at its use") {
    Running run(
        "(define-syntax first-of (syntax-rules () ((_ x) (car x)))) (define (f) (list (first-of 5))) (list (f))");
    CHECK(run.start() == Status::model_error);
    CHECK(run.error_at() == "(first-of 5)");
}

TEST_CASE("a message that is refused is refused for a reason") {
    Running run(ports + "(start t 5) (select ((user Go) 1) ((timeout t) 2)) (read user)");
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "5") == Status::refused);
    CHECK(run.interpreter->refusal() == "the port user carries messages, and this is none");
    CHECK(run.interpreter->deliver(PortId{99}, run.value("(Go 1)")) == Status::refused);
    CHECK(run.interpreter->refusal() == "there is no such port");
}
