// Many of one thing in one place: branches in a procedure, clauses in a select, closures, symbols and callers that
// meet. Twice as many take twice the work, and a little more for the depth of sets; said in counts, which are the same
// on every machine.
#include <functional>
#include <utility>
#include <vector>

#include "tests/flowanalysis/analysed.hpp"

using namespace espalier;

namespace {

using Line = std::function<std::string(const std::string& i)>;

std::string repeated(int count, const Line& line) {
    std::string text;
    for (int i = 0; i < count; ++i) text += line(std::to_string(i)) + "\n";
    return text;
}

std::string messages(int n) {
    return repeated(n, [](auto i) { return "(define-message M" + i + " (a int))"; }) + "(define-port p in" +
           repeated(n, [](auto i) { return " M" + i; }) + ")\n";
}

std::string next(int n, const std::string& i) { return std::to_string((std::stoi(i) + 1) % n); }

// A table of h0 … and a call of one of them.
std::string in_table(int n, const std::string& more = "") {
    return "(define tab (vector " + repeated(n, [](auto i) { return "h" + i; }) + "))\n" +
           "(define (from-table i) (vector-ref tab (modulo i " + std::to_string(n) + ")))\n" + more +
           "((from-table (read int)) 3)\n";
}

using Shape = std::pair<std::string, std::function<std::string(int)>>;

const std::vector<Shape> shapes{
    {"branches in one procedure",
     [](int n) {
         return "(define x (read int))\n" +
                repeated(n, [](auto i) { return "(if (= x " + i + ") (write " + i + "))"; });
     }},
    {"clauses of one cond",
     [](int n) {
         return "(define x (read int))\n(cond " +
                repeated(n, [](auto i) { return "((= x " + i + ") (write " + i + "))"; }) + ")";
     }},
    {"assumptions that hold downstream",
     [](int n) {
         return repeated(n, [](auto i) { return "(define g" + i + " (read int)) (assume (> g" + i + " 0))"; }) +
                repeated(n, [](auto i) { return "(if (> g" + i + " 3) (write g" + i + "))"; });
     }},
    {"results that are looked at twice",
     [](int n) {
         return "(define (g y) (let loop ((i 0)) (if (< i y) (loop (+ i 1)) i)))\n" + repeated(n, [](auto i) {
                    return "(define r" + i + " (g 3)) (if (> r" + i + " 2) (write r" + i + "))";
                });
     }},
    {"types of message in one select",
     [](int n) {
         return messages(n) + "(let loop () (select " +
                repeated(n, [](auto i) { return "((p (M" + i + " a)) (where (> a " + i + ")) (write a))"; }) +
                ") (loop))";
     }},
    {"clauses for one type of message",
     [](int n) {
         return messages(1) + "(let loop () (select " +
                repeated(n, [](auto i) { return "((p (M0 a)) (where (= a " + i + ")) (write a))"; }) + ") (loop))";
     }},
    {"types of message in one cond",
     [](int n) {
         return messages(n) + "(let loop () (let ((m (read p))) (cond " +
                repeated(n, [](auto i) { return "((M" + i + "? m) (write " + i + "))"; }) + ")) (loop))";
     }},
    {"closures in one variable",
     [](int n) {
         return "(define x (read int))\n(define f #f)\n" +
                repeated(n, [](auto i) { return "(if (= x " + i + ") (set! f (lambda (y) (+ y " + i + "))))"; }) +
                "(if f (write (f 1)))";
     }},
    {"closures in one recursive procedure",
     [](int n) {
         return "(define (walk f k) (if (> k 0) (walk f (- k 1)) (f k)))\n" +
                repeated(n, [](auto i) { return "(write (walk (lambda (x) (+ x " + i + ")) 3))"; });
     }},
    {"symbols in one variable",
     [](int n) {
         return "(define x (read int))\n(define s (cond " +
                repeated(n, [](auto i) { return "((= x " + i + ") 's" + i + ")"; }) + "(else 'none)))\n(case s " +
                repeated(n, [](auto i) { return "((s" + i + ") (write " + i + "))"; }) + ")";
     }},
    {"states of a machine in a variable",
     [](int n) {
         return "(define s 's0)\n(define (run) (case s " +
                repeated(n,
                         [&](auto i) { return "((s" + i + ") (if (> (read int) 0) (set! s 's" + next(n, i) + ")))"; }) +
                ") (run))\n(run)";
     }},
    {"states of a machine in a parameter",
     [](int n) {
         return "(define (run s) (case s " +
                repeated(n,
                         [&](auto i) {
                             return "((s" + i + ") (if (> (read int) 0) (run 's" + next(n, i) + ") (run 's" + i + ")))";
                         }) +
                "))\n(run 's0)";
     }},
    {"literals in patterns for one type of message",
     [](int n) {
         return messages(1) + "(define-machine (m) (state s " +
                repeated(n, [](auto i) { return "(on (p (M0 " + i + ")) (write " + i + "))"; }) + "))\n(m)";
     }},
    {"guards on one variable",
     [](int n) {
         return messages(1) + "(define-machine (m k) (state s " +
                repeated(n, [&](auto i) { return "(on (p M0) (where (= k " + i + ")) -> (s " + next(n, i) + "))"; }) +
                "))\n(m 0)";
     }},
    {"clauses on one channel",
     [](int n) {
         return messages(n) + "(define-channel c)\n(define (pass) (send c (read p)) (pass)) (spawn (pass))\n" +
                "(define-machine (m) (state s " +
                repeated(n, [](auto i) { return "(on (c (M" + i + " a)) (write a))"; }) + "))\n(m)";
     }},
    {"states of a machine",
     [](int n) {
         return messages(1) + "(define-machine (m) " +
                repeated(
                    n,
                    [&](auto i) { return "(state s" + i + " (on (p (M0 0)) -> s" + next(n, i) + ") (ignores p))"; }) +
                ")\n(m)";
     }},
};

} // namespace

TEST_CASE("many of one thing in one place take work in proportion") {
    for (const auto& shape : shapes) { // no structured binding: it cannot be captured by the macros
        const std::string name = shape.first;
        const auto& text = shape.second;
        CAPTURE(name);
        std::vector<FlowStatistics> counted;
        for (int n : {1'000, 2'000, 4'000}) {
            const Model model = compiled(text(n));
            counted.push_back(analyse(*model.program).statistics());
            CHECK(counted.back().work >= static_cast<uint64_t>(8 * n)); // each of the n is looked at
        }
        for (size_t i = 1; i < counted.size(); ++i) {
            const FlowStatistics &less = counted[i - 1], &more = counted[i];
            CHECK(more.blocks <= less.blocks * 21 / 10);
            CHECK(more.work <= less.work * 9 / 4);
            CHECK(more.nodes <= less.nodes * 21 / 10);
            CHECK(more.edges <= less.edges * 21 / 10);
            CHECK(more.values <= less.values * 21 / 10);
        }
    }
}

TEST_CASE("many of one thing in one place: the runs of such models are in their automata") {
    for (const auto& shape : shapes) { // no structured binding: it cannot be captured by the macros
        const std::string name = shape.first;
        const auto& text = shape.second;
        CAPTURE(name);
        for (int n : {3, 20, 90}) CHECK(unreachable(text(n)).empty());
    }
}

namespace {

// Each procedure goes on with one of all, out of one table: by a tail call, by a call that returns, in the body of a
// select, and by way of the prelude.
const std::vector<Shape> tables{
    {"tail calls through a table",
     [](int n) {
         return repeated(n, [&](auto i) { return "(define (h" + i + " x) (if (> x 0) ((from-table x) (- x 1))))"; }) +
                in_table(n);
     }},
    {"calls through a table",
     [](int n) {
         return repeated(n,
                         [&](auto i) {
                             return "(define (h" + i + " x) (if (> x 0) (begin ((from-table x) (- x 1)) (write " + i +
                                    "))))";
                         }) +
                in_table(n);
     }},
    {"calls through a table after a wait",
     [](int n) {
         return messages(1) +
                repeated(n,
                         [&](auto i) {
                             return "(define (h" + i + " x) (select ((p (M0 a)) (where (> a " + i +
                                    ")) ((from-table a) a))))";
                         }) +
                in_table(n);
     }},
    {"calls of all that a list holds",
     [](int n) {
         return repeated(n,
                         [&](auto i) {
                             return "(define (h" + i + " x) (if (> x 0) (for-each (lambda (h) (h (- x 1))) few)))";
                         }) +
                in_table(n, "(define few (list (from-table 0) (from-table (read int))))\n");
     }},
};

} // namespace

TEST_CASE("procedures that call each other through a table: one variant of each for all such calls") {
    for (const auto& shape : tables) { // no structured binding: it cannot be captured by the macros
        const std::string name = shape.first;
        const auto& text = shape.second;
        CAPTURE(name);
        FlowStatistics less;
        for (int n : {50, 100, 200}) {
            const Model model = compiled(text(n));
            const FlowStatistics more = analyse(*model.program).statistics();
            if (n > 50) { // a call has an edge to each of its callees, so edges grow with the square
                REQUIRE(more.procedures <= less.procedures * 21 / 10);
                REQUIRE(more.nodes <= less.nodes * 21 / 10);
                REQUIRE(more.edges <= less.edges * 42 / 10);
                REQUIRE(more.work <= less.work * 9 / 2);
                REQUIRE(more.work >= less.work * 3 / 2);
            }
            less = more;
        }
    }
}

TEST_CASE("procedures that call each other through a table: their runs are in the automata") {
    for (const auto& shape : tables) {
        const std::string name = shape.first;
        const auto& text = shape.second;
        CAPTURE(name);
        for (int n : {3, 16, 17, 60}) CHECK(unreachable(text(n)).empty());
    }
}

TEST_CASE("thousands of symbols are told apart") {
    std::string text = shapes[9].second(3'000);
    text += "(case s ((s2999) (checkpoint last)) ((s3000) (checkpoint never)) ((none) (checkpoint none)))\n"
            "(if (eq? s 'none) (case s ((s7) (checkpoint seven)) (else (checkpoint other))))";
    const Model model = compiled(text);
    CHECK(names(*model.program, analyse(*model.program).unreachable_targets()) == Names{"never", "seven"});
}

TEST_CASE("one hundred thousand branches") {
    const Model model = compiled(shapes[0].second(100'000));
    const FlowStatistics s = analyse(*model.program).statistics();
    CHECK(s.blocks > 100'000);
    CHECK(s.blocks < 400'000);
    CHECK(s.nodes < 10); // all of them lead to the same one
}

TEST_CASE("an analysis that is asked to stop stops, and leaves nothing") {
    const Model model = compiled(shapes[0].second(2'000));
    int asked = 0;
    CHECK(!analyse(*model.program, {}, [&] { return ++asked == 3; }));
    CHECK(asked == 3);
    asked = 0;
    CHECK(analyse(*model.program, {}, [&] {
        ++asked;
        return false;
    }));
    CHECK(asked > 10);
    // Also when only the automaton is still to be built.
    const int all = asked;
    asked = 0;
    CHECK(!analyse(*model.program, {}, [&] { return ++asked == all; }));
}
