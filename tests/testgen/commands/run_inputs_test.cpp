// What a person or a file may give to `run`.
#include <doctest/doctest.h>

#include "testgen/commands/run_inputs.hpp"

using namespace espalier;

namespace {

struct Parsing {
    Parsing()
        : model(compile_text(
              "(define-message Go (n int)) (define-message Mix (c (enum a b)) (s string)) (define-port user in Go Mix)"
              "(define-port wait-line in Go) (define x (fresh int)) (read user)")) {
        REQUIRE(model.program);
        run = std::make_unique<Interpreter>(*model.program, quiet);
        REQUIRE(run->start() == Status::stable);
    }
    std::string of(const std::string& text) {
        Diagnostics diagnostics;
        Data data;
        const auto parsed = read_data(model.sources, model.sources.add("inputs", text), data, diagnostics);
        REQUIRE(parsed.size() == 1);
        const RunInput input = parse_input(*model.program, *run, data, parsed[0]);
        if (const auto* send = std::get_if<SendInput>(&input))
            return "send " + std::string(name_of(model.program->ports[static_cast<uint32_t>(send->port)].name)) + " " +
                   to_text(*model.program, send->message);
        if (const auto* wait = std::get_if<WaitInput>(&input))
            return "wait " + (wait->units ? wait->units->text() : "to the next");
        if (const auto* choose = std::get_if<ChooseInput>(&input))
            return "choose " + std::to_string(choose->alternative);
        if (std::holds_alternative<QuitInput>(input)) return "quit";
        return "bad: " + std::get<BadInput>(input).text;
    }
    Model model;
    Listener quiet;
    std::unique_ptr<Interpreter> run;
};

} // namespace

TEST_CASE("messages on ports, and bare values") {
    Parsing parse;
    CHECK(parse.of("(user (Go 5))") == "send user (Go 5)");
    CHECK(parse.of("(user (Mix a \"x\"))") == "send user (Mix a \"x\")");
    CHECK(parse.of("(wait-line (Go 1))") == "send wait-line (Go 1)");
    CHECK(parse.of("7") == "send in 7");
    CHECK(parse.of("\"text\"") == "send in \"text\"");
    CHECK(parse.of("(1 2)") == "send in (1 2)");
    CHECK(parse.of("'a") == "send in a");
    CHECK(parse.of("(user (Go x1))") == "send user (Go x1)"); // the fresh value of that name
}

TEST_CASE("time, choices, the end") {
    Parsing parse;
    CHECK(parse.of("(wait 30)") == "wait 30");
    CHECK(parse.of("(wait 0)") == "wait 0");
    CHECK(parse.of("(wait 99999999999999999999)") == "wait 99999999999999999999");
    CHECK(parse.of("(wait)") == "wait to the next");
    CHECK(parse.of("(choose 2)") == "choose 2");
    CHECK(parse.of("(quit)") == "quit");
}

TEST_CASE("what is wrong with the rest") {
    Parsing parse;
    CHECK(parse.of("(wait -1)") == "bad: its shape is (wait N), N not negative, or (wait)");
    CHECK(parse.of("(wait 1 2)") == "bad: its shape is (wait N), N not negative, or (wait)");
    CHECK(parse.of("(wait 1/2)") == "bad: its shape is (wait N), N not negative, or (wait)");
    CHECK(parse.of("(wait -99999999999999999999)") == "bad: its shape is (wait N), N not negative, or (wait)");
    CHECK(parse.of("(choose)") == "bad: its shape is (choose N), counted from 0");
    CHECK(parse.of("(choose -1)") == "bad: its shape is (choose N), counted from 0");
    CHECK(parse.of("(usr (Go 1))") == "bad: there is no port `usr`");
    CHECK(parse.of("(user (Go))").substr(0, 4) == "bad:");
    CHECK(parse.of("(user (Go \"x\"))").substr(0, 4) == "bad:");
    CHECK(parse.of("(user (Go x9))").substr(0, 4) == "bad:"); // no such fresh value yet
    CHECK(parse.of("#(1)").substr(0, 4) == "bad:");
    CHECK(parse.of("(choose 4294967296)").substr(0, 4) == "bad:");
}
