// The automaton of the thesis's Figure 4.1, checked by hand, and recursive ones of our own.
#include <doctest/doctest.h>

#include <sstream>

#include "tests/pda/parsed.hpp"

using namespace espalier::pda;
using namespace espalier::pda::test;

namespace {

// Each row asks one question: "node stack limit target... = answer". The answer is a distance, or - for none.
void check_table(const std::string& automaton, std::string_view rows) {
    std::istringstream lines{std::string(rows)};
    std::string text = automaton;
    std::string expected;
    for (std::string line; std::getline(lines, line);) {
        const size_t equals = line.find(" = ");
        REQUIRE(equals != std::string::npos);
        text += "query " + line.substr(0, equals) + '\n';
        const std::string answer = line.substr(equals + 3);
        expected += answer == "-" ? "unreachable\n" : "reachable " + answer + '\n';
    }
    CHECK(answers(text) == expected);
}

} // namespace

TEST_CASE("Figure 4.1: the program of Figure 3.2 as 0CFA sees it") {
    // Lahola 2010, Figures 3.2 and 4.1. Node names are line numbers of Figure 3.2; c1 and c2 are named as in
    // Example 4.2. Deviation: `main`, which calls foo, is ours, so that there is something to return to.
    const std::string automaton = "procedure main m0\n"
                                  "node m0 main call foo\n"
                                  "node m1 main checkpoint after\n"
                                  "node m2 main return\n"
                                  "edge m0 m1\n"
                                  "edge m1 m2\n"
                                  "procedure foo l3\n"
                                  "node l3 foo plain\n"
                                  "node l5 foo checkpoint proc:foo\n"
                                  "node l6 foo stable             # n = (read)\n"
                                  "node l8 foo plain              # if (> n 0)\n"
                                  "node l10 foo checkpoint b:id=1,true\n"
                                  "node l13 foo checkpoint b:id=1,false\n"
                                  "node l14 foo plain             # the branches merge\n"
                                  "node c1 foo call loop          # line 20\n"
                                  "node l20 foo return\n"
                                  "edge l3 l5\n"
                                  "edge l5 l6\n"
                                  "edge l6 l8\n"
                                  "edge l8 l10\n"
                                  "edge l8 l13\n"
                                  "edge l10 l14\n"
                                  "edge l13 l14\n"
                                  "edge l14 c1\n"
                                  "edge c1 l20\n"
                                  "procedure loop l16\n"
                                  "node l16 loop plain            # if (< i n)\n"
                                  "node l18 loop stable           # (read)\n"
                                  "node c2 loop call loop         # line 19\n"
                                  "node l19 loop return\n"
                                  "edge l16 l18\n"
                                  "edge l16 l19\n"
                                  "edge l18 c2\n"
                                  "edge c2 l19\n";
    SUBCASE("the checkpoint at the start is passed once") {
        check_table(automaton, "m0 [] 9 proc:foo = 0\n"
                               "l3 [m0] 9 proc:foo = 0\n"
                               "l5 [m0] 9 proc:foo = 0\n"
                               "l6 [m0] 9 proc:foo = -\n"
                               "m1 [] 9 proc:foo = -\n");
    }
    SUBCASE("the branches are one stable state away, until they are passed") {
        check_table(automaton, "m0 [] 9 b:id=1,true = 1\n"
                               "m0 [] 0 b:id=1,true = -\n"
                               "l3 [] 9 b:id=1,true = 1\n"
                               "l6 [] 9 b:id=1,true = 1\n"
                               "l8 [] 9 b:id=1,true = 0\n"
                               "l8 [] 9 b:id=1,false = 0\n"
                               "l10 [] 9 b:id=1,true = 0\n"
                               "l10 [] 9 b:id=1,false = -\n"
                               "l13 [] 9 b:id=1,true b:id=1,false = 0\n"
                               "l14 [] 9 b:id=1,true b:id=1,false = -\n"
                               "l16 [c1] 9 b:id=1,true b:id=1,false = -\n");
    }
    SUBCASE("what follows foo depends on the stack") {
        check_table(automaton, "m0 [] 9 after = 1\n"
                               "l6 [m0] 9 after = 1\n"
                               "l6 [] 9 after = -\n"
                               "l8 [m0] 9 after = 0\n"
                               "c1 [m0] 9 after = 0\n"
                               "c1 [] 9 after = -\n"
                               "l16 [c1 m0] 9 after = 0\n"
                               "l16 [c1] 9 after = -\n"
                               "l18 [c1 m0] 9 after = 1\n"
                               "l18 [c1 m0] 1 after = 1\n"
                               "l18 [c1 m0] 0 after = -\n"
                               "c2 [c1 m0] 9 after = 0\n"
                               "l19 [c2 c1 m0] 9 after = 0\n");
    }
    SUBCASE("the tracking point of Example 4.2: the stable state of loop, with c2 on top of c1") {
        check_table(automaton, "l18 [c2 c1 m0] 9 after = 1\n"
                               "l18 [c2 c1] 9 after = -\n"
                               "l18 [c2 c2 c2 c2 c1 m0] 9 after = 1\n"
                               "l18 [c2 c1 m0] 9 proc:foo b:id=1,true b:id=1,false = -\n");
    }
    SUBCASE("with the loop as a jump the stack stays flat, and the answers the same") {
        std::string flat = automaton;
        flat.replace(flat.find("node c2 loop call loop"), 22, "node c2 loop plain     ");
        flat.replace(flat.find("edge c2 l19"), 11, "edge c2 l16");
        check_table(flat, "l16 [c1 m0] 9 after = 0\n"
                          "l18 [c1 m0] 9 after = 1\n"
                          "c2 [c1 m0] 9 after = 0\n"
                          "l18 [c1] 9 after = -\n"
                          "m0 [] 9 after = 1\n");
    }
}

TEST_CASE("mutual recursion: even calls odd calls even") {
    // To come back, even may return at once (cost 0), and so odd can in 1. X is met by odd after even has
    // come back.
    const std::string automaton = "procedure even e0\n"
                                  "procedure odd o0\n"
                                  "node e0 even plain\n"
                                  "node e1 even return\n"
                                  "node e2 even stable\n"
                                  "node e3 even call odd\n"
                                  "node e4 even return\n"
                                  "edge e0 e1\n"
                                  "edge e0 e2\n"
                                  "edge e2 e3\n"
                                  "edge e3 e4\n"
                                  "node o0 odd stable\n"
                                  "node o1 odd call even\n"
                                  "node o2 odd checkpoint X\n"
                                  "node o3 odd return\n"
                                  "edge o0 o1\n"
                                  "edge o1 o2\n"
                                  "edge o2 o3\n";
    check_table(automaton,
                "e0 [] 9 X = 2\n"
                "e0 [] 1 X = -\n"
                "e2 [] 9 X = 2\n"
                "e3 [] 9 X = 1\n"
                "e1 [] 9 X = -\n"
                "e4 [] 9 X = -\n"
                "o0 [] 9 X = 1\n"
                "o1 [] 9 X = 0\n"
                "o3 [] 9 X = -\n"
                "e0 [o1] 9 X = 0\n"
                "e2 [o1] 9 X = 2\n"
                "e1 [e3 o1] 9 X = 0\n" // a return goes where the stack says, though even does not call even
                "o3 [e3 o1] 9 X = 0\n"
                "o3 [e3] 9 X = -\n"
                "o3 [e3 o1 e3 o1 e3 o1] 9 X = 0\n");
}

TEST_CASE("a procedure that never returns cuts the stack off") {
    const std::string automaton = "procedure main m0\n"
                                  "node m0 main call server\n"
                                  "node m1 main checkpoint end\n"
                                  "edge m0 m1\n"
                                  "procedure server s0\n"
                                  "node s0 server stable\n"
                                  "node s1 server call handle\n"
                                  "edge s0 s1\n"
                                  "edge s1 s0\n"
                                  "procedure handle h0\n"
                                  "node h0 handle plain\n"
                                  "node h1 handle checkpoint once\n"
                                  "node h2 handle return\n"
                                  "edge h0 h1\n"
                                  "edge h0 h2\n"
                                  "edge h1 h2\n";
    check_table(automaton, "m0 [] 9 end = -\n"
                           "s0 [m0] 9 end = -\n"
                           "h2 [s1 m0] 9 end = -\n"
                           "m0 [] 9 once = 1\n"
                           "h0 [s1 m0] 9 once = 0\n"
                           "h2 [s1 m0] 9 once = 1\n"
                           "h2 [s1 m0] 9 end once = 1\n"
                           "h2 [] 9 end once = -\n");
}

TEST_CASE("several callees, jumps and threads") {
    const std::string automaton = "procedure main m0\n"
                                  "node m0 main call slow fast never\n"
                                  "node m1 main spawn worker\n"
                                  "node m2 main stable\n"
                                  "node m3 main checkpoint end\n"
                                  "node m4 main return\n"
                                  "edge m0 m1\n"
                                  "edge m1 m2\n"
                                  "edge m2 m3\n"
                                  "edge m3 m4\n"
                                  "procedure slow s0\n"
                                  "node s0 slow stable\n"
                                  "node s1 slow stable\n"
                                  "node s2 slow plain\n"
                                  "edge s0 s1\n"
                                  "edge s1 s2\n"
                                  "edge s2 f1\n" // a jump, and not to the root
                                  "procedure fast f0\n"
                                  "node f0 fast stable\n"
                                  "node f1 fast return\n"
                                  "edge f0 f1\n"
                                  "procedure never n0\n"
                                  "node n0 never stable\n"
                                  "node n1 never checkpoint inside\n"
                                  "edge n0 n1\n"
                                  "procedure worker w0\n"
                                  "node w0 worker stable\n"
                                  "node w1 worker checkpoint job\n"
                                  "node w2 worker return\n"
                                  "edge w0 w1\n"
                                  "edge w1 w2\n";
    check_table(automaton,
                "m0 [] 9 end = 2\n"    // through fast, 1, and m2, 1
                "m0 [] 9 inside = 1\n" // in never
                "m0 [] 9 job = 2\n"    // through fast, then in the new thread
                "m1 [] 9 job = 1\n"
                "m1 [] 9 job end = 1\n"
                "m2 [] 9 job = -\n"
                "s0 [m0] 9 end = 3\n" // jumps to the return of fast
                "s0 [] 9 end = -\n"
                "f0 [m0] 9 end = 2\n"
                "n0 [m0] 9 end = -\n"
                "w0 [m0] 9 end = 2\n" // called from m0: by its own stack, whatever its procedure is for
                "w0 [] 9 end = -\n"); // spawned: its return ends the run
}
