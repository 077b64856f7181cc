// Threads, channels, select and time.
#include <doctest/doctest.h>

#include "tests/lang/running.hpp"

using namespace espalier;

namespace {

const std::string ports = "(define-message Go (n int)) (define-message Stop) (define-message Done (n int))"
                          "(define-port user in Go Stop) (define-port other in Go) (define-port net out Done)"
                          "(define-channel c) (define-channel d) (define-timer t) (define-timer u)";

std::string failure_of(const std::string& text) {
    Running run(ports + text);
    CHECK(run.start() == Status::model_error);
    return run.error();
}

} // namespace

TEST_CASE("threads run until they wait, the lowest number first") {
    Running run(ports + "(spawn (display 1) (receive c) (display 1)) (spawn (display 2) (send c 0) (display 22))"
                        "(display 0)");
    CHECK(run.start() == Status::finished);
    CHECK(run.told() == "0; 1; 2; 22; 1");
    Running traced(ports + "(spawn (receive c)) (send c 5)");
    traced.trace = true;
    CHECK(traced.start() == Status::finished);
    CHECK(traced.told() == "1 starts; 0 sends 5; 0 ends; 1 receives 5; 1 ends");
}

TEST_CASE("channels keep their order, and messages for others wait") {
    Running run(ports + "(spawn (let loop () (display (receive c)) (loop))) (spawn (display (receive d)))"
                        "(send d 'x) (send c 1) (send c 2) (read)");
    CHECK(run.start() == Status::stable);
    CHECK(run.told() == "1; 2; x");
}

TEST_CASE("a select takes the first clause that a queued head satisfies") {
    const std::string loop = "(define (serve) (select ((c (Go n)) (where (> n 5)) (display (list 'big n)) (serve))"
                             " ((d any as m) (display (list 'd m)) (serve))"
                             " ((c Go as m) (display (list 'c (Go-n m))) (serve))"
                             " ((c Stop) 'done)))";
    Running run(ports + loop + "(send c (Go 1)) (send c (Go 9)) (send d 'm) (send c (Stop)) (serve)");
    CHECK(run.start() == Status::finished);
    CHECK(run.told() == "(d m); (c 1); (big 9)");
    CHECK(run.result() == "done");
    Running literal(ports +
                    "(define (f) (select ((c (Go 7)) 'seven) ((c (Go _)) (f)))) (send c (Go 1)) (send c (Go 7)) (f)");
    CHECK(literal.start() == Status::finished);
    CHECK(literal.result() == "seven");
}

TEST_CASE("what no clause takes goes to else, or is a mistake") {
    Running run(ports +
                "(send c (Stop)) (send c 'odd) (define (f) (select ((c Go) 1) ((d any) 2) (else (display 'else) 3)))"
                "(list (f) (f))");
    CHECK(run.start() == Status::finished);
    CHECK(run.told() == "else; else");
    CHECK(failure_of("(send c (Stop)) (select ((c Go) 1) ((d any) 2))") ==
          "no clause takes (Stop), which is next in a channel");
    CHECK(failure_of("(define x c) (set! x 5) (select ((x Go) 1))") ==
          "cannot wait for 5, which is neither a port nor a channel");
    CHECK(failure_of("(define p user) (set! p other) (select ((p Stop) 1))") ==
          "the port other does not carry Stop in");
    CHECK(failure_of("(define p user) (set! p net) (read p)") == "the port net carries nothing in");
    CHECK(failure_of("(define x t) (set! x 5) (select ((timeout x) 1))") == "timeout: 5 is not a timer");
    CHECK(failure_of("(define x c) (set! x 5) (send x 1)") == "send: 5 is not a channel");
}

TEST_CASE("a clause that cannot be waited for is the place of its error") {
    Running run(ports + "(define p user) (set! p other) (select ((user Go) 1) ((p Stop) 2))");
    CHECK(run.start() == Status::model_error);
    CHECK(run.error_at().find("p Stop") != std::string::npos);
    CHECK(run.error_at().find("user") == std::string::npos);
}

TEST_CASE("a message goes to the lowest thread that accepts it, or nowhere") {
    Running run(ports + "(define limit 5)"
                        "(define (serve name) (select ((user (Go n)) (where (begin (checkpoint asked) (> n limit)))"
                        " (display (list name n)) (serve name)) ((other (Go n)) (set! limit n) (serve name))))"
                        "(spawn (set! limit 5) (select ((user (Go n)) (where (even? n)) (display (list 'even n)))))"
                        "(serve 'top)");
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Go 3)") == Status::refused);
    CHECK(run.send("user", "(Stop)") == Status::refused);
    CHECK(run.told().empty()); // tests of a message that nobody takes leave no trace
    CHECK(run.interpreter->offers().size() == 3);
    CHECK(run.send("user", "(Go 7)") == Status::stable);
    CHECK(run.told() == "mark asked; (top 7)");
    CHECK(run.send("user", "(Go 2)") == Status::stable);
    CHECK(run.told() == "mark asked; (even 2)");
    CHECK(run.send("other", "(Go 1)") == Status::stable);
    CHECK(run.send("user", "(Go 2)") == Status::stable);
    CHECK(run.told() == "mark asked; (top 2)");
}

TEST_CASE("refused tests leave the thread as it was") {
    // The tests call procedures and need different variables; each is tried again and again.
    Running run(ports + "(define (big? n k) (> n (* k 10)))"
                        "(define (serve a b sum) (select ((user (Go n)) (where (big? n a)) (serve a b (+ sum n)))"
                        " ((user (Go n)) (where (and (odd? n) (big? n (- b 3)))) (serve a b (- sum b)))"
                        " ((user Stop) (where (> sum 100)) (write net (Done sum)))"
                        " ((c any) 'never)))"
                        "(serve 9 4 1)");
    CHECK(run.start() == Status::stable);
    for (int i = 0; i < 3; ++i) {
        CHECK(run.send("user", "(Go 10)") == Status::refused);
        CHECK(run.send("user", "(Go 7)") == Status::refused);
        CHECK(run.send("user", "(Stop)") == Status::refused);
    }
    CHECK(run.send("user", "(Go 91)") == Status::stable);
    CHECK(run.send("user", "(Go 11)") == Status::stable);
    CHECK(run.send("user", "(Stop)") == Status::refused);
    CHECK(run.send("user", "(Go 100)") == Status::stable);
    CHECK(run.send("user", "(Stop)") == Status::finished);
    CHECK(run.told() == "net:(Done 188)");
}

TEST_CASE("what messages demand of inputs") {
    Running run("(define-message Pair (a int) (b int) (where (< a b))) (define-message Wrap (p Pair))"
                "(define-port user in Pair Wrap) (define (f) (read user) (f)) (f)");
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Pair 1 2)") == Status::stable);
    CHECK(run.send("user", "(Pair 2 1)") == Status::refused);
    CHECK(run.send("user", "(Wrap (Pair 2 1))") == Status::refused);
    CHECK(run.send("user", "(Wrap (Pair 1 2))") == Status::stable);
}

TEST_CASE("deadlock, and services that may wait for ever") {
    Running run(ports + "(define (wait) (receive c)) (spawn (+ 1 (wait))) (spawn-service (receive c)) (receive d)");
    CHECK(run.start() == Status::model_error);
    CHECK(run.error() == "deadlock: the threads 0, 1 wait for ever");
    CHECK(run.error_at() == "(receive d)");
    REQUIRE(run.interpreter->error()->backtrace.size() == 2);
    CHECK(run.model.sources.text(run.interpreter->error()->backtrace[1].span) == "(receive c)");
    Running services(ports + "(spawn-service (let loop () (display (receive c)) (loop))) (send c 1)");
    CHECK(services.start() == Status::finished);
    CHECK(services.told() == "1");
    Running stopped(ports + "(select ((timeout t) 1))");
    CHECK(stopped.start() == Status::model_error);
    CHECK(stopped.error() == "deadlock: thread 0 waits for ever");
    Running port_service(ports + "(spawn-service (read user)) 1");
    CHECK(port_service.start() == Status::stable);
}

TEST_CASE("time passes to the earliest deadline that somebody waits for") {
    Running run(ports + "(start t 30) (start u 10) (define (f) (select ((timeout t) (display 't) (f))"
                        " ((after 50) (display 'after)) ((user Stop) (stop t) (f)))) (f)");
    CHECK(run.start() == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::stable);
    CHECK(run.interpreter->now() == 30);
    CHECK(run.told() == "t");
    CHECK(run.interpreter->offers().size() == 2);
    CHECK(run.interpreter->offers()[0].due_in == 50); // `after` counts from the beginning of the wait
    CHECK(run.interpreter->pass_time(49) == Status::stable);
    CHECK(run.interpreter->now() == 79);
    CHECK(run.told().empty());
    CHECK(run.interpreter->pass_time(10) == Status::finished);
    CHECK(run.interpreter->now() == 80);
    CHECK(run.interpreter->time_left_to_pass() == 9);
    CHECK(run.told() == "after");
    Running none(ports + "(read user)");
    CHECK(none.start() == Status::stable);
    CHECK(none.interpreter->pass_time() == Status::refused);
    CHECK(none.interpreter->pass_time(5) == Status::stable);
    CHECK(none.interpreter->now() == 5);
}

TEST_CASE("timers due together are all taken, one for each thread") {
    Running run(ports +
                "(start t 10) (start u 10)"
                "(spawn (select ((timeout u) (display 'u1))) (select ((timeout u) (display 'u2)) ((user Stop) 0)))"
                "(select ((timeout t) (display 't))) (select ((timeout t) (display 'again)) ((user Stop) 0))");
    CHECK(run.start() == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::stable);
    CHECK(run.told() == "t; u1");
    CHECK(run.interpreter->now() == 10);
}

TEST_CASE("a timer already due is a stable state of its own") {
    Running run(ports + "(start t 10) (start u 10) (define (f n) (select ((timeout t) (display 't) (f (+ n 1)))"
                        " ((timeout u) (display 'u) (f (+ n 1))) ((user Stop) (display n)))) (f 0)");
    CHECK(run.start() == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::stable);
    CHECK(run.told() == "t");
    REQUIRE(run.interpreter->offers().size() == 1); // u is due: to let no time pass is all there is to do
    CHECK(run.interpreter->offers()[0].due_in == 0);
    CHECK(run.send("user", "(Stop)") == Status::refused);
    CHECK(run.interpreter->pass_time() == Status::stable);
    CHECK(run.interpreter->now() == 10);
    CHECK(run.told() == "u");
    CHECK(run.send("user", "(Stop)") == Status::finished);
    CHECK(run.told() == "2");
}

TEST_CASE("a fired timer whose guards all refuse is spent") {
    Running run(ports +
                "(define open #f) (start t 10)"
                "(spawn (select ((timeout t) (where open) (display 'one)) ((after 10) (where open) (display 'a))"
                " ((user Go) (set! open #t))))"
                "(select ((timeout t) (where open) (display 'zero)) ((user Stop) 0))");
    CHECK(run.start() == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::stable);
    CHECK(run.told().empty());
    CHECK(run.interpreter->pass_time() == Status::refused);
    CHECK(run.interpreter->offers().size() == 2);
    Running second(ports + "(start t 10) (spawn (select ((timeout t) (display 'one))))"
                           "(select ((timeout t) (where #f) (display 'zero)) ((user Stop) 0))");
    CHECK(second.start() == Status::stable);
    CHECK(second.interpreter->pass_time() == Status::stable); // what one thread refuses, another may take
    CHECK(second.told() == "one");
}

TEST_CASE("a thread that runs first may stop the timer of the next") {
    Running run(ports + "(start t 10) (start u 10) (spawn (select ((timeout u) (display 'u)) ((user Stop) 0)))"
                        "(select ((timeout t) (stop u) (display 't)))");
    CHECK(run.start() == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::stable);
    CHECK(run.told() == "t");
    Running restarted(ports + "(start t 10) (start t 20) (select ((timeout t) 1))");
    CHECK(restarted.start() == Status::stable);
    CHECK(restarted.interpreter->offers()[0].due_in == 20);
}

TEST_CASE("channels and timers compete in the order of the clauses") {
    const auto told = [](const std::string& clauses) {
        Running run(ports + "(start t 10) (start u 10) (spawn (select " + clauses +
                    "))"
                    "(select ((timeout u) (send c 'm)))");
        CHECK(run.start() == Status::stable);
        CHECK(run.interpreter->pass_time() == Status::finished);
        return run.told();
    };
    CHECK(told("((timeout t) (display 't)) ((c any) (display 'c))") == "t");
    CHECK(told("((c any) (display 'c)) ((timeout t) (display 't))") == "c");
}

TEST_CASE("delays must be positive whole numbers") {
    CHECK(failure_of("(start t 0)") == "start: a delay must be positive, and this one is 0");
    CHECK(failure_of("(start t 1/2)") == "start: 1/2 is not a delay in whole time units");
    CHECK(failure_of("(select ((after -1) 1))") == "after: a delay must be positive, and this one is -1");
    CHECK(failure_of("(define x t) (set! x 1) (start x 5)") == "start: 1 is not a timer");
    CHECK(failure_of("(define x t) (set! x 1) (stop x)") == "stop: 1 is not a timer");
}

TEST_CASE("queues, waits and inputs survive collections") {
    Running run(ports + "(define (garbage n) (if (> n 0) (begin (make-vector 100 n) (garbage (- n 1)))))"
                        "(spawn (let loop ((sum 0)) (select ((c (Go n)) (loop (+ sum n))) ((c Stop) (write "
                        "net (Done sum))))))"
                        "(define (serve) (let ((m (read user))) (garbage 100000) (send c m) (garbage 100000)"
                        " (if (Stop? m) 'end (serve)))) (serve)");
    CHECK(run.start() == Status::stable);
    for (int i = 1; i <= 5; ++i) CHECK(run.send("user", "(Go " + std::to_string(i) + ")") == Status::stable);
    CHECK(run.send("user", "(Stop)") == Status::finished);
    CHECK(run.told() == "net:(Done 15)");
    CHECK(run.interpreter->heap().collections() > 0);
}

TEST_CASE("many threads") {
    Running run(ports + "(define (ring n in) (if (= n 0) in (let ((out (make-channel)))"
                        " (spawn (let loop () (let ((v (receive in))) (send out v) (if (> v 0) (loop))))) "
                        "(ring (- n 1) out))))"
                        "(define last (ring 200 c)) (send c 2) (send c 1) (send c 0)"
                        "(let* ((x (receive last)) (y (receive last)) (z (receive last))) (list x y z))");
    CHECK(run.start() == Status::finished);
    CHECK(run.result() == "(2 1 0)");
}
