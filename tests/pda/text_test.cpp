// The text format: what it says, what is wrong with it, and that printing and reading it again changes
// nothing.
#include <doctest/doctest.h>

#include "tests/pda/parsed.hpp"
#include "tests/pda/random_pda.hpp"

using namespace espalier::pda;
using namespace espalier::pda::test;

namespace {

std::string errors_of(std::string_view text) {
    const auto result = parse(text);
    const auto* errors = std::get_if<std::vector<TextError>>(&result);
    return errors == nullptr ? "no error" : listed(*errors);
}

const std::string small = "procedure main m0\n"
                          "node m0 main call p\n"
                          "node m1 main return\n"
                          "edge m0 m1\n"
                          "procedure p p0\n"
                          "node p0 p checkpoint A\n"
                          "node p1 p return\n"
                          "edge p0 p1\n"; // 8 lines

} // namespace

TEST_CASE("names may be used before they are defined, and comments, blanks and line ends do not matter") {
    const std::string text = "\xef\xbb\xbf# a comment\r\n"
                             "query\ta [ c ]  3 X Y# another\r\n"
                             "query a [c c] 3 X\r\n"
                             "edge a s\n"
                             "\n"
                             "   edge s t   \n"
                             "edge c a\n"
                             "node a main plain\n"
                             "node s main stable\n"
                             "node t main checkpoint X\n"
                             "node u main checkpoint Y\n"
                             "node c main call main\n"
                             "procedure main a"; // and no end of line at the end
    CHECK(answers(text) == "reachable 1\nreachable 1\n");
    const Document document = parsed(text);
    CHECK(document.graph.node_count() == 5);
    CHECK(document.queries[0].stack.size() == 1);
    CHECK(document.queries[1].stack.size() == 2);
    CHECK(document.queries[0].targets.size() == 2);
}

TEST_CASE("node and procedure names do not mix") {
    CHECK(answers("procedure x x\nnode x x checkpoint x\nquery x [] 0 x\n") == "reachable 0\n");
}

TEST_CASE("a query without targets reaches nothing") { CHECK(answers(small + "query m0 [] 9\n") == "unreachable\n"); }

TEST_CASE("each malformed line is an error with its number") {
    struct Case {
        const char* line;
        const char* error;
    };
    const Case cases[] = {
        {"frob", "9: expected procedure, node, edge or query, not 'frob'\n"},
        {"[", "9: expected procedure, node, edge or query, not '['\n"},
        {"procedure", "9: expected: procedure NAME ROOT\n"},
        {"procedure q", "9: expected: procedure NAME ROOT\n"},
        {"procedure q p0 p1", "9: expected: procedure NAME ROOT\n"},
        {"procedure q [", "9: expected: procedure NAME ROOT\n"},
        {"procedure main m0", "9: procedure 'main' has been defined before, on line 1\n"},
        {"procedure q nowhere", "9: there is no node 'nowhere'\n"},
        {"procedure q p0", "9: procedure 'q': its root, node 'p0', is in procedure 'p'\n"},
        {"node", "9: expected: node NAME PROCEDURE TYPE\n"},
        {"node x main", "9: expected: node NAME PROCEDURE TYPE\n"},
        {"node x main [plain]", "9: expected: node NAME PROCEDURE TYPE\n"},
        {"node m1 main plain", "9: node 'm1' has been defined before, on line 3\n"},
        {"node x main frob",
         "9: there is no node type 'frob': expected call, spawn, return, stable, checkpoint or plain\n"},
        {"node x main call", "9: expected a procedure after call\n"},
        {"node x main spawn", "9: expected a procedure after spawn\n"},
        {"node x main checkpoint", "9: expected one ID after checkpoint\n"},
        {"node x main checkpoint A B", "9: expected one ID after checkpoint\n"},
        {"node x main plain plain", "9: expected nothing after plain, not 'plain'\n"},
        {"node x main return p", "9: expected nothing after return, not 'p'\n"},
        {"node x nowhere plain", "9: there is no procedure 'nowhere'\n"},
        {"node x main call p nowhere", "9: there is no procedure 'nowhere'\n"},
        {"edge m0", "9: expected: edge FROM TO\n"},
        {"edge m0 m1 1", "9: expected: edge FROM TO\n"},
        {"edge m0 nowhere", "9: there is no node 'nowhere'\n"},
        {"edge m1 m0", "9: node 'm1' is a return node: it has no edges, a return goes where the stack says\n"},
        {"edge m0 p1", "9: node 'm0' is a call node: its return point node 'p1' must be in its own procedure 'main'\n"},
        {"query", "9: expected: query NODE [CALL-NODE...] LIMIT TARGET...\n"},
        {"query m0", "9: expected: query NODE [CALL-NODE...] LIMIT TARGET...\n"},
        {"query m0 3 A", "9: expected: query NODE [CALL-NODE...] LIMIT TARGET...\n"},
        {"query m0 [m0 3 A", "9: expected: query NODE [CALL-NODE...] LIMIT TARGET...\n"},
        {"query ] m0 [", "9: expected: query NODE [CALL-NODE...] LIMIT TARGET...\n"},
        {"query [] 3 A", "9: expected: query NODE [CALL-NODE...] LIMIT TARGET...\n"},
        {"query m0 [[m0]] 3 A", "9: expected: query NODE [CALL-NODE...] LIMIT TARGET...\n"},
        {"query m0 []", "9: expected a limit after the stack\n"},
        {"query m0 [] 3 A [", "9: expected the limit and the targets after the stack, and no more brackets\n"},
        {"query m0 [] A", "9: the limit must be a whole number, not 'A'\n"},
        {"query m0 [] -1 A", "9: the limit must be a whole number, not '-1'\n"},
        {"query m0 [] 3x A", "9: the limit must be a whole number, not '3x'\n"},
        {"query m0 [] 4294967295 A", "9: the limit must be at most 4294967294\n"},
        {"query m0 [] 99999999999999999999999 A", "9: the limit must be at most 4294967294\n"},
        {"query nowhere [] 3 A", "9: there is no node 'nowhere'\n"},
        {"query p0 [nowhere] 3 A", "9: there is no node 'nowhere'\n"},
        {"query p0 [m1] 3 A", "9: node 'm1' is no call node: it cannot be on the stack\n"},
        {"query m0 [] 3 B", "9: there is no checkpoint 'B'\n"},
    };
    for (const Case& test : cases) {
        const std::string text = small + test.line;
        CAPTURE(test.line);
        CHECK(errors_of(text) == test.error);
        CHECK(std::holds_alternative<std::vector<TextError>>(answer_queries(text, OracleKind::v3)));
    }
}

TEST_CASE("several mistakes show at once, in the order of lines, and one mistake only once") {
    CHECK(errors_of("edge a\nnode a\nnode a p frob\nnode a p plain\nprocedure p a\n") ==
          "1: expected: edge FROM TO\n"
          "2: expected: node NAME PROCEDURE TYPE\n"
          "3: there is no node type 'frob': expected call, spawn, return, stable, checkpoint or plain\n"
          "4: node 'a' has been defined before, on line 3\n");
    CHECK(errors_of("query b [] 1\nedge a b\nnode a q plain\nprocedure p a\n") ==
          "1: there is no node 'b'\n2: there is no node 'b'\n3: there is no procedure 'q'\n");
}

TEST_CASE("an error shows strange bytes as numbers, and long names in part") {
    CHECK(errors_of(std::string_view("a\0b\x1b", 4)) ==
          "1: expected procedure, node, edge or query, not 'a\\x00b\\x1b'\n");
    CHECK(errors_of(std::string(1000, 'x')) ==
          "1: expected procedure, node, edge or query, not '" + std::string(60, 'x') + "...'\n");
    CHECK(errors_of(std::string(59, 'x') + "\xc3\xa4\xc3\xa4") ==
          "1: expected procedure, node, edge or query, not '" + std::string(59, 'x') + "...'\n");
}

TEST_CASE("no text makes the reader crash") {
    const std::string words[] = {"procedure", "node", "edge", "query", "call",  "spawn", "return", "checkpoint",
                                 "plain",     "m0",   "m1",   "p",     "main",  "[",     "]",      "3",
                                 "\n",        "\n",   "\n",   "#",     "\t\r ", "A",     "\xff",   "stable"};
    for (const uint64_t seed : seeds(2000)) {
        Random random(seed);
        std::string text = random.percent(50) ? small + "query m0 [] 3 A\n" : std::string();
        for (uint32_t left = random.below(60); left > 0; --left) {
            text += words[random.below(std::size(words))];
            text += ' ';
        }
        for (uint32_t left = random.below(4); left > 0 && !text.empty(); --left)
            text[random.below(text.size())] = static_cast<char>(random.below(256));
        for (const OracleKind kind : {OracleKind::v1, OracleKind::v2, OracleKind::v3})
            static_cast<void>(answer_queries(text, kind));
    }
}

TEST_CASE("what was read from text prints to text that reads the same") {
    const Document document = parsed(small + "query p0 [m0 m0] 3 A A\nquery m0 [] 0\n");
    const std::string printed = print(document.graph, document.queries);
    CHECK(parsed(printed) == document);
    CHECK(print(parsed(printed).graph, parsed(printed).queries) == printed);
    CHECK(printed == "procedure main m0\n"
                     "procedure p p0\n"
                     "node m0 main call p\n"
                     "node m1 main return\n"
                     "node p0 p checkpoint A\n"
                     "node p1 p return\n"
                     "edge m0 m1\n"
                     "edge p0 p1\n"
                     "query p0 [m0 m0] 3 A A\n"
                     "query m0 [] 0\n");
}

TEST_CASE("a graph that was built prints to text that gives the same answers") {
    for (const uint64_t seed : seeds(200)) {
        Random random(seed);
        const Graph graph = random_graph(random, {});
        const RandomFrames frames(random, graph, 20, 10);
        std::vector<Query> queries;
        std::string expected;
        for (size_t asked = 0; asked < 20; ++asked) {
            const auto node = NodeId{random.below(graph.node_count())};
            const PendingCall* stack = random.pick(frames.stacks());
            const TargetId targets[] = {TargetId{random.below(graph.target_count())}};
            if (graph.checkpoints(targets[0]).empty()) continue; // the text cannot name it
            queries.push_back({node, calls_of(stack), 4, {targets[0]}});
            const Distance distance = make_oracle(OracleKind::v3, graph, 4, targets)->distance(node, stack, 4);
            expected += distance == unreachable ? "unreachable\n" : "reachable " + std::to_string(distance) + '\n';
        }
        const std::string printed = print(graph, queries);
        if (std::get<std::string>(answer_queries(printed, OracleKind::v3)) != expected)
            FAIL("ESPALIER_SEED=" << seed << "\n" << printed << expected);
        const Document again = parsed(printed);
        CHECK(parsed(print(again.graph, again.queries)) == again);
    }
}

TEST_CASE("names that are missing, not unique or no words are replaced") {
    GraphBuilder builder;
    const ProcedureId procedure = builder.add_procedure();
    const NodeId first = builder.add_node(procedure, NodeKind::entry, "", "a.scm:1:2\nx");
    const NodeId second = builder.add_node(procedure, NodeKind::branch, "same");
    const NodeId third = builder.add_node(procedure, NodeKind::checkpoint, "same");
    const NodeId fourth = builder.add_node(procedure, NodeKind::ret, "n0");
    builder.set_root(procedure, first);
    builder.set_target(third, builder.target("two words # and [more]"));
    builder.add_edge(first, second);
    builder.add_edge(second, third, Cost::charged);
    builder.add_edge(third, fourth);
    const Graph graph = std::get<Graph>(std::move(builder).build());
    CHECK(print(graph) == "procedure p0 n0~1\n"
                          "node n0~1 p0 plain # a.scm:1:2 x\n"
                          "node same p0 plain\n"
                          "node same~2 p0 checkpoint two_words___and__more_\n"
                          "node n0 p0 return\n"
                          "edge n0~1 same\n"
                          "node same~charged p0 stable\n"
                          "edge same same~charged\n"
                          "edge same~charged same~2\n"
                          "edge same~2 n0\n");
    CHECK_NOTHROW(parsed(print(graph)));
}
