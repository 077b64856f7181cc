// Very many threads: what happens costs in proportion to what happens, not to the threads that there are. Said in looks
// at threads, which are as many on every machine.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lang/lang.hpp"
#include "lang/vm/scheduler.hpp"

using namespace espalier;

namespace {

struct Shape {
    std::string name;
    std::string text; // N stands for how many threads
    std::function<void(vm::Scheduler& run, int n)> drive = [](vm::Scheduler&, int) {};
};

const std::string many = "(define (many n make) (if (> n 0) (begin (make n) (many (- n 1) make))))";

void let_time_pass(vm::Scheduler& run, int) {
    int passed = 0;
    for (Status s = Status::stable; s == Status::stable; ++passed) s = run.pass_time(std::nullopt);
    CHECK(passed > 1);
}

void send_to_port(vm::Scheduler& run, int n) {
    const auto& ports = run.runner().program.ports;
    const auto in = std::find_if(ports.begin(), ports.end(), [](const PortDef& p) { return name_of(p.name) == "in"; });
    const PortId port{static_cast<uint32_t>(in - ports.begin())};
    for (int i = 0; i < n; ++i) REQUIRE(run.deliver(port, Value::fixnum(i)) != Status::refused);
}

const std::vector<Shape> shapes{
    {"services that wait for one channel", "(define-channel c) (many N (lambda (i) (spawn-service (receive c))))"},
    {"as many messages for them",
     "(define-channel c) (many N (lambda (i) (spawn-service (receive c))))"
     "(define (sender) (select ((after 1) (many N (lambda (i) (send c i)))))) (sender)",
     [](vm::Scheduler& run, int) { CHECK(run.pass_time(std::nullopt) == Status::finished); }},
    {"messages one after the other",
     "(define-channel c) (define-channel d) (define (serve) (send d (receive c)) (serve))"
     "(many N (lambda (i) (spawn-service (serve))))"
     "(many N (lambda (i) (send c i) (receive d)))"},
    {"messages from one thread to the next",
     "(define (ring n in) (if (= n 0) in (let ((out (make-channel))) (spawn (send out (receive in)))"
     " (ring (- n 1) out)))) (define first (make-channel)) (define last (ring N first)) (send first 1) (receive last)"},
    {"threads that end", "(many N (lambda (i) (spawn i)))"},
    {"threads that wait for a port", "(many N (lambda (i) (spawn (read))))", send_to_port},
    {"a thread at a port among services",
     "(define-channel c) (many N (lambda (i) (spawn-service (receive c)))) (define (serve) (read) (serve)) (serve)",
     send_to_port},
    {"a thread at a port that sends to services",
     "(define-channel c) (define (take) (receive c) (take)) (many N (lambda (i) (spawn-service (take))))"
     "(define (serve) (send c (read)) (serve)) (serve)",
     send_to_port},
    {"delays", "(many N (lambda (i) (spawn (select ((after i) i)))))", let_time_pass},
    {"a timer for each", "(many N (lambda (i) (let ((t (make-timer))) (start t i) (spawn (select ((timeout t) i))))))",
     let_time_pass},
    {"one timer that all refuse",
     "(define-timer t) (define-timer u) (start t 1) (start u 2) (define open #f)"
     "(many N (lambda (i) (spawn-service (select ((timeout t) (where open) i))))) (select ((timeout u) 1))",
     let_time_pass},
};

uint64_t looks(const Shape& shape, int n) {
    std::string text = many + shape.text;
    for (size_t at = text.find('N'); at != std::string::npos; at = text.find('N', at))
        text.replace(at, 1, std::to_string(n));
    const Model model = compile_text(text);
    for (const Diagnostic& d : model.diagnostics.all())
        if (d.severity == Severity::error) FAIL(render(model.sources, d));
    vm::SharedCode code(*model.program, vm::SharedCode::Runs::one, {});
    Listener nobody;
    vm::Scheduler run(code, nobody, {});
    const Status status = run.start();
    if (status == Status::model_error) FAIL(run.error()->text);
    shape.drive(run, n);
    if (run.error()) FAIL(run.error()->text);
    return run.looks();
}

} // namespace

TEST_CASE("twice the threads take twice the looks at them") {
    for (const Shape& shape : shapes) {
        CAPTURE(shape.name);
        const uint64_t less = looks(shape, 200), more = looks(shape, 400);
        MESSAGE(shape.name << ": " << less << ", " << more);
        CHECK(less >= 200);
        CHECK(more <= less * 21 / 10);
    }
}

TEST_CASE("one hundred thousand services wait for one channel") { CHECK(looks(shapes[0], 100'000) <= 300'000); }
