// State machines: the order of effects, nesting, timers, and what stays when a machine stays.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/lang/running.hpp"

using namespace espalier;

namespace {

const std::string ports =
    "(define-message Go (n int)) (define-message Up) (define-message Odd) (define-message Out (n int))"
    "(define-port user in Go Up Odd) (define-port net out Out) (define-channel c) (define-timer t)"
    "(define (say x) (display x) x)";

std::string machine(const std::string& states, const std::string& call = "(m)", const std::string& head = "(m)") {
    return ports + "(define-machine " + head + states + ")" + call;
}

// What was told, without the marks of states and transitions.
std::string said(Running& run) {
    std::string all = run.told(), out;
    size_t at = 0;
    while (at <= all.size() && !all.empty()) {
        const size_t end = std::min(all.find("; ", at), all.size());
        const std::string word = all.substr(at, end - at);
        if (word.substr(0, 5) != "mark ") out += (out.empty() ? "" : " ") + word;
        at = end + 2;
    }
    return out;
}

std::string first_error(const std::string& text) {
    const Model model = compile_text(text);
    for (const Diagnostic& d : model.diagnostics.all())
        if (d.severity == Severity::error) return d.text;
    return "none";
}

} // namespace

TEST_CASE("order of effects: action, target's values, exit, assignment, entry") {
    Running run(machine("(state a (on (user (Go n)) (say 'action) -> (b (begin (say (list 'value x)) n) (say 'second)))"
                        " (exit (say (list 'exit x y))))"
                        "(state b (entry (say (list 'entry x y))) (on (user Up) -> a (with (y (say 'with)))))",
                        "(m 1 2)", "(m x y)"));
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Go 7)") == Status::stable);
    CHECK(said(run) == "action (value 1) second (exit 1 2) (entry 7 second)");
    CHECK(run.send("user", "(Up)") == Status::stable);
    CHECK(said(run) == "with");
    CHECK(run.send("user", "(Go 8)") == Status::stable);
    CHECK(said(run) == "action (value 7) second (exit 7 with) (entry 8 second)");
}

TEST_CASE("an arrow's values are all evaluated before any is assigned") {
    Running run(
        machine("(state a (on (user Up) -> (a y x)) (on (user Odd) -> a (with (y x) (x y))) (on (user Go) -> e))"
                "(state e (final (list x y)))",
                "(m 1 2)", "(m x y)"));
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Up)") == Status::stable);
    CHECK(run.send("user", "(Odd)") == Status::stable);
    CHECK(run.send("user", "(Up)") == Status::stable);
    CHECK(run.send("user", "(Go 0)") == Status::finished);
    CHECK(run.result() == "(2 1)");
}

TEST_CASE("clauses in order; a false where goes on to the next") {
    Running run(machine("(state a (on (user (Go n)) (where (> n 10)) (say 'big)) (on (user (Go 5)) (say 'five))"
                        " (on (user (Go n)) (where (> n 0)) (say 'small)) (on (user Odd as m) (say m)))"));
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Go 11)") == Status::stable);
    CHECK(run.send("user", "(Go 5)") == Status::stable);
    CHECK(run.send("user", "(Go 6)") == Status::stable);
    CHECK(run.send("user", "(Odd)") == Status::stable);
    CHECK(said(run) == "big five small (Odd)");
    CHECK(run.send("user", "(Go 0)") == Status::refused);
    CHECK(run.send("user", "(Up)") == Status::refused);
}

TEST_CASE("without an arrow the machine stays, and is not entered again; an arrow to the state itself enters it") {
    Running run(machine("(state a (locals (n 0)) (entry (say 'in)) (exit (say 'out))"
                        " (on (user Go) (set! n (+ n 1)) (say n)) (on (user Up) (say n) -> a))"));
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Go 1)") == Status::stable);
    CHECK(run.send("user", "(Go 1)") == Status::stable);
    CHECK(said(run) == "in 1 2");
    CHECK(run.send("user", "(Up)") == Status::stable);
    CHECK(run.send("user", "(Go 1)") == Status::stable);
    CHECK(said(run) == "2 out in 1");
}

TEST_CASE("locals are set on entry, in order, and seen in the whole state") {
    Running run(machine("(state a (locals (p x) (q (+ p 1))) (entry (say (list p q))) (on (user (Go n)) "
                        "(set! p n) -> (b (+ p q)))"
                        " (exit (say (list 'exit p))))"
                        "(state b (on (user Up) -> a))",
                        "(m 5)", "(m x)"));
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Go 20)") == Status::stable);
    CHECK(run.send("user", "(Up)") == Status::stable);
    CHECK(said(run) == "(5 6) (exit 20) (26 27)");
}

TEST_CASE("arrows in tail position of an action, in any branch") {
    Running run(
        machine("(state a (on (user (Go n)) (define k (* n 2)) (cond ((= k 2) (-> b)) ((= k 4) (let ((z 1)) (begin "
                "(say z) (-> c))))"
                " ((= k 6) (when (> n 0) (-> d (with (x k))))) (else (say 'stays)))))"
                "(state b (entry (say 'b)) (on (user Up) -> a)) (state c (entry (say 'c)) (on (user Up) -> a))"
                "(state d (final x))",
                "(m 0)", "(m x)"));
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Go 9)") == Status::stable);
    CHECK(run.send("user", "(Go 1)") == Status::stable);
    CHECK(run.send("user", "(Up)") == Status::stable);
    CHECK(run.send("user", "(Go 2)") == Status::stable);
    CHECK(run.send("user", "(Up)") == Status::stable);
    CHECK(run.send("user", "(Go 3)") == Status::finished);
    CHECK(said(run) == "stays b 1 c");
    CHECK(run.result() == "6");
}

TEST_CASE("nested states: exits innermost first up to the common state, entries outermost first") {
    const auto state = [](const std::string& name, const std::string& rest) {
        return "(state " + name + " (entry (say '+" + name + ")) (exit (say '-" + name + "))" + rest + ")";
    };
    const std::string tree =
        state("a",
              "(initial b) (on (user Odd) -> a) (on (user (Go 9)) -> d)" +
                  state("b", "(initial x)" +
                                 state("x", "(on (user (Go 1)) -> y) (on (user (Go 2)) -> z) (on (user (Go 3)) -> w)"
                                            "(on (user (Go 4)) -> x) (on (user (Go 5)) -> b)") +
                                 state("y", "(on (user Up) -> x)")) +
                  state("d", "(initial z)" + state("z", "(on (user Up) -> x)"))) +
        state("w", "(on (user Up) -> x)");
    const auto goes = [&](const std::string& input, const std::string& back = "") {
        Running run(machine(tree));
        CHECK(run.start() == Status::stable);
        CHECK(said(run) == "+a +b +x");
        CHECK(run.send("user", input) == Status::stable);
        std::string out = said(run);
        if (!back.empty()) {
            CHECK(run.send("user", back) == Status::stable);
            out += " | " + said(run);
        }
        return out;
    };
    CHECK(goes("(Go 1)", "(Up)") == "-x +y | -y +x");
    CHECK(goes("(Go 2)", "(Up)") == "-x -b +d +z | -z -d +b +x");
    CHECK(goes("(Go 3)", "(Up)") == "-x -b -a +w | -w +a +b +x");
    CHECK(goes("(Go 4)") == "-x +x");
    CHECK(goes("(Go 5)") == "-x -b +b +x");      // to the state around it: left and entered again
    CHECK(goes("(Odd)") == "-x -b -a +a +b +x"); // the outer state's own arrow to itself
    CHECK(goes("(Go 9)") == "-x -b +d +z");
}

TEST_CASE("what the inner state does not take, a false where included, goes to the outer one") {
    Running run(machine("(state a (initial b) (on (user (Go n)) (where (> n 0)) (say 'outer)) (on (user Up) (say 'up))"
                        " (state b (on (user (Go n)) (where (> n 5)) (say 'inner)) (on (user Odd) (say 'odd))))"));
    CHECK(run.start() == Status::stable);
    for (const char* input : {"(Go 6)", "(Go 1)", "(Up)", "(Odd)"}) CHECK(run.send("user", input) == Status::stable);
    CHECK(said(run) == "inner outer up odd");
    CHECK(run.send("user", "(Go 0)") == Status::refused);
}

TEST_CASE("ignores counts only after all enclosing clauses, and changes nothing") {
    const std::string outer =
        "(state a (initial b) (on (user Up) (say 'up)) (on (c Up) (say 'channel))"
        " (state b (entry (say 'in)) (exit (say 'out)) (ignores user c) (on (user (Go 1)) (say 'one))))";
    Running run(machine(outer, "(send c 'junk) (send c (Up)) (send c (Go 3)) (m)"));
    CHECK(run.start() == Status::stable);
    CHECK(said(run) == "in channel");
    CHECK(run.send("user", "(Up)") == Status::stable);
    CHECK(said(run) == "up");
    CHECK(run.send("user", "(Go 2)") == Status::stable);
    CHECK(run.send("user", "(Odd)") == Status::stable);
    CHECK(run.told().empty());
    // Without it the same message on a channel is a model error.
    Running strict(machine("(state b (on (c Up) 1))", "(send c (Go 1)) (m)"));
    CHECK(strict.start() == Status::model_error);
}

TEST_CASE("final and done") {
    const std::string states =
        "(state o (initial i) (exit (say '-o)) (done (say 'done) -> z)"
        " (state i (exit (say '-inner)) (on (user Up) -> e)) (state e (entry (say '+e)) (final)))"
        "(state z (entry (say '+z)) (final (say 'value)))";
    Running run(machine(states, "(list (m) 'after)"));
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Up)") == Status::finished);
    CHECK(said(run) == "-inner +e done -o +z value");
    CHECK(run.result() == "(value after)");
    Running chosen(machine("(state o (initial i) (locals (n 0)) (done (if (= n 0) (-> i) (-> (z n))))"
                           " (state i (on (user (Go k)) (set! n k) -> e)) (state e (final)))"
                           "(state z (final x))",
                           "(m 'start)", "(m x)"));
    CHECK(chosen.start() == Status::stable);
    CHECK(chosen.send("user", "(Go 0)") == Status::stable);
    CHECK(chosen.send("user", "(Go 4)") == Status::finished);
    CHECK(chosen.result() == "4");
}

TEST_CASE("the machine's value is that of its final state") {
    Running run(machine("(state a (on (user (Go n)) -> (b n))) (state b (final (* x x)))", "(define r (m 0)) (+ r 1)",
                        "(m x)"));
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Go 5)") == Status::finished);
    CHECK(run.result() == "26");
    Running at_once(machine("(state a (final 'now))"));
    CHECK(at_once.start() == Status::finished);
    CHECK(at_once.result() == "now");
}

TEST_CASE("after runs from entry; other events do not restart it") {
    Running run(machine("(state a (on (user Go) (say 'go)) (on (user Up) -> a) (after 30 (say 'after) -> b)) "
                        "(state b (on (user Up) -> a))"));
    CHECK(run.start() == Status::stable);
    CHECK(run.interpreter->pass_time(20) == Status::stable);
    CHECK(run.send("user", "(Go 1)") == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::stable);
    CHECK(run.interpreter->now() == 30);
    CHECK(said(run) == "go after");
    CHECK(run.interpreter->pass_time() == Status::refused); // b has no timer
    CHECK(run.send("user", "(Up)") == Status::stable);
    CHECK(run.interpreter->pass_time(20) == Status::stable);
    CHECK(run.send("user", "(Up)") == Status::stable); // an arrow to a itself enters it again
    CHECK(run.interpreter->pass_time() == Status::stable);
    CHECK(run.interpreter->now() == 80);
}

TEST_CASE("after clauses with the same delay share a timer, which starts again where the machine stays") {
    Running run(machine("(state a (locals (n 0)) (after 10 (where (< n 2)) (set! n (+ n 1)) (say n)) (after "
                        "10 (say 'last) -> b)"
                        " (after 25 (say 'other)))"
                        "(state b (on (user Up) 1))"));
    CHECK(run.start() == Status::stable);
    std::string at;
    for (int i = 0; i < 4; ++i) {
        CHECK(run.interpreter->pass_time() == Status::stable);
        at += run.interpreter->now().text() + ":" + said(run) + " ";
    }
    CHECK(at == "10:1 20:2 25:other 30:last ");
    CHECK(run.interpreter->pass_time() == Status::refused);
}

TEST_CASE("an after whose guards all fail is spent until the state is entered again") {
    Running run(machine("(state a (after 10 (where #f) (say 'never)) (on (user Up) -> a) (on (user Go) (say 'go)))"));
    CHECK(run.start() == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::stable);
    CHECK(run.interpreter->now() == 10);
    CHECK(run.interpreter->pass_time() == Status::refused);
    CHECK(run.send("user", "(Go 1)") == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::refused);
    CHECK(run.send("user", "(Up)") == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::stable);
    CHECK(run.interpreter->now() == 20);
    CHECK(said(run) == "go");
}

TEST_CASE("an outer state's timer runs on while inner states change, and stops when it is left") {
    Running run(machine("(state o (initial i) (after 30 (say 'outer) -> z) (on (user Odd) -> z)"
                        " (state i (on (user Up) -> j) (after 20 (say 'inner))) (state j (on (user Up) -> i)))"
                        "(state z (on (user Up) -> o))"));
    CHECK(run.start() == Status::stable);
    CHECK(run.interpreter->pass_time(15) == Status::stable);
    CHECK(run.send("user", "(Up)") == Status::stable);
    CHECK(run.send("user", "(Up)") == Status::stable); // i again: its own timer is new, the outer one is not
    CHECK(run.interpreter->pass_time() == Status::stable);
    CHECK(run.interpreter->now() == 30);
    CHECK(said(run) == "outer");
    CHECK(run.interpreter->pass_time() == Status::refused);
    CHECK(run.send("user", "(Up)") == Status::stable);
    CHECK(run.send("user", "(Odd)") == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::refused);
    CHECK(run.interpreter->offers().size() == 1);
}

TEST_CASE("a delay is any expression, evaluated when the timer starts") {
    Running run(machine("(state a (after (* x 10) (set! x (+ x 1)) (say x)))", "(m 1)", "(m x)"));
    CHECK(run.start() == Status::stable);
    for (int i = 0; i < 3; ++i) CHECK(run.interpreter->pass_time() == Status::stable);
    CHECK(run.interpreter->now() == 10 + 20 + 30);
    Running zero(machine("(state a (after x 1))", "(m 0)", "(m x)"));
    CHECK(zero.start() == Status::model_error);
}

TEST_CASE("inner states' timers are tried first, and named timers work in any state") {
    Running order(machine("(state o (initial i) (on (timeout t) (say 'outer))"
                          " (state i (entry (start t 10)) (after 10 (say 'inner))))"));
    CHECK(order.start() == Status::stable);
    CHECK(order.interpreter->pass_time() == Status::stable);
    CHECK(said(order) == "inner");
    CHECK(order.interpreter->pass_time() == Status::stable); // t is due: no time passes
    CHECK(order.interpreter->now() == 10);
    CHECK(said(order) == "outer");
}

TEST_CASE("arrows use no stack") {
    InterpreterOptions small;
    small.stack_limit = size_t{1} << 16;
    Running run(machine("(state a (on (c any as v) (if (= v 0) (-> e) (begin (send c (- v 1)) (-> b (with (n "
                        "(+ n 1))))))))"
                        "(state b (initial i) (exit (set! n (+ n 1))) (state i (on (c any as v) (if (= v 0) "
                        "(-> e) (begin (send c (- v 1)) (-> a))))))"
                        "(state e (final n))",
                        "(send c 1000000) (m 0)", "(m n)"),
                small);
    CHECK(run.start() == Status::finished);
    CHECK(run.result() == "1000000");
}

TEST_CASE("staying uses no stack either, nor does an outer clause or an ignored message") {
    InterpreterOptions small;
    small.stack_limit = size_t{1} << 16;
    Running run(machine("(state o (initial i) (on (c Up) (set! n (+ n 1)) (if (< n 200000) (begin (send c "
                        "'junk) (send c (Up))) (-> e)))"
                        " (state i (ignores c)))"
                        "(state e (final n))",
                        "(send c (Up)) (m 0)", "(m n)"),
                small);
    CHECK(run.start() == Status::finished);
    CHECK(run.result() == "200000");
}

TEST_CASE("actions may wait, call, define and run machines") {
    Running run(ports + "(define-machine (inner) (state s (on (user (Go n)) -> (e))) (state e (final 'inner)))"
                        "(define-machine (m) (state a (on (user Up) (define r (inner)) (say (list r (read bool))) -> "
                        "b)) (state b (final 1)))"
                        "(m)");
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Up)") == Status::stable);
    CHECK(run.send("user", "(Up)") == Status::refused);
    CHECK(run.send("user", "(Go 1)") == Status::stable);
    CHECK(run.send("in", "#t") == Status::finished);
    CHECK(said(run) == "(inner #t)");
}

TEST_CASE("the same machine in several threads has its own variables, locals and timers") {
    Running run(machine("(state a (locals (n x)) (after n (say (list 'after n)) -> e)) (state e (final 1))",
                        "(spawn (m 30)) (spawn (m 20)) (m 10)", "(m x)"));
    CHECK(run.start() == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::stable);
    CHECK(run.interpreter->pass_time() == Status::finished);
    CHECK(said(run) == "(after 10) (after 20) (after 30)");
}

TEST_CASE("ports and channels as parameters of a machine") {
    Running run(ports + "(define-machine (m from to k) (state a (on (from Up) (send to k) -> (a from to (+ k "
                        "1))) (on (to any as v) (say (list k v)))))"
                        "(m user c 5)");
    CHECK(run.start() == Status::stable);
    CHECK(run.send("user", "(Up)") == Status::stable);
    CHECK(run.send("user", "(Up)") == Status::stable);
    CHECK(said(run) == "(6 5) (7 6)");
}

TEST_CASE("states and transitions are targets, arrows numbered in a state") {
    const Model model = compile_text(
        machine("(state a (on (user (Go n)) (if (> n 1) (-> b) (-> a))) (on (user Up)) (after 3 -> b))"
                "(state b (initial i) (on (user Up) -> a) (state i (on (user Odd) -> b)) (state j (on (user "
                "Odd) -> i)))"));
    REQUIRE(model.program);
    std::vector<std::string> targets;
    for (const Target& t : model.program->targets) targets.push_back(t.name + (t.text.empty() ? "" : "->" + t.text));
    std::sort(targets.begin(), targets.end());
    CHECK(targets == std::vector<std::string>{"m/a", "m/a#1->b", "m/a#2->a", "m/a#3", "m/a#4->b", "m/b", "m/b#1->a",
                                              "m/i", "m/i#1->b", "m/j", "m/j#1->i"});
}

TEST_CASE("every state and arrow of a machine that a macro makes is a target of its own") {
    const Model model =
        compile_text(ports + "(define-syntax two-way (syntax-rules () ((_ name a b) (define-machine (name)"
                             " (state a (on (user Up) -> b) (on (user (Go n)) (if (> n 1) (-> b) (-> a))))"
                             " (state b (on (user Up) -> a) (on (user Odd) (if #t 1 2)))))))"
                             "(two-way m p q) (m)");
    REQUIRE(model.program);
    std::vector<std::string> targets;
    for (const Target& t : model.program->targets) targets.push_back(t.name + (t.text.empty() ? "" : "->" + t.text));
    std::sort(targets.begin(), targets.end());
    CHECK(targets == std::vector<std::string>{"m/p", "m/p#1->q", "m/p#2->q", "m/p#3->p", "m/q", "m/q#1->p", "m/q#2"});
}

TEST_CASE("mistakes in machines") {
    CHECK(first_error(machine("(state a (on (user Up) -> b))")).find("no state `b`") != std::string::npos);
    CHECK(first_error(machine("(state a (on (user Up) 1)) (state a (on (user Up) 1))")).find("defined twice") !=
          std::string::npos);
    CHECK(first_error(machine("(state a (entry (-> a)) (on (user Up) 1))")) != "none");
    CHECK(first_error(machine("(state a (exit -> a) (on (user Up) 1))")) != "none");
    CHECK(first_error(machine("(state a (on (user Up) (list (-> a))))")) != "none"); // not a tail position
    CHECK(first_error(machine("(state a (on (user Up) (let ((f (lambda () (-> a)))) (f))))")) != "none");
    CHECK(first_error(machine("(state a (state b (on (user Up) 1)))")).find("initial") != std::string::npos);
    CHECK(first_error(machine("(state a (initial b) (state b (final)))")).find("done") != std::string::npos);
    CHECK(first_error(machine("(state a (on (user Up) -> (a 1)))")) != "none");
    CHECK(first_error(machine("(state a (on (user Up) -> a (with (z 1))))")) != "none");
}
