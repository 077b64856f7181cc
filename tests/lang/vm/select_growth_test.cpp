// Very many clauses: a message costs in proportion to the clauses that may take it, not to the clauses that there are.
// Said in looks at the sources of waits, which are as many on every machine.
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "lang/vm/scheduler.hpp"
#include "tests/lang/running.hpp"

using namespace espalier;

namespace {

std::string repeated(int count, const std::function<std::string(const std::string& i)>& line) {
    std::string text;
    for (int i = 0; i < count; ++i) text += line(std::to_string(i)) + "\n";
    return text;
}

std::string messages(int n) {
    return repeated(n, [](auto i) { return "(define-message M" + i + " (a int))"; }) + "(define-port p in" +
           repeated(n, [](auto i) { return " M" + i; }) + ")\n";
}

// Looks while the model gets a message of each type.
uint64_t looks(int n, const std::string& clauses) {
    const Model model = compile_text(
        messages(n) + "(define-channel c) (define-timer t)\n(define-machine (m) (state s " + clauses + "))\n(m)");
    for (const Diagnostic& d : model.diagnostics.all())
        if (d.severity == Severity::error) FAIL(render(model.sources, d));
    vm::SharedCode code(*model.program, vm::SharedCode::Runs::one, {});
    Listener nobody;
    vm::Scheduler run(code, nobody, {});
    REQUIRE(run.start() == Status::stable);
    const PortId port{static_cast<uint32_t>(model.program->ports.size() - 1)};
    REQUIRE(model.program->port_name(port) == "p");
    for (int i = 0; i < n; ++i) {
        Message* m = run.runner().heap.message(MessageId{static_cast<uint32_t>(i)}, 1);
        m->fields[0] = Value::fixnum(1);
        REQUIRE(run.deliver(port, Value::object(m)) == Status::stable);
    }
    return run.source_looks();
}

} // namespace

TEST_CASE("twice the clauses and twice the messages take twice the looks at sources") {
    const auto clause = [](auto i) { return "(on (p (M" + i + " a)) (write a))"; };
    const auto guarded = [](auto i) { return "(on (p (M" + i + " a)) (where (> a 5)) (write 0))"; };
    const auto queued = [](auto i) { return "(on (c (M" + i + " a)) (write a))"; };
    const std::vector<std::function<std::string(int)>> shapes{
        [&](int n) { return repeated(n, clause); },
        [&](int n) { return repeated(n, guarded) + repeated(n, clause); }, // each is a candidate once more
        [&](int n) { return repeated(n, queued) + "(on (timeout t) (write 0))" + repeated(n, clause) + "(ignores p)"; },
        [&](int n) {
            return repeated(n, [](auto i) { return "(on (p (M" + i + " a)) (send c (M" + i + " a)))"; }) +
                   repeated(n, queued);
        },
    };
    for (size_t shape = 0; shape < shapes.size(); ++shape) {
        CAPTURE(shape);
        const uint64_t less = looks(200, shapes[shape](200)), more = looks(400, shapes[shape](400));
        MESSAGE("shape " << shape << ": " << less << ", " << more);
        CHECK(less >= 200);
        CHECK(less <= 200 * 20);
        CHECK(more <= less * 21 / 10);
    }
}
