// What the pictures of a model say, as text.
#include "testgen/graph/graph.hpp"

#include <doctest/doctest.h>

#include "testgen/graph/dot.hpp"
#include "testgen/graph/machine_arrows.hpp"
#include "testgen/graph/text.hpp"

using namespace espalier;

namespace {

Model compiled(const std::string& text) {
    Model model = compile_text(text);
    for (const Diagnostic& d : model.diagnostics.all())
        if (d.severity == Severity::error) FAIL(render(model.sources, d));
    return model;
}

size_t count(const std::string& text, std::string_view part) {
    size_t n = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
    return n;
}

// The line that draws the first edge whose label has that text.
std::string edge_with(const std::string& dot, std::string_view text) {
    for (size_t at = dot.find(text); at != std::string::npos; at = dot.find(text, at + 1)) {
        const size_t begin = dot.rfind('\n', at) + 1;
        std::string line = dot.substr(begin, dot.find('\n', at) - begin);
        if (line.find(" -> ") != std::string::npos) return line;
    }
    return {};
}

const char* const door = R"((define-message Open) (define-message Shut) (define-message Ring)
(define-port user in Open Shut Ring)
(define-machine (door n)
  (state working
    (initial shut)
    (state shut (on (user Open) (where (< n 3)) -> open (with (n (+ n 1)))))
    (state open
      (on (user Ring) (set! n 0))
      (on (user Shut) -> shut)
      (after 30 -> stuck))
    (state stuck (final))
    (on (user Ring) -> broken)
    (done -> shut))
  (state broken (final)))
(door 0))";

} // namespace

TEST_CASE("text from anywhere becomes a DOT string that means it") {
    CHECK(quoted(R"(a "b" \n)") == R"("a \"b\" \\n")");
    CHECK(quoted("x < y & z") == R"("x < y &amp; z")");
    CHECK(quoted("one\ntwo") == R"("one\ntwo")");
    CHECK(quoted("one\ntwo", Lines::left) == R"("one\ltwo\l")");
    CHECK(quoted("\x01\t\x7f") == R"("\\x1;\\x9;\\x7f;")");
    CHECK(quoted("λ…") == "\"λ…\"");
    CHECK(quoted("\xff\xc3") == "\"\xef\xbf\xbd\xef\xbf\xbd\""); // not UTF-8
    CHECK(quoted("\xef\xbf\xbf") == R"("\\xffff;")");            // UTF-8, but not XML
    CHECK(html_lines("<a & \"b\">") == "&lt;a &amp; &quot;b&quot;&gt;");
    CHECK(html_lines("") == " ");
}

TEST_CASE("shortened text counts characters, not bytes") {
    CHECK(shortened("abcdef", 6) == "abcdef");
    CHECK(shortened("abcdef", 5) == "abcd…");
    CHECK(shortened("λλλλ", 4) == "λλλλ");
    CHECK(shortened("λλλλ", 3) == "λλ…");
    CHECK(shortened("", 3).empty());
}

TEST_CASE("what stands at a place, on one line") {
    const Model model =
        compiled("(define (f x)  ; a comment (\n  (list x \"a ; b\"\n  #\\; '|c ; d| ))\n(write (f 1))");
    const SourceText text(model);
    const Span all{FileId{0}, 0, static_cast<uint32_t>(model.sources.text(FileId{0}).find("\n(write"))};
    CHECK(text.text(all, 100) == "(define (f x) (list x \"a ; b\" #\\; '|c ; d|))");
    CHECK(text.text(all, 14) == "(define (f x)…");
    CHECK(text.place(all) == "1:1");
    CHECK(text.place(Span{}).empty());
}

TEST_CASE("the arrows of a machine are found in its program") {
    const Model model = compiled(door);
    const auto machines = machine_arrows(*model.program);
    REQUIRE(machines.size() == 1);
    const auto& states = model.program->machines[0].states;
    const auto name = [&](uint32_t s) { return s == no_state ? "-" : std::string(name_of(states[s].name)); };
    const SourceText text(model);
    std::string found;
    for (const MachineArrow& a : machines[0].arrows)
        found += name(a.from) + "#" + std::to_string(a.number) + " " + name(a.to) + " " +
                 (a.clause == nullptr ? "done" : text.clause(*a.clause, 40)) + "\n";
    CHECK(found == "working#1 broken (user Ring)\n"
                   "working#2 shut done\n"
                   "shut#1 open (user Open)\n\u00a0\u00a0where (< n 3)\n"
                   "open#1 - (user Ring)\n"
                   "open#2 shut (user Shut)\n"
                   "open#3 stuck after 30\n");
    CHECK(name(machines[0].initial[0]) == "shut");
    CHECK(name(machines[0].initial[1]) == "-");
}

TEST_CASE("machines: states, nested ones as clusters, arrows with number and trigger") {
    const std::string dot = draw_machines(compiled(door));
    CHECK(count(dot, "subgraph cluster_") == 2); // the machine and `working`
    CHECK(dot.find("<B>machine door</B>") != std::string::npos);
    CHECK(edge_with(dot, "#3 after 30").find("m0s2 -> m0s3 ") != std::string::npos);
    CHECK(edge_with(dot, "#1 (user Open)").find("where (< n 3)") != std::string::npos);
    CHECK(edge_with(dot, "#1 (user Ring)").find("ltail=cluster_m0s0") != std::string::npos);
    CHECK(edge_with(dot, "#2 done").find("ltail") == std::string::npos); // it stays inside
    CHECK(dot.find("↻ #1 (user Ring)") != std::string::npos);            // without an arrow: in the state
    CHECK(count(dot, "peripheries=2") == 2);                             // final
    CHECK(dot == draw_machines(compiled(door)));
    CHECK(draw_machines(compiled("(write 1)")).find("no machines") != std::string::npos);
    CHECK(dot == draw_machines(compiled(door), {"door"}));
    CHECK(draw_machines(compiled(door), {"other"}).find("machine door") == std::string::npos);
    CHECK(dot.find("rankdir") == std::string::npos);
    CHECK(draw_machines(compiled(door), {}, Direction::right).find("rankdir=LR") != std::string::npos);
}

TEST_CASE("machines: what a state ignores") {
    const std::string dot = draw_machines(compiled("(define-message A) (define-port p in A) (define-message B)"
                                                   "(define-port q in B)"
                                                   "(define-machine (m) (state s (ignores q) (on (p A)))) (m)"));
    CHECK(dot.find("ignores q") != std::string::npos);
}

TEST_CASE("calls: a node for each procedure, and how it is entered") {
    const Model model = compiled("(define (once x) (checkpoint seen) x)\n"
                                 "(define (loop n) (if (= (read) n) (loop (+ (once n) (once 1)))))\n"
                                 "(define (unused) 1)\n"
                                 "(spawn (once 3))\n(loop 0)");
    const std::string dot = draw_calls(model, analyse(*model.program));
    CHECK(count(dot, "<B>once</B>") == 1);
    CHECK(dot.find("1 checkpoint, 3 variants") != std::string::npos);
    CHECK(dot.find("<B>top level</B>") != std::string::npos);
    CHECK(count(dot, "style=dotted") == 1); // spawn
    CHECK(count(dot, "style=dashed") == 2); // loop to itself, and the new thread to once
}

TEST_CASE("pda: clusters with places, checkpoints, stable states, costs") {
    const Model model = compiled("(define (ask x)\n  (checkpoint asked)\n  (if (> (read) x) 1 2))\n(ask 1)\n(ask 2)");
    const std::string dot = draw_pda(model, analyse(*model.program));
    CHECK(count(dot, "subgraph cluster_") == 3);
    CHECK(dot.find("1:1, from 4:1") != std::string::npos);
    CHECK(dot.find("1:1, from 5:1") != std::string::npos);
    CHECK(count(dot, "cp:asked\\n2:3") == 2);
    CHECK(count(dot, "shape=ellipse") == 2);
    CHECK(count(dot, "(read)  +1") == 2);
    CHECK(edge_with(dot, "lhead=cluster_p").find("#1f5fa8") != std::string::npos);
}

TEST_CASE("pda: names that DOT and HTML would misread") {
    const Model model = compiled("(define (|a<b>\"&\\\\| x) (checkpoint |<\">|) x)\n(|a<b>\"&\\\\| (read))");
    const std::string dot = draw_pda(model, analyse(*model.program));
    CHECK(dot.find("<B>a&lt;b&gt;&quot;&amp;\\</B>") != std::string::npos);
    CHECK(dot.find("cp:|<\\\">|") != std::string::npos);
}
