// The example that pda.hpp opens with.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "tests/pda/parsed.hpp"

// From here to the end of the test case the lines are those of the header.
#include "pda/pda.hpp"
using namespace espalier;

TEST_CASE("the example in pda.hpp") {
    // main: call twice, then the checkpoint `done`. twice: two stable states, then return.
    pda::GraphBuilder builder;
    const pda::ProcedureId main = builder.add_procedure("main");
    const pda::ProcedureId twice = builder.add_procedure("twice");
    const pda::NodeId call = builder.add_node(main, pda::NodeKind::call, "call");
    const pda::NodeId done = builder.add_node(main, pda::NodeKind::checkpoint, "done");
    const pda::NodeId one = builder.add_node(twice, pda::NodeKind::stable, "one");
    const pda::NodeId two = builder.add_node(twice, pda::NodeKind::stable, "two");
    const pda::NodeId back = builder.add_node(twice, pda::NodeKind::ret, "back");
    builder.set_root(main, call);
    builder.set_root(twice, one);
    builder.add_callee(call, twice);
    const pda::TargetId target = builder.target("done");
    builder.set_target(done, target);
    builder.add_edge(call, done);
    builder.add_edge(one, two, pda::Cost::charged);
    builder.add_edge(two, back, pda::Cost::charged);
    const pda::Graph graph = std::get<pda::Graph>(std::move(builder).build());

    // Which targets, and how far at most; then ask from anywhere.
    const pda::TargetId targets[] = {target};
    const auto oracle = pda::make_oracle(pda::OracleKind::v3, graph, 5, targets);
    CHECK(oracle->distance(call, nullptr, 5) == 2);
    const pda::PendingCall in_twice{call};
    CHECK(oracle->distance(two, &in_twice, 5) == 1);
    CHECK(oracle->reachable_within(two, &in_twice, 0) == false);
    CHECK(oracle->distance(two, nullptr, 5) == pda::unreachable);
    oracle->cover(target);
    CHECK(oracle->distance(call, nullptr, 5) == pda::unreachable);
}

namespace {

// The indented lines of the header's opening comment.
std::vector<std::string> example_lines() {
    std::ifstream header(ESPALIER_SOURCE_DIR "/pda/pda.hpp");
    REQUIRE(header);
    const std::string indentation = "//   ";
    std::vector<std::string> lines;
    for (std::string line; std::getline(header, line) && line.starts_with("//");) {
        if (line.starts_with(indentation)) lines.push_back(line.substr(indentation.size()));
    }
    return lines;
}

} // namespace

TEST_CASE("the example in pda.hpp, as text") {
    std::string text;
    for (const std::string& line : example_lines()) {
        for (const char* keyword : {"procedure ", "node ", "edge ", "query "}) {
            if (line.starts_with(keyword)) text += line + '\n';
        }
    }
    CHECK(pda::test::answers(text) == "reachable 2\nreachable 1\n");
}

TEST_CASE("the example in pda.hpp is the one that is compiled here") {
    std::ifstream file(std::string(ESPALIER_SOURCE_DIR) + "/tests/pda/example_test.cpp");
    REQUIRE(file);
    std::stringstream here;
    here << file.rdbuf();
    size_t code_lines = 0;
    for (const std::string& line : example_lines()) {
        const std::string before_remark = line.substr(0, line.find("//"));
        const std::string code = before_remark.substr(0, before_remark.rfind(';'));
        if (code == before_remark) continue; // a remark, an #include, or the text
        CAPTURE(code);
        CHECK(here.str().find(code) != std::string::npos);
        ++code_lines;
    }
    CHECK(code_lines >= 25);
}
