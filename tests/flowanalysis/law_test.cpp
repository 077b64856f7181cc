// Law 2: every path of the concrete model is a path of the automaton. And the test is worth something: an
// analysis that overlooks one thing of the model is caught by it.
#include <filesystem>
#include <functional>

#include "tests/flowanalysis/analysed.hpp"
#include "tests/flowanalysis/random_model.hpp"
#include "tests/random/scale.hpp"

using namespace espalier;

TEST_CASE("every path of a shipped model is a path of its automaton") {
    uint64_t steps = 0;
    const std::filesystem::path models = std::filesystem::path(ESPALIER_SOURCE_DIR) / "models";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(models)) {
        if (entry.path().extension() != ".scm") continue;
        Model model = load_model(entry.path().string());
        if (!model.program) continue; // a part of another model, or the business of other tests
        for (const bool instrumented : {false, true}) {
            if (instrumented) model.program = instrument(*model.program, Criteria::all());
            const Flow flow = analyse(*model.program);
            for (uint32_t seed = 0; seed < 20; ++seed)
                if (const auto failure = walk(*model.program, flow, seed, 60, &steps))
                    FAIL(entry.path() << (instrumented ? " with all criteria: " : ": ") << *failure);
        }
    }
    CHECK(steps > 200'000);
}

TEST_CASE("every path of a random model is a path of its automaton") {
    uint64_t steps = 0;
    for (uint32_t seed = 0; seed < test::scaled(1000); ++seed) {
        const std::string text = RandomModel(seed).text();
        Model model = compiled(text);
        if (seed % 3 == 0) model.program = instrument(*model.program, Criteria::all());
        for (const bool call_sites : {true, false}) {
            FlowOptions options;
            options.call_sites = call_sites;
            const Flow flow = analyse(*model.program, options);
            for (uint32_t run = 0; run < 4; ++run)
                if (const auto failure = walk(*model.program, flow, run, 30, &steps, 5000))
                    FAIL("seed " << seed << ", run " << run << ": " << *failure << text);
        }
    }
    CHECK(steps > uint64_t{2'000} * test::scaled(1000));
}

namespace {

// Analyses the model as `blinded` leaves it, and runs it as it is.
bool caught(const std::string& text, const std::function<void(Program&)>& blinded, const FlowOptions& options = {}) {
    const Model model = compiled(text);
    Model other = compiled(text);
    REQUIRE(!walk(*model.program, analyse(*model.program, options), 1));
    blinded(*other.program);
    const Flow flow = analyse(*other.program, options);
    for (uint32_t seed = 0; seed < 50; ++seed)
        if (walk(*model.program, flow, seed)) return true;
    return false;
}

// Each operation of the kind does nothing any more.
template <typename Op>
void without(Program& program) {
    for (Operation& o : program.ops)
        if (std::holds_alternative<Op>(o.kind)) o.kind = op::GlobalSet{GlobalId{0}, VarId{0}, false};
}

} // namespace

TEST_CASE("an analysis that overlooks something is caught") {
    const std::string variables = R"(
        (define nothing 0)
        (define s 'idle)
        (define (run x)
          (let ((n 0))
            (if (> (read int) 0) (begin (set! n 1) (set! s 'busy)))
            (if (= n 1) (checkpoint one) (checkpoint none))
            (if (eq? s 'busy) (checkpoint busy) (checkpoint idle))
            (run n)))
        (run 0))";
    const std::string threads = R"(
        (define nothing 0)
        (define-message A) (define-message B)
        (define-port user in A B)
        (define-channel c)
        (define (relay m) (send c m) (select ((user A as m) (relay m)) ((user B as m) (relay m))))
        (spawn-service (let serve () (select ((c A) (checkpoint a) (serve)) ((c B) (checkpoint b) (serve)))))
        (relay (A)))";

    CHECK(caught(variables, [](Program& p) { // assignments to local variables
        for (Operation& o : p.ops)
            if (auto* set = std::get_if<op::BoxSet>(&o.kind)) set->value = set->box;
    }));
    CHECK(caught(variables, [](Program& p) { // assignments to globals
        for (Operation& o : p.ops)
            if (auto* set = std::get_if<op::GlobalSet>(&o.kind); set != nullptr && !set->definition)
                set->global = GlobalId{0};
    }));
    CHECK(caught(variables, [](Program& p) { // the other arm of a branch
        for (Block& b : p.blocks)
            if (auto* branch = std::get_if<terminator::Branch>(&b.terminator.kind))
                branch->else_block = branch->then_block;
    }));
    CHECK(caught(threads, [](Program& p) { without<op::Send>(p); }));
    CHECK(caught(threads, [](Program& p) { without<op::Spawn>(p); }));
    CHECK(caught(threads, [](Program& p) { // what a port carries
        for (PortDef& port : p.ports)
            if (port.in.size() == 2) port.in.pop_back();
    }));
    CHECK(caught(threads, [](Program& p) { // a clause
        for (SelectClause& c : p.clauses) c.message = MessageId{0};
    }));
    CHECK(
        caught("(define (f x) (if (> x 3) (checkpoint big) (checkpoint small)) x)\n(map f (list 1 5))", [](Program& p) {
            for (Lambda& l : p.lambdas) l.prelude = false; // whose call site prelude code has
        }));
    CHECK(caught("(define (f x) (if (> x 3) (checkpoint big) (checkpoint small)))\n(f (+ 1 1))\n(f 4)", [](Program& p) {
        for (Operation& o : p.ops) // arithmetic
            if (auto* k = std::get_if<op::Constant>(&o.kind); k != nullptr && k->value == Value::fixnum(4))
                k->value = Value::fixnum(1);
    }));
    CHECK(caught("(define-type small (int 0 9))\n(if (> (read small) 4) (checkpoint big) (checkpoint low))",
                 [](Program& p) {
                     for (TypeDef& t : p.types) // the bounds of a type
                         if (auto* i = std::get_if<type::Int>(&t.kind); i != nullptr && i->high)
                             i->high = Value::fixnum(4);
                 }));
}
