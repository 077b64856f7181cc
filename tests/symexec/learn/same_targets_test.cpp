// Models in which a reason that says too little would lose a target: each has the same targets with learning and
// without. In most of them a run with its data veiled does what the run that it is learnt from did not.
#include <algorithm>

#include "symexec/search/explorer.hpp"
#include "symexec/symexec.hpp"
#include "tests/random/law.hpp"

using namespace espalier;
using namespace espalier::test;

namespace {

struct NamedModel {
    const char *name, *text;
};
const NamedModel models[] = {
    {"a number grows beyond what is a datum", R"(
        (define a (if (read bool) 1000000000000000000 1100000000000000000))
        (read bool)
        (define r (* a 1000))
        (read bool)
        (if (= r 1100000000000000000000) (checkpoint lost)))"},
    {"a fraction is no datum", R"(
        (define a 0)
        (if (read bool) (set! a 1) (set! a 3))
        (read bool)
        (define r (/ a 4))
        (read bool)
        (if (= r 3/4) (checkpoint lost)))"},
    {"the last setting is chosen on the way", R"(
        (define a (choose 'udp 'tcp))
        (read bool)
        (define b a)
        (read bool)
        (if (eq? b 'tcp) (checkpoint lost)))"},
    {"the last setting is chosen on the way, and the oracle cuts a way of a fork behind it", R"(
        (define a (choose 'udp 'tcp))
        (read bool)
        (define b a)
        (define n 0)
        (set! n (+ n 1))
        (choose (if (eq? b 'tcp) (checkpoint lost)) (if (> n 9) (checkpoint never))))"},
    {"an input turned out to be a fresh value, and is dead", R"(
        (define-message Opened (session int))
        (define-message Close (session int))
        (define-port server (in Close) (out Opened))
        (define n 0)
        (let ((id (fresh int)))
          (write server (Opened id))
          (select ((server (Close s)) (assume (equal? s id)))))
        (if (read bool) (set! n 1) (set! n 3))
        (read bool)
        (if (= n 3) (checkpoint lost)))"},
    {"an input may have turned out to be a fresh value, and is kept", R"(
        (define-message Opened (session int))
        (define-message Close (session int))
        (define-port server (in Close) (out Opened))
        (define keep 0)
        (let ((id (fresh int)))
          (write server (Opened id))
          (select ((server (Close s)) (set! keep s) (if (equal? s id) 1 2))))
        (read bool)
        (if (equal? keep 5) (checkpoint lost) (choose 1 2)))"},
    {"the path knows an index", R"(
        (define i (read (int 0 1)))
        (write out (vector-ref (vector 0 0) i))
        (read bool)
        (if (= 1 (vector-ref (vector 0 1) i)) (checkpoint lost) (choose 1 2)))"},
    {"the path knows an index, behind a choice", R"(
        (define n 0)
        (define (never) (set! n (+ n 1)) (if (> n 99) (checkpoint never)))
        (define i (read (int 0 1)))
        (write out (vector-ref (vector 0 0) i))
        (read bool)
        (choose (never) (never) (never) (never) (never) (never) (never) (never) (never) (never)
                (if (= 1 (vector-ref (vector 0 1) i)) (checkpoint lost) (choose 1 2 3))))"},
    {"a comparison ends before it looks into an input", R"(
        (define-message Two (a int) (rest (list-of int 2)))
        (define-port p (in Two))
        (define n 0)
        (define m (read p))
        (if (read bool) (set! n 10) (set! n 100))
        (read bool)
        (if (equal? (list n (Two-rest m)) (list 100 '())) (checkpoint lost) (choose 1 2)))"},
    {"the root of a symbolic number is a new one", R"(
        (define n 0)
        (if (read bool) (set! n 10) (set! n 100))
        (read bool)
        (call-with-values (lambda () (exact-integer-sqrt n))
          (lambda (r rest) (if (> r 3) (checkpoint lost) (choose 1 2)))))"},
    {"conditions become too deep", R"(
        (define x 7)
        (define (turn k) (if (> k 0) (begin (set! x (quotient (+ x x 5) 2)) (turn (- k 1)))))
        (if (read bool) (set! x 8))
        (read bool)
        (turn 900)
        (read bool)
        (turn 900)
        (if (> x 99999) (checkpoint never)))"},
};

Exploration explored(const Program& program, const Flow& flow, Search search, bool interpolants, Cut cut) {
    ExploreOptions options;
    options.depth = 8;
    options.search = search;
    options.flow = &flow;
    options.cut = cut;
    options.interpolants = interpolants;
    return explore(program, options);
}

} // namespace

TEST_CASE("a run with its data veiled is compared with the run that it is learnt from") {
    for (const NamedModel& named : models) {
        CAPTURE(named.name);
        Model model = compile_text(named.text);
        REQUIRE(model.program);
        const Flow flow = analyse(*model.program);
        for (const Search search : {Search::dfs, Search::bfs, Search::random, Search::distance})
            for (const Cut cut : {Cut::off, Cut::v3}) {
                CAPTURE(static_cast<int>(search));
                const Exploration with = explored(*model.program, flow, search, true, cut);
                CHECK(with.complete);
                CHECK(!with.internal_error);
                CHECK(with.covered == explored(*model.program, flow, search, false, cut).covered);
            }
    }
}

TEST_CASE("an error behind a state that was skipped is among those that were not looked for") {
    Model model = compile_text(R"(
        (define i 0)
        (define n 0)
        (if (read bool) (set! i 1) (set! i 3))
        (set! n (+ n 1))
        (read bool)
        (if (> n 99) (checkpoint never))
        (write out (vector-ref (vector 0 1 2) i)))");
    REQUIRE(model.program);
    const Flow flow = analyse(*model.program);
    const Exploration with = explored(*model.program, flow, Search::dfs, true, Cut::v3);
    REQUIRE(with.statistics.subsumed == 1);
    CHECK(with.errors.empty());
    CHECK(with.untried.size() == 1);
}
