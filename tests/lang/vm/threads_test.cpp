// Threads, services, deadlock, and when a run ends.
#include <doctest/doctest.h>

#include "tests/lang/running.hpp"

using namespace espalier;

namespace {

const std::string ports = "(define-message Go (n int)) (define-port user in Go) (define-port net out Go)"
                          "(define-channel c) (define-channel d) (define-timer t)";

// How the run of a text that needs no input ends: a status, or the text of the model error.
std::string end_of(const std::string& text) {
    Running run(ports + text);
    const Status status = run.start();
    return status == Status::model_error ? run.error() : std::string(toString(status).c_str());
}

} // namespace

TEST_CASE("the top level is thread 0; its end does not end the others") {
    Running run(ports + "(spawn (read user) (display 'one)) (display 'zero) 'result");
    CHECK(run.start() == Status::stable);
    CHECK(run.told() == "zero");
    CHECK(run.send("user", "(Go 1)") == Status::finished);
    CHECK(run.told() == "one");
    CHECK(run.result() == "result");
}

TEST_CASE("a run ends when no thread is left, or only services that wait on channels") {
    CHECK(end_of("1") == "finished");
    CHECK(end_of("(spawn 1) (spawn 2)") == "finished");
    CHECK(end_of("(spawn-service (receive c))") == "finished");
    CHECK(end_of("(spawn-service (let loop () (receive c) (loop))) (send c 1) (send c 2)") == "finished");
    CHECK(end_of("(spawn-service (select ((c any) 1) ((timeout t) 2)))") == "finished"); // t does not run
    CHECK(end_of("(spawn-service (read user))") == "stable");
    CHECK(end_of("(spawn-service (select ((c any) 1) ((after 5) 2)))") == "stable");
    CHECK(end_of("(start t 5)") == "finished"); // a timer that nobody waits for is no reason to go on
}

TEST_CASE("any other thread that waits for ever is a deadlock, named with its threads") {
    CHECK(end_of("(receive c)") == "deadlock: thread 0 waits for ever");
    CHECK(end_of("(spawn (receive c)) 1") == "deadlock: thread 1 waits for ever");
    CHECK(end_of("(spawn (receive c)) (spawn-service (receive c)) (spawn (receive d)) 1") ==
          "deadlock: the threads 1, 3 wait for ever");
    CHECK(end_of("(spawn (send d (receive c))) (send c (receive d))") == "deadlock: the threads 0, 1 wait for ever");
    CHECK(end_of("(select ((timeout t) 1))") == "deadlock: thread 0 waits for ever");
    // Somebody still waits for the tester: no deadlock yet, but there is one when that is over.
    Running run(ports + "(spawn (receive c)) (read user)");
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Go 1)") == Status::model_error);
    CHECK(run.error() == "deadlock: thread 1 waits for ever");
    CHECK(run.error_at() == "(receive c)");
}

TEST_CASE("threads run until they wait, the lowest number first") {
    Running run(ports + "(define (say x) (display x)) (spawn (say 'a1) (send d 0) (say 'b1) (receive c) (say 'c1))"
                        "(spawn (say 'a2) (receive d) (say 'b2) (send c 0) (say 'c2)) (say 'a0) (read user) (say 'b0)");
    CHECK(run.start() == Status::stable);
    CHECK(run.told() == "a0; a1; b1; a2; b2; c2; c1");
    CHECK(run.send("user", "(Go 1)") == Status::finished);
    CHECK(run.told() == "b0");
}

TEST_CASE("threads share all variables, and close over what is around them") {
    Running run(ports + "(define shared 0) (define (start-one n) (let ((own n)) (spawn (set! shared (+ shared own)) "
                        "(set! own 0) (send c own))))"
                        "(start-one 1) (start-one 10) (start-one 100) (receive c) (receive c) (receive c) shared");
    CHECK(run.start() == Status::finished);
    CHECK(run.result() == "111");
}

TEST_CASE("threads may start threads, with numbers in order") {
    Running run(ports + "(spawn (spawn (display 3) (spawn-service (receive c))) (display 1)) (spawn (display 2))");
    run.trace = true;
    CHECK(run.start() == Status::finished);
    CHECK(run.told() == "1 starts; 2 starts; 0 ends; 3 starts; 1; 1 ends; 2; 2 ends; 3; 4 starts; 3 ends");
}

TEST_CASE("two threads that wait on one channel: the lower number takes the message") {
    Running run(ports + "(spawn (display (list 1 (receive c)))) (spawn (display (list 2 (receive c)))) (read "
                        "user) (send c 'a) (read user) (send c 'b)");
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Go 1)") == Status::stable);
    CHECK(run.told() == "(1 a)");
    CHECK(run.send("user", "(Go 1)") == Status::finished);
    CHECK(run.told() == "(2 b)");
}

TEST_CASE("a model error in any thread ends the run there, with that thread's backtrace") {
    Running run(ports + "(define (f x) (+ 1 (car x))) (spawn (display 'before) (list (f 5)) (display "
                        "'after)) (spawn (display 'never)) (receive c)");
    CHECK(run.start() == Status::model_error);
    CHECK(run.told() == "before");
    CHECK(run.error_at() == "(car x)");
    REQUIRE(run.interpreter->error()->backtrace.size() >= 2);
    CHECK(name_of(run.interpreter->error()->backtrace[0].procedure) == "f");
    CHECK(run.model.sources.text(run.interpreter->error()->backtrace[1].span) == "(f 5)");
}

TEST_CASE("an assumption that fails ends the whole run, without an error") {
    Running run(ports + "(spawn (display 'never)) (display 'before) (assume (= 1 2)) (display 'after)");
    CHECK(run.start() == Status::assume_failed);
    CHECK(run.told() == "before");
    CHECK_FALSE(run.interpreter->error());
}

TEST_CASE("spawn keeps its expressions for the thread; send never blocks") {
    Running run(ports + "(spawn (display 'in) (display 'thread)) (display 'top) (define (fill n) (if (> n 0) "
                        "(begin (send c n) (fill (- n 1)))))"
                        "(fill 100000) (define (drain sum n) (if (= n 0) sum (drain (+ sum (receive c)) (- n "
                        "1)))) (drain 0 100000)");
    CHECK(run.start() == Status::finished);
    CHECK(run.told() == "top; in; thread");
    CHECK(run.result() == "5000050000");
}
