// The interpreter on single-threaded models: values and control, failures and their places, what listeners
// hear.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "tests/lang/ir_builder.hpp"
#include "tests/lang/running.hpp"

using namespace espalier;

namespace {

std::string value_of(const std::string& text) {
    Running run(text);
    const Status status = run.start();
    CHECK_MESSAGE(status == Status::finished, run.error());
    return run.result();
}

// The error's text, and the source text it points at.
std::string failure_of(const std::string& text) {
    Running run(text);
    CHECK(run.start() == Status::model_error);
    return run.error() + " @ " + run.error_at();
}

} // namespace

TEST_CASE("the last top-level expression gives the result") {
    CHECK(value_of("1 2 (+ 1 2)") == "3");
    CHECK(value_of("(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 20)") == "6765");
}

TEST_CASE("small integers overflow into big ones, and back") {
    CHECK(value_of("(+ 1152921504606846975 1)") == "1152921504606846976");
    CHECK(value_of("(- (+ 1152921504606846975 1) 1)") == "1152921504606846975");
    CHECK(value_of("(define x 1152921504606846975) (define (f a b) (+ a b)) (f x x)") == "2305843009213693950");
    CHECK(value_of("(define (f a b) (* a b)) (f 1152921504606846975 1152921504606846975)") ==
          "1329227995784915870597964051066650625");
    CHECK(value_of("(define (f a) (* a 4)) (f 1152921504606846975)") == "4611686018427387900");
    CHECK(value_of("(define (f a b) (quotient a b)) (f -1152921504606846976 -1)") == "1152921504606846976");
    CHECK(value_of("(define (f a b) (list (quotient a b) (remainder a b) (modulo a b))) (f -7 2)") == "(-3 -1 1)");
    CHECK(value_of("(define (f a) (list (quotient a 2) (remainder a 2) (modulo a 2))) (f -7)") == "(-3 -1 1)");
    CHECK(value_of("(define (f a b) (- a b)) (f -1152921504606846976 1)") == "-1152921504606846977");
}

TEST_CASE("comparisons agree however they are compiled") {
    // As a value and as a branch, constant on either side, small and big operands.
    for (const char* op : {"<", "<=", ">", ">=", "="}) {
        for (const char* x : {"4", "5", "6", "10000000000000000000000", "1/2"}) {
            const std::string head = "(define (value a b) (" + std::string(op) + " a b))" + "(define (right a) (" + op +
                                     " a 5))" + "(define (left a) (" + op + " 5 a))" + "(define (branch a b) (if (" +
                                     op + " a b) #t #f))" + "(define (not-branch a b) (if (not (" + op +
                                     " a b)) #f #t))" + "(define (branch-right a) (if (" + op + " a 5) 1 2))" +
                                     "(define (branch-left a) (if (" + op + " 5 a) 1 2))";
            CAPTURE(op);
            CAPTURE(x);
            CHECK(value_of(head + "(let ((x " + x + ")) (and (eq? (value x 5) (right x)) (eq? (value 5 x) (left x))" +
                           "(eq? (value x 5) (branch x 5)) (eq? (value 5 x) (not-branch 5 x))" +
                           "(= (if (value x 5) 1 2) (branch-right x)) (= (if (value 5 x) 1 2) (branch-left x))))") ==
                  "#t");
        }
    }
}

TEST_CASE("an error of a fused comparison names what the author wrote") {
    CHECK(failure_of("(define (f a) (if (< 5 a) 1 2)) (f 'x)") == "<: x is not a number @ (< 5 a)");
    CHECK(failure_of("(define (f a) (if (not (>= a 5)) 1 2)) (f 'x)") == ">=: x is not a number @ (>= a 5)");
    CHECK(failure_of("(define (f a) (- a 1)) (f 'x)") == "-: x is not a number @ (- a 1)");
}

TEST_CASE("loops run in constant memory") {
    Running run("(define (loop i sum) (if (= i 0) sum (loop (- i 1) (+ sum i)))) (loop 3000000 0)");
    CHECK(run.start() == Status::finished);
    CHECK(run.result() == "4500001500000");
    CHECK(run.interpreter->steps() > 3000000);
    CHECK(value_of("(define (even n) (if (= n 0) #t (odd (- n 1)))) (define (odd n) (if (= n 0) #f (even (- n 1))))"
                   "(even 1000000)") == "#t");
}

TEST_CASE("arguments that trade places") {
    CHECK(value_of("(define (swap n a b) (if (= n 0) (list a b) (swap (- n 1) b a))) (swap 3 1 2)") == "(2 1)");
    CHECK(value_of("(define (turn n a b c) (if (= n 0) (list a b c) (turn (- n 1) b c a))) (turn 4 1 2 3)") ==
          "(2 3 1)");
    CHECK(value_of("(define (f g a b) (g b a)) (f (lambda (x y) (list x y)) 1 2)") == "(2 1)");
    CHECK(value_of("(define (f a g b) (g g b a)) (f 1 (lambda (self x y) (list x y)) 2)") == "(2 1)");
    CHECK(value_of("(define (g a b) (list a b)) (define (f a b) (g b a)) (f 1 2)") == "(2 1)");
}

TEST_CASE("recursion is deep, but not endless") {
    CHECK(value_of("(define (count n) (if (= n 0) 0 (+ 1 (count (- n 1))))) (count 1000000)") == "1000000");
    Running run("(define (f n) (+ 1 (f n))) (f 1)", {.stack_limit = size_t{1} << 20});
    CHECK(run.start() == Status::model_error);
    CHECK(run.error() == "recursion too deep");
    CHECK(run.error_at() == "(f n)");
    CHECK(run.interpreter->error()->backtrace.size() == 12);
}

TEST_CASE("closures, boxes and captured variables in loops") {
    CHECK(value_of("(define (make) (let ((n 0)) (lambda () (set! n (+ n 1)) n))) (define a (make)) (define b (make))"
                   "(a) (a) (b) (list (a) (b))") == "(3 2)");
    CHECK(value_of("(define (f n) (let loop ((i 0) (acc '())) (if (= i n) acc (loop (+ i 1) (cons (lambda () "
                   "(+ i n)) "
                   "acc))))) (map (lambda (p) (p)) (f 3))") == "(5 4 3)");
    CHECK(value_of("(define (f n) (letrec ((even (lambda (i) (if (= i 0) n (odd (- i 1)))))"
                   " (odd (lambda (i) (if (= i 0) (- n) (even (- i 1)))))) (list (even 3) (even 4)))) (f 7)") ==
          "(-7 7)");
}

TEST_CASE("procedures with a choice of shapes") {
    CHECK(value_of("(define (f a . more) (list a more)) (list (f 1) (f 1 2) (f 1 2 3))") ==
          "((1 ()) (1 (2)) (1 (2 3)))");
    CHECK(value_of("(define f (case-lambda ((a) (list 'one a)) ((a b) (list 'two a b)) ((a . more) (list "
                   "'many more))))"
                   "(list (f 1) (f 1 2) (f 1 2 3))") == "((one 1) (two 1 2) (many (2 3)))");
    CHECK(value_of("(define k 10) (define (make k) (case-lambda (() k) ((x) (+ x k)))) (list ((make 1)) "
                   "((make 2) 3))") == "(1 5)");
    CHECK(value_of("(apply + 1 2 '(3 4))") == "10");
    CHECK(value_of("(define (f . xs) (length xs)) (apply f (iota 5000))") == "5000");
    CHECK(value_of("(call-with-values (lambda () (values 1 2 3)) list)") == "(1 2 3)");
}

TEST_CASE("wrong calls are model errors at the call") {
    CHECK(failure_of("(define x 5) (define (f) (x 1)) (f)") ==
          "5 is not a procedure, but it is called with 1 argument @ (x 1)");
    CHECK(failure_of("(define (f g) (g 1 2)) (f (lambda (a) a))") ==
          "lambda takes 1 argument, but is called with 2 @ (g 1 2)");
    CHECK(failure_of("(define (f g) (list (g))) (f (lambda (a . b) a))") ==
          "lambda takes at least 1 argument, but is called with 0 @ (g)");
    CHECK(failure_of("(define f (case-lambda ((a) 1) ((a b c) 2))) (define (call g) (g 1 2)) (call f)") ==
          "f takes 1 or 3 arguments, but is called with 2 @ (g 1 2)");
    CHECK(failure_of("(define (f) (later 1)) (f) (define later 1)") == "later is used before its definition @ later");
    CHECK(failure_of("(letrec ((a (lambda () b)) (b (a))) b)") == "b is used before its definition @ b");
}

TEST_CASE("a backtrace names procedures and calls, and leaves the prelude out") {
    Running run("(define (inner x) (+ 1 (car x)))\n(define (outer x) (* 2 (inner x)))\n(list (outer 5))");
    CHECK(run.start() == Status::model_error);
    CHECK(run.error() == "car: 5 is not a pair");
    std::string trace;
    for (const BacktraceEntry& e : run.interpreter->error()->backtrace)
        trace += std::string(name_of(e.procedure)) + " " + std::string(run.model.sources.text(e.span)) + "; ";
    CHECK(trace == "inner (car x); outer (inner x); top (outer 5); ");

    Running tail("(define (f xs) (map car xs)) (define (g xs) (length (f xs))) (g '(1))");
    CHECK(tail.start() == Status::model_error);
    CHECK(tail.error_at() == "(map car xs)");
    trace.clear();
    for (const BacktraceEntry& e : tail.interpreter->error()->backtrace)
        trace += std::string(name_of(e.procedure)) + " " + std::string(tail.model.sources.text(e.span)) + "; ";
    CHECK(trace == "f (map car xs); g (f xs); top (g '(1)); ");
}

TEST_CASE("collections keep what is alive") {
    CHECK(value_of("(define (build n) (if (= n 0) '() (cons (make-vector 3 n) (build (- n 1)))))"
                   "(define kept (build 1000))"
                   "(define (churn i) (if (> i 0) (begin (build 200) (churn (- i 1)))))"
                   "(churn 2000) (apply + (map (lambda (v) (vector-ref v 2)) kept))") == "500500");
    // Deep frames with values on the way, then shallow ones again.
    CHECK(value_of("(define (deep n) (if (= n 0) 0 (let ((v (vector n))) (+ (deep (- n 1)) (- (vector-ref v 0) n "
                   "-1)))))"
                   "(define (loop i) (if (> i 0) (begin (deep 20000) (loop (- i 1))))) (loop 60) (deep 1000)") ==
          "1000");
}

TEST_CASE("inputs and outputs") {
    Running run("(define-message Invite (call int) (code (int 0 9))) (define-message Ok (code int))"
                "(define-port user in Invite) (define-port net out Ok)"
                "(define (serve n) (let ((m (read user))) (write net (Ok (+ n (Invite-code m)))) (serve (+ n 1))))"
                "(serve 10)");
    CHECK(run.start() == Status::stable);
    CHECK(run.interpreter->offers().size() == 1);
    CHECK(run.send("user", "(Invite 1 5)") == Status::stable);
    CHECK(run.send("user", "(Invite 1 6)") == Status::stable);
    CHECK(run.told() == "net:(Ok 15); net:(Ok 17)");
    CHECK(run.send("net", "(Ok 1)") == Status::refused);
    Running bare("(write (* 2 (read))) (write (not (read bool)))");
    CHECK(bare.start() == Status::stable);
    CHECK(bare.interpreter->offers().at(0).kind == Offer::Kind::bare);
    CHECK(bare.send("in", "21") == Status::stable);
    CHECK(bare.send("in", "5") == Status::refused);
    CHECK(bare.send("in", "#t") == Status::finished);
    CHECK(bare.told() == "out:42; out:#f");
}

TEST_CASE("outputs that no port carries are model errors") {
    const std::string ports = "(define-message A (x (int 0 9))) (define-message B) (define-port p (in B) (out A))";
    CHECK(failure_of(ports + "(define (f v) (write p v)) (f (B))") ==
          "write: the port p does not carry B out @ (write p v)");
    CHECK(failure_of(ports + "(define (f v) (write p v)) (f 5)") ==
          "write: 5 is not a message that the port p carries out @ (write p v)");
    CHECK(failure_of(ports + "(define (f q) (write q (A 1))) (f 5)") == "write: 5 is not a port @ (write q (A 1))");
    CHECK(failure_of(ports + "(define (f x) (A x)) (f 10)") ==
          "A: 10 is not a value of the field x, which is (int 0 9) @ (A x)");
    CHECK(failure_of(ports + "(define (f m) (A-x m)) (f (B))") ==
          "cannot take the field x of (B), which is not a message A @ (A-x m)");
}

TEST_CASE("records") {
    const std::string point = "(define-record-type point (make-point x y) point? (x point-x) (y point-y set-point-y!))";
    CHECK(value_of(point + "(define p (make-point 1 2)) (set-point-y! p 5) (list (point-x p) (point-y p) (point? p) "
                           "(point? 1) (if (point? p) 'yes 'no))") == "(1 5 #t #f yes)");
    Running run(point + "(define (f x) (point-x x)) (f 7)");
    CHECK(run.start() == Status::model_error);
    CHECK(run.error() == "cannot take the field x of 7, which is not a point");
}

TEST_CASE("assume, assert, checkpoints, choose") {
    Running assume("(checkpoint a) (assume (= 1 2)) (checkpoint b)");
    CHECK(assume.start() == Status::assume_failed);
    CHECK(assume.told() == "mark a");
    CHECK(failure_of("(define x 1) (assert (= x 2))").starts_with("assertion failed @ (assert"));
    Running choose("(define (f) (choose (begin (checkpoint one) 1) (begin (checkpoint two) 2))) (list (f) (f))", {},
                   {1, 0});
    CHECK(choose.start() == Status::finished);
    CHECK(choose.result() == "(2 1)");
    CHECK(choose.told() == "mark two; mark one");
}

TEST_CASE("fresh values are numbered, differ, and are themselves") {
    CHECK(value_of("(let* ((a (fresh int)) (b (fresh int))) (list a b (eq? a a) (eq? a b) (equal? (list a) "
                   "(list a))))") == "(x1 x2 #t #f #t)");
    Running unknown("(let* ((a (fresh int '())) (b (fresh int '()))) (equal? a b))");
    CHECK(unknown.start() == Status::model_error);
    Running branch("(let ((b (fresh bool))) (if b 1 2))");
    CHECK(branch.start() == Status::model_error);
    Running list("(fresh int 5)");
    CHECK(list.start() == Status::model_error);
}

TEST_CASE("a run ends when another thread asks for it") {
    std::atomic<bool> stop = true;
    for (const char* endless : {"(define (loop) (loop)) (loop)", "(define (b) (spawn (b)) (b)) (b)",
                                "(define (f n) (f (modulo (* n n) 1000007))) (f 3)"}) {
        stop = false;
        Running running(endless, {.stop = &stop});
        std::thread other([&] { stop = true; });
        CHECK(running.start() == Status::stopped);
        other.join();
    }
    stop = false;
    CHECK(Running("(write 1)", {.stop = &stop}).start() == Status::finished);
    // The flag changes nothing about how steps are counted.
    CHECK(Running("(define (loop) (loop)) (loop)", {.step_limit = 10'000, .stop = &stop}).start() ==
          Status::out_of_steps);
}

TEST_CASE("large values cost steps, so that a limit of steps is one of time too") {
    Running running("(define big (make-string 1000000 #\\a)) (define (f) (string-append big big) (write 1) (f)) (f)",
                    {.step_limit = 1'000'000});
    CHECK(running.start() == Status::out_of_steps);
    CHECK(running.told().size() < 1000);
}

TEST_CASE("no value is larger than a bound, and the error says so") {
    const auto error = [](const char* text) {
        Running running(text);
        CHECK(running.start() == Status::model_error);
        CHECK(running.interpreter->error()->is_about_size == (std::string(text).find("make") == std::string::npos));
        return running.interpreter->error()->text;
    };
    CHECK(error("(define (f n) (f (* n n))) (f 3)") == "*: a number of more than 524288 bits is too large");
    CHECK(error("(expt 10 300000)") == "*: a number of more than 524288 bits is too large");
    CHECK(error("(arithmetic-shift 1 600000)") == "arithmetic-shift: a number of more than 524288 bits is too large");
    CHECK(error("(arithmetic-shift 1 100000000000)") == "arithmetic-shift: the result is too large a number");
    CHECK(error("(make-vector 20000000 0)") == "make-vector: a length of 20000000 is too much");
    CHECK(error("(make-string 20000000 #\\a)") == "make-string: a length of 20000000 is too much");
    CHECK(Running("(= (quotient (expt 10 100000) (expt 10 99999)) 10)").start() == Status::finished);
}

TEST_CASE("steps can be limited, followed and traced") {
    Running limited("(define (loop) (loop)) (loop)", {.step_limit = 1000});
    CHECK(limited.start() == Status::out_of_steps);
    CHECK(limited.interpreter->steps() > 999);

    // A call from the prelude carries the site by which the prelude was entered.
    Running followed("(define (inc x) (+ x 1)) (list (map inc '(1 2)) (map inc '(3)))", {.follow = true});
    CHECK(followed.start() == Status::finished);
    std::vector<Label> sites;
    for (const auto& s : followed.steps)
        if (name_of((*followed.model.program)[s.lambda].name) == "inc") sites.push_back(s.site);
    REQUIRE(sites.size() == 3);
    CHECK(sites[0] == sites[1]);
    CHECK(sites[1] != sites[2]);
    CHECK(followed.steps.front().site == no_label);

    Running traced("(define x 1) (define (f n) (set! n (+ n 1)) (set! x n)) (f 5)", {.trace_assignments = true});
    CHECK(traced.start() == Status::finished);
    CHECK(traced.told() == "n=6; x=6");
}

TEST_CASE("displayed text reaches the listener") {
    Running run("(display \"a\") (display '(1 \"b\")) (newline)");
    CHECK(run.start() == Status::finished);
    CHECK(run.told() == "a; (1 b); \n");
}

// ── Code that no text leads to ──

TEST_CASE("hand-written code: many values alive across calls and joins") {
    ir::Builder b;
    ir::Lambda& id = b.lambda("id", 1);
    id.ret(id.param(0));
    ir::Lambda& top = b.lambda("top", 0);
    const VarId f = top.closure(id.id);
    std::vector<VarId> values;
    for (int i = 0; i < 100; ++i) values.push_back(top.call(f, {top.number(i)}, id.id));
    const BlockId yes = top.block(), no = top.block(), join = top.block(3);
    top.branch(top.prim(Prim::lt, {values[3], values[7]}), yes, no);
    top.at(yes).jump(join, {values[1], values[2], values[1]});
    top.at(no).jump(join, {values[2], values[1], values[2]});
    top.at(join);
    VarId sum = top.prim(Prim::sub, {top.block_param(join, 1), top.block_param(join, 0)});
    sum = top.prim(Prim::mul, {sum, top.block_param(join, 2)});
    for (const VarId v : values) sum = top.prim(Prim::add, {sum, v});
    top.ret(sum);
    const Program p = b.finish(top.id);
    Listener quiet;
    Interpreter run(p, quiet);
    CHECK(run.start() == Status::finished);
    CHECK(run.result()->as_fixnum() == 4951);
}

TEST_CASE("hand-written code: a spread call with more arguments than the stack has room for") {
    ir::Builder b;
    ir::Lambda& count = b.lambda("count", 0, true);
    const BlockId done = count.block(), more = count.block();
    count.branch(count.prim(Prim::is_null, {count.param(0)}), done, more);
    count.at(done).ret(count.number(0));
    count.at(more);
    const VarId rest = count.call(count.self(), {count.prim(Prim::cdr, {count.param(0)})}, no_lambda, true);
    count.ret(count.prim(Prim::add, {rest, count.number(1)}));
    ir::Lambda& top = b.lambda("top", 0);
    Value list = Value::null();
    for (int i = 0; i < 3000; ++i) list = b.program().literals->cons(Value::fixnum(i), list);
    top.tail(top.closure(count.id), {top.constant(list)}, no_lambda, true);
    const Program p = b.finish(top.id);
    Listener quiet;
    Interpreter run(p, quiet);
    CHECK(run.start() == Status::finished);
    CHECK(run.result()->as_fixnum() == 3000);
}

TEST_CASE("a top level so long that registers are shared out by a simpler rule") {
    std::string text = "(define-message Go (n int)) (define-port user in Go) (define x 0) (define (f n) (+ n 1))";
    for (int i = 0; i < 9000; ++i) text += "(set! x (f (+ x " + std::to_string(i % 3) + ")))";
    text += "(let* ((a (f 1)) (b (f 2)) (c (f a)))"
            " (select ((user (Go n)) (where (> (f n) 10)) (list a n))"
            "         ((user (Go n)) (where (> (f n) 5)) (list b n))"
            "         ((user (Go n)) (where (= (f n) 1)) (list c n x))))";
    for (const char* input : {"(Go 20)", "(Go 7)", "(Go 0)"}) {
        Running run(text);
        CHECK(run.start() == Status::stable);
        CHECK(run.send("user", "(Go 1)") == Status::refused);
        CHECK(run.send("user", "(Go 2)") == Status::refused);
        CHECK(run.send("user", input) == Status::finished);
        CHECK(run.result() == (input == std::string("(Go 20)")  ? "(2 20)"
                               : input == std::string("(Go 7)") ? "(3 7)"
                                                                : "(3 0 18000)"));
    }
}
