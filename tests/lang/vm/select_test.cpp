// Waiting for one of several things: which clause is taken, by which thread, and what becomes of the rest.
#include <doctest/doctest.h>

#include "tests/lang/running.hpp"

using namespace espalier;

namespace {

const std::string ports = "(define-message Go (n int)) (define-message Pair (a int) (b string)) (define-message Stop)"
                          "(define-port user in Go Pair Stop) (define-port other in Go) (define-port net out Go)"
                          "(define-channel c) (define-channel d) (define-timer t) (define-timer u)";

std::string result_of(const std::string& text) {
    Running run(ports + text);
    const Status status = run.start();
    return status == Status::finished ? run.result() : run.error();
}

// What a port's message makes of the clauses.
std::string takes(const std::string& clauses, const std::string& message) {
    // Where every block is followed, all tests run; else some are known to refuse.
    std::string results[2];
    const std::string text = ports + "(define x 5) (select " + clauses + ")";
    for (const bool follow : {false, true}) {
        Running run(text, {.follow = follow});
        CHECK(run.start() == Status::stable);
        const Status status = run.send("user", message);
        results[follow ? 1 : 0] = status == Status::finished  ? run.result()
                                  : status == Status::refused ? "refused"
                                                              : "other";
    }
    CHECK(results[0] == results[1]);
    return results[0];
}

} // namespace

TEST_CASE("patterns: fields by position, names, literals and _") {
    CHECK(takes("((user (Pair a b)) (list a b))", "(Pair 1 \"x\")") == "(1 \"x\")");
    CHECK(takes("((user (Pair 1 _)) 'one) ((user (Pair _ \"y\")) 'y)", "(Pair 1 \"y\")") == "one");
    CHECK(takes("((user (Pair 1 _)) 'one) ((user (Pair _ \"y\")) 'y)", "(Pair 2 \"y\")") == "y");
    CHECK(takes("((user (Pair 1 _)) 'one) ((user (Pair _ \"y\")) 'y)", "(Pair 2 \"x\")") == "refused");
    CHECK(takes("((user Pair as p) (Pair-b p)) ((user any as m) m)", "(Pair 2 \"x\")") == "\"x\"");
    CHECK(takes("((user Pair as p) (Pair-b p)) ((user any as m) m)", "(Go 2)") == "(Go 2)");
    CHECK(takes("((user Go) 'go) ((user Stop) 'stop)", "(Stop)") == "stop");
    CHECK(takes("((user Go) 'go) ((user Stop) 'stop)", "(Pair 1 \"\")") == "refused");
    CHECK(takes("((user (Pair 1 \"x\")) 'x) ((user (Pair _ \"y\")) 'y) ((user (Pair 1 b)) (where (= x 5)) b)",
                "(Pair 1 \"z\")") == "\"z\"");
    CHECK(takes("((user (Pair 2 a)) 2) ((user (Pair 1 a)) (where (= x 0)) 1) ((user (Pair 1 _)) 'second)",
                "(Pair 1 \"z\")") == "second");
    CHECK(takes("((user (Pair 2 a)) 2) ((user any as m) (where (= x 0)) m) ((user Pair) 'pair) ((user (Pair 1 _)) 1)",
                "(Pair 1 \"z\")") == "pair");
    CHECK(takes("((user (Go 12345678901234567890)) 'big) ((user (Go 1)) 'one)", "(Go 12345678901234567890)") == "big");
    CHECK(takes("((user (Go x)) (list 'new x))", "(Go 7)") == "(new 7)"); // a name binds, it does not compare
    CHECK(takes("((user (Go n)) (where (= n x)) 'same) ((user Go) 'other)", "(Go 7)") == "other");
    CHECK(takes("((user (Go n)) (where (= n x)) 'same) ((user Go) 'other)", "(Go 5)") == "same");
}

TEST_CASE("channels: the first clause in order that any head satisfies") {
    const std::string both = "(send c (Go 1)) (send d (Go 2))";
    CHECK(result_of(both + "(select ((d Go) 'd) ((c Go) 'c))") == "d");
    CHECK(result_of(both + "(select ((c Go) 'c) ((d Go) 'd))") == "c");
    CHECK(result_of(both + "(select ((c (Go 9)) 'nine) ((d (Go n)) (where (> n 1)) 'd) ((c Go) 'c))") == "d");
    // Only the head counts: what stands behind it waits its turn.
    CHECK(result_of("(send c (Go 1)) (send c (Go 9)) (define (f) (select ((c (Go 9)) 'nine) ((c (Go n)) "
                    "(list n (f))))) (f)") == "(1 nine)");
    // A channel that no clause names keeps its messages.
    CHECK(result_of(both + "(let* ((a (select ((d any as m) m))) (b (receive c))) (list a b))") == "((Go 2) (Go 1))");
}

TEST_CASE("else consumes the first head that no clause takes") {
    Running run(ports + "(send c 'y) (send d 'x) (send c (Go 1))"
                        "(define (f) (select ((d Go) 'd) ((c (Go n)) (list 'c n)) (else (cons 'else (f))))) (f)");
    run.trace = true;
    CHECK(run.start() == Status::finished);
    CHECK(run.result() == "(else else c 1)");
    CHECK(run.told() == "0 sends y; 0 sends x; 0 sends (Go 1); 0 receives x; 0 receives y; 0 receives (Go 1); 0 ends");
    CHECK(result_of("(send c 'x) (select ((c Go) 1))") == "no clause takes x, which is next in a channel");
    // A clause whose where refuses takes nothing.
    CHECK(result_of("(send c (Go 1)) (select ((c (Go n)) (where (> n 1)) 1))") ==
          "no clause takes (Go 1), which is next in a channel");
    // Where one head is taken, the others are left alone.
    CHECK(result_of("(send d 'x) (send c (Go 1)) (list (select ((d Go) 1) ((c Go) 2) (else 3)) (receive d))") ==
          "(2 x)");
}

TEST_CASE("else, or its lack, is judged when a message comes while waiting too") {
    Running run(ports + "(spawn (select ((c Go) 1) ((user Stop) 2))) (read user) (send c 'odd)");
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Go 1)") == Status::model_error);
    CHECK(run.error() == "no clause takes odd, which is next in a channel");
    Running with_else(ports + "(spawn (select ((c Go) (display 1)) ((user Stop) (display 2)) (else (display "
                              "3)))) (read user) (send c 'odd)");
    CHECK(with_else.start() == Status::stable);
    CHECK(with_else.send("user", "(Go 1)") == Status::finished);
    CHECK(with_else.told() == "3");
}

TEST_CASE("where is read when the thread goes on, directly before the body") {
    // Thread 0 opens the gate after thread 1 began to wait, and before its message came.
    Running run(ports +
                "(define gate #f) (spawn (select ((c any) (where gate) (display 'open)) ((c any) (display 'shut))))"
                "(read user) (set! gate #t) (send c 1)");
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Stop)") == Status::finished);
    CHECK(run.told() == "open");
    // Sent first and opened afterwards: thread 1 goes on only when thread 0 waits or ends.
    Running later(ports +
                  "(define gate #f) (spawn (select ((c any) (where gate) (display 'open)) ((c any) (display 'shut))))"
                  "(read user) (send c 1) (set! gate #t)");
    CHECK(later.start() == Status::stable);
    CHECK(later.send("user", "(Stop)") == Status::finished);
    CHECK(later.told() == "open");
    // A timer's where likewise.
    Running timer(ports + "(define gate #f) (start t 10) (spawn (select ((timeout t) (where gate) (display "
                          "'open)) ((timeout t) (display 'shut))))"
                          "(select ((after 10) (set! gate #t)))");
    CHECK(timer.start() == Status::stable);
    CHECK(timer.interpreter->pass_time() == Status::finished);
    CHECK(timer.told() == "open");
}

TEST_CASE("a port's message goes to the lowest-numbered waiting thread with a clause that accepts it") {
    Running run(ports + "(define (serve name low) (select ((user (Go n)) (where (>= n low)) (display (list "
                        "name n)) (serve name low))))"
                        "(spawn (serve 'one 10)) (spawn (serve 'two 5)) (spawn (serve 'three 5)) (select "
                        "((user Stop) (display 'zero)))");
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Go 7)") == Status::stable);
    CHECK(run.send("user", "(Go 12)") == Status::stable);
    CHECK(run.send("user", "(Go 4)") == Status::refused);
    CHECK(run.send("user", "(Stop)") == Status::stable);
    CHECK(run.told() == "(two 7); (one 12); zero");
}

TEST_CASE("a thread takes at most one timer for each passing of time") {
    Running run(ports + "(start t 10) (start u 10)"
                        "(define (f n) (if (< n 2) (select ((timeout t) (display 't) (f (+ n 1))) ((timeout "
                        "u) (display 'u) (f (+ n 1)))) n)) (f 0)");
    CHECK(run.start() == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::stable);
    CHECK(run.told() == "t");
    CHECK(run.interpreter->pass_time() == Status::finished);
    CHECK(run.interpreter->now() == 10);
    CHECK(run.told() == "u");
}

TEST_CASE("timers ready together: each thread takes its first clause whose timer is ready") {
    Running run(ports + "(start t 10) (start u 10) (spawn (select ((timeout u) (display 'one-u)) ((timeout "
                        "t) (display 'one-t))))"
                        "(select ((timeout t) (display 'zero-t)) ((timeout u) (display 'zero-u)))");
    CHECK(run.start() == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::finished);
    CHECK(run.told() == "zero-t; one-u");
}

TEST_CASE("a ready timer stays so until it is taken, started or stopped") {
    // t becomes due while nobody waits for it.
    const std::string wait_first = "(start t 10) (select ((after 20) 0)) ";
    Running taken(ports + wait_first + "(select ((timeout t) 'taken))");
    CHECK(taken.start() == Status::stable);
    CHECK(taken.interpreter->pass_time() == Status::stable);
    CHECK(taken.interpreter->now() == 20);
    REQUIRE(taken.interpreter->offers().size() == 1);
    CHECK(taken.interpreter->offers()[0].due_in == 0);
    CHECK(taken.interpreter->pass_time() == Status::finished);
    CHECK(taken.interpreter->now() == 20);
    CHECK(taken.result() == "taken");
    Running started(ports + wait_first + "(start t 5) (select ((timeout t) 'taken))");
    CHECK(started.start() == Status::stable);
    CHECK(started.interpreter->pass_time() == Status::stable);
    CHECK(started.interpreter->pass_time() == Status::finished);
    CHECK(started.interpreter->now() == 25);
    Running stopped(ports + wait_first + "(stop t) (select ((timeout t) 'taken) ((user Stop) 'stopped))");
    CHECK(stopped.start() == Status::stable);
    CHECK(stopped.interpreter->pass_time() == Status::stable);
    CHECK(stopped.interpreter->pass_time() == Status::refused);
    CHECK(stopped.send("user", "(Stop)") == Status::finished);
}

TEST_CASE("a due timer whose guards all fail is spent") {
    Running run(ports + "(start t 10) (define (f) (select ((timeout t) (where #f) 'never) ((user Go) (f)) "
                        "((user Stop) 'end))) (f)");
    CHECK(run.start() == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::stable);
    CHECK(run.interpreter->now() == 10);
    CHECK(run.interpreter->pass_time() == Status::refused);
    CHECK(run.send("user", "(Go 1)") == Status::stable); // waiting anew does not bring it back
    CHECK(run.interpreter->pass_time() == Status::refused);
    CHECK(run.send("user", "(Stop)") == Status::finished);
}

TEST_CASE("after counts from the beginning of each wait") {
    Running run(ports + "(define (f n) (select ((after 30) n) ((user Go) (f (+ n 1))))) (f 0)");
    CHECK(run.start() == Status::stable);
    CHECK(run.interpreter->pass_time(20) == Status::stable);
    CHECK(run.send("user", "(Go 1)") == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::finished);
    CHECK(run.interpreter->now() == 50);
    CHECK(run.result() == "1");
    Running two(ports + "(select ((after 30) 'thirty) ((after 20) (where #f) 'no) ((after 25) 'second))");
    CHECK(two.start() == Status::stable);
    CHECK(two.interpreter->pass_time() == Status::stable);
    CHECK(two.interpreter->pass_time() == Status::finished);
    CHECK(two.interpreter->now() == 25);
    CHECK(two.result() == "second");
}

TEST_CASE("delays must be positive") {
    CHECK(result_of("(start t -1)") == "start: a delay must be positive, and this one is -1");
    CHECK(result_of("(select ((after 0) 1))") == "after: a delay must be positive, and this one is 0");
    CHECK(result_of("(start t 'soon)") == "start: soon is not a delay in whole time units");
}

TEST_CASE("a source is evaluated once, before the wait, and any expression may stand there") {
    Running run(ports + "(define (pick x) (display x) (if (= x 1) user other)) (define which (list c user))"
                        "(define (f) (select (((pick 1) (Go n)) (list 'user n)) (((pick 2) Go as m) (list "
                        "'other m)) (((car which) any) 'c))) (f)");
    CHECK(run.start() == Status::stable);
    CHECK(run.told() == "1; 2");
    CHECK(run.send("other", "(Go 3)") == Status::finished);
    CHECK(run.told().empty());
    CHECK(run.result() == "(other (Go 3))");
}

TEST_CASE("bodies are tail positions") {
    InterpreterOptions small;
    small.stack_limit = size_t{1} << 16;
    Running run(ports + "(define (f n) (select ((c (Go k)) (if (< n 300000) (begin (send c (Go k)) (f (+ n "
                        "1))) n)))) (send c (Go 1)) (f 0)",
                small);
    CHECK(run.start() == Status::finished);
    CHECK(run.result() == "300000");
}

TEST_CASE("receive and read wait for anything there") {
    CHECK(result_of("(send c 1) (send c \"two\") (send c '(3)) (let* ((x (receive c)) (y (receive c)) (z "
                    "(receive c))) (list x y z))") == "(1 \"two\" (3))");
    Running run(ports + "(define a (read user)) (define b (read (int 1 3))) (define k (read (enum x y))) "
                        "(list a b k (read) (read string))");
    CHECK(run.start() == Status::stable);
    CHECK(run.send("other", "(Go 1)") == Status::refused);
    CHECK(run.send("user", "(Stop)") == Status::stable);
    CHECK(run.send("in", "4") == Status::refused);
    CHECK(run.send("in", "3") == Status::stable);
    CHECK(run.send("in", "z") == Status::refused);
    CHECK(run.send("in", "y") == Status::stable);
    CHECK(run.send("in", "-99999999999999999999") == Status::stable);
    CHECK(run.send("in", "7") == Status::refused);
    CHECK(run.send("in", "\"s\"") == Status::finished);
    CHECK(run.result() == "((Stop) 3 y -99999999999999999999 \"s\")");
}

TEST_CASE("what the model waits for") {
    Running run(ports + "(start t 9) (spawn (read bool)) (select ((user (Go 1)) 1) ((c any) 2) ((timeout t) "
                        "3) ((timeout u) 4) ((after 20) 5))");
    CHECK(run.start() == Status::stable);
    std::string text;
    for (const Offer& o : run.interpreter->offers())
        text += std::to_string(o.thread) +
                (o.kind == Offer::Kind::timer  ? "t" + o.due_in.text()
                 : o.kind == Offer::Kind::bare ? "b"
                                               : "m") +
                " ";
    CHECK(text == "0m 0t9 0t20 1b ");
}
