// Algorithm 5.3 as printed is wrong in two places: the automata that show it, and the proof that the random
// tests see it.
#include <doctest/doctest.h>

#include "tests/pda/parsed.hpp"
#include "tests/pda/printed_v1.hpp"
#include "tests/pda/random_pda.hpp"

using namespace espalier::pda;
using namespace espalier::pda::test;

namespace {

// What the printed algorithm says to the only query of a text.
bool printed_says(const char* text, Mended mended) {
    const Document document = parsed(text);
    const Query& query = document.queries.at(0);
    const Stack stack(query.stack);
    return PrintedV1(document.graph, query.limit, query.targets, mended)
        .reachable_within(query.node, stack.top(), query.limit);
}

} // namespace

TEST_CASE("line 27: a callee without checkpoints must not hide what follows its call") {
    const char* text = "procedure main m0\n"
                       "procedure q q0\n"
                       "procedure p p0\n"
                       "node m0 main call q\n"
                       "node m1 main return\n"
                       "node q0 q call p\n"
                       "node q1 q checkpoint A\n"
                       "node q2 q return\n"
                       "node p0 p return\n"
                       "edge m0 m1\n"
                       "edge q0 q1\n"
                       "edge q1 q2\n"
                       "query m0 [] 0 A\n";
    CHECK(answers(text) == "reachable 0\n");
    CHECK_FALSE(printed_says(text, {}));
    CHECK_FALSE(printed_says(text, {.line_32 = true}));
    CHECK(printed_says(text, {.line_27 = true}));
}

TEST_CASE("line 32: a second call of the same procedure costs as much as the first") {
    const std::string automaton = "procedure main m0\n"
                                  "procedure q q0\n"
                                  "procedure p p0\n"
                                  "node m0 main call q\n"
                                  "node q0 q call p\n"
                                  "node q1 q call p\n"
                                  "node q2 q checkpoint A\n"
                                  "node p0 p stable\n"
                                  "node p1 p checkpoint B\n"
                                  "node p2 p return\n"
                                  "edge q0 q1\n"
                                  "edge q1 q2\n"
                                  "edge p0 p1\n"
                                  "edge p1 p2\n";
    const std::string near = automaton + "query m0 [] 1 A\n";
    CHECK(answers(near) == "unreachable\n");
    CHECK(printed_says(near.c_str(), {}));
    CHECK(printed_says(near.c_str(), {.line_27 = true}));
    CHECK_FALSE(printed_says(near.c_str(), {.line_32 = true}));
    CHECK(answers(automaton + "query m0 [] 2 A\n") == "reachable 2\n");
}

TEST_CASE("the random automata tell the printed algorithm from the corrected one") {
    size_t questions = 0;
    size_t wrong[4] = {};
    for (const uint64_t seed : seeds(400)) {
        Random random(seed);
        const Graph graph = random_graph(random, {.thesis_only = true});
        const Distance limit = 3;
        const TargetId targets[] = {TargetId{random.below(graph.target_count())}};
        const auto oracle = make_oracle(OracleKind::v3, graph, limit, targets);
        PrintedV1 printed[] = {{graph, limit, targets, {}},
                               {graph, limit, targets, {.line_27 = true}},
                               {graph, limit, targets, {.line_32 = true}},
                               {graph, limit, targets, {.line_27 = true, .line_32 = true}}};
        for (const NodeId node : graph.nodes()) {
            for (Distance k = 0; k <= limit; ++k, ++questions) {
                const bool expected = oracle->reachable_within(node, nullptr, k);
                for (size_t variant = 0; variant < std::size(printed); ++variant)
                    wrong[variant] += printed[variant].reachable_within(node, nullptr, k) != expected;
            }
        }
    }
    MESSAGE("of " << questions << " answers are wrong: as printed " << wrong[0] << ", with line 27 mended " << wrong[1]
                  << ", with line 32 mended " << wrong[2]);
    CHECK(wrong[0] > 0);
    CHECK(wrong[1] > 0);
    CHECK(wrong[2] > 0);
    CHECK(wrong[3] == 0);
}
