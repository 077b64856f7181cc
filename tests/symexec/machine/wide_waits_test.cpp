// Waits with very many clauses: what a message costs, in looks at clauses and their sources, and in slots of frames.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "symexec/state/code.hpp"
#include "symexec/symexec.hpp"
#include "tests/symexec/finding.hpp"

using namespace espalier;
using namespace espalier::test;

namespace {

std::string repeated(int count, const std::function<std::string(const std::string& i)>& line) {
    std::string text;
    for (int i = 0; i < count; ++i) text += line(std::to_string(i)) + "\n";
    return text;
}

std::string machine(const std::string& declarations, const std::string& clauses) {
    return declarations + "(define-machine (m s) (state idle\n" + clauses + "))\n(m 0)";
}

std::string of_many_types(int n) {
    const std::string declarations = repeated(n, [](auto i) { return "(define-message M" + i + " (a int))"; }) +
                                     "(define-port p in" + repeated(n, [](auto i) { return " M" + i; }) + ")\n";
    return machine(declarations, repeated(n, [](auto i) { return "(on (p (M" + i + " a)) (write a))"; }));
}

std::string of_one_type(int n) {
    return machine("(define-message M (a int)) (define-port p in M)\n",
                   repeated(n, [](auto i) { return "(on (p (M " + i + ")) (write " + i + "))"; }));
}

// A thread gives what it gets to the machine, by a channel.
std::string by_channel(int n) {
    return machine("(define-message M (a int)) (define-port p in M) (define-channel c)\n"
                   "(define (pass) (select ((p (M a)) (send c (M a)) (pass)))) (spawn (pass))\n",
                   repeated(n, [](auto i) { return "(on (c (M " + i + ")) (write " + i + "))"; }) +
                       "(on (c (M a)) (write a))");
}

// The search until all transitions are covered.
Statistics search(const std::string& text, Search search) {
    Model model = compile_text(text);
    REQUIRE(model.program);
    const Program program = instrument(*model.program, Criteria().add(TargetKind::transition));
    const Flow flow = analyse(program);
    ExploreOptions options;
    options.search = search;
    options.cut = Cut::v3;
    options.flow = &flow;
    options.memo = true;
    const Exploration found = explore(program, options);
    CHECK(std::all_of(found.covered.begin(), found.covered.end(), [](bool is_covered) { return is_covered; }));
    return found.statistics;
}

uint32_t most_slots(const std::string& text) {
    const Model model = compile_text(text);
    REQUIRE(model.program);
    const sym::Code code(*model.program);
    uint32_t most = 0;
    for (uint32_t l = 0; l < model.program->lambdas.size(); ++l) most = std::max(most, code.entry(LambdaId{l}).slots);
    return most;
}

} // namespace

TEST_CASE("twice the clauses take twice the looks at them and at what they wait for") {
    for (const auto& shape : {of_many_types, of_one_type, by_channel})
        for (const Search order : {Search::bfs, Search::distance}) {
            CAPTURE(shape(2));
            const uint64_t less = search(shape(100), order).wait_looks, more = search(shape(200), order).wait_looks;
            MESSAGE(less << ", " << more);
            CHECK(less >= 100);
            CHECK(more <= less * 22 / 10);
        }
}

TEST_CASE("a search takes no more looks at clauses than a few for each test that it runs") {
    for (const auto& shape : {of_many_types, of_one_type, by_channel})
        for (const Search order : {Search::bfs, Search::dfs, Search::random, Search::distance}) {
            CAPTURE(shape(2));
            const Statistics statistics = search(shape(100), order);
            MESSAGE(statistics.wait_looks << " looks, " << statistics.vm_steps << " steps");
            CHECK(statistics.wait_looks <= 2 * statistics.vm_steps);
        }
}

TEST_CASE("a frame that waits has slots for its largest clause, however many there are") {
    for (const auto& shape : {of_many_types, of_one_type, by_channel}) {
        CAPTURE(shape(2));
        CHECK(most_slots(shape(300)) == most_slots(shape(30)));
        CHECK(most_slots(shape(300)) < 30);
    }
}

// A thread that refuses a message has run its tests, in the frame in which later ones find what stood there before.
TEST_CASE("tests that refuse leave what other clauses need") {
    const std::string text = R"(
(define-message Go (n (int 0 20))) (define-message Pair (a (int 0 20)) (b (int 0 20))) (define-message Stop)
(define-port p in Go Pair Stop)
(define (serve a b c)
  (let ((x (+ a 1)) (y (* b 2)) (z (list a b c)) (tried (lambda (k) (+ k a))))
    (select
      ((p (Go n)) (where (let ((k (* 2 n)) (l (+ n c))) (> (+ k l) (tried 20)))) (assert (= x (+ a 1))))
      ((p (Pair u v)) (where (let ((k (+ u v)) (l (- u v))) (= (tried k) (+ l y)))) (assert (= y (+ b b))))
      ((p Stop) (where (> c 3)) (assert (equal? z (list a b c))) (assert (= (tried 1) x))))
    (if (= x 2) (checkpoint first) (if (= x 5) (checkpoint second) (checkpoint third)))))
(define-channel silent)
(spawn (serve 1 2 3))
(spawn (serve 4 5 6))
(spawn (serve 7 8 9))
(spawn-service (begin (receive silent) (checkpoint never)))
)";
    ExploreOptions options;
    options.depth = 5;
    options.chain.validate = true;
    const Found f = find(text, options);
    CHECK(f.covered == Names{"first", "second", "third"});
    CHECK(f.missed == Names{"never"}); // so that all paths are followed
    CHECK(f.exploration.errors.empty());
    CHECK(f.exploration.complete);
    CHECK(f.exploration.statistics.paths > 30); // all orders in which the threads are served
}
