// A state is had again by its signature, on an engine that never saw it, without a solver.
#include "symexec/follow/follow.hpp"

#include "symexec/symexec.hpp"
#include "tests/random/concrete.hpp"
#include "tests/random/law.hpp"
#include "tests/random/protocol.hpp"
#include "tests/random/shipped.hpp"
#include "tests/symexec/finding.hpp"

using namespace espalier;
using namespace espalier::test;

namespace {

// The machine of an engine that only follows: without a guide it must not be run.
class Nothing : public sym::Observer {
public:
    bool wants(TargetId) const override { throw std::logic_error("asked without a guide"); }
    bool assume(sym::State&, Value) override { throw std::logic_error("asked without a guide"); }
    SolverWord positive_range(sym::State&, Value) override { throw std::logic_error("asked without a guide"); }
    SolverWord few_values(sym::State&, Value, int64_t) override { throw std::logic_error("asked without a guide"); }
    void moments_left_out(const sym::State&, Label) override {}
    std::span<const Value> conditions(const sym::State&) override { return {}; }
    bool should_stop() override { return false; }
    void collect() override {}
};

class Engine : public RootSet {
public:
    explicit Engine(const Program& program) : program_(program), machine_(program, terms_, nothing_, {}) {}

    sym::State follow(const Signature& signature, sym::StandsAt where = sym::StandsAt::rest) {
        return sym::follow(machine_, terms_, signature, where, [this](const sym::State& s) {
            followed_ = &s;
            machine_.heap().collect(*this);
        });
    }
    // What the tester sends on the path, by the solution that the signature came with.
    std::string inputs(const sym::State& s) {
        std::string text;
        for (const sym::Event& e : s.events.to_vector())
            if (e.kind == sym::Event::Kind::input)
                text += to_text(program_, machine_.concretiser().concretise(s, e.value, *s.model, heap_)) + "\n";
        return text;
    }
    void mark_roots(Marker& marker) override {
        sym::FramePool::of_thread().clear_free();
        sym::Machine::mark(*followed_, marker, ++round_);
    }

private:
    const Program& program_;
    Nothing nothing_;
    sym::Terms terms_;
    sym::Machine machine_;
    Heap heap_;
    const sym::State* followed_ = nullptr;
    uint32_t round_ = 0;
};

struct Followed {
    uint64_t tests = 0, words = 0, implied = 0;
};

// What is wrong with the states that the tests' signatures name.
std::string follow_all(const Program& program, const Exploration& found, Followed& counts) {
    Engine engine(program);
    for (const FoundTest& test : found.spare) { // with the values of the solution that the signature has
        if (test.open_end) { // it stands within a run: before and after, other inputs are looked into
            engine.follow(test.signature, sym::StandsAt::last_choice);
            continue;
        }
        const sym::State s = engine.follow(test.signature);
        Heap heap;
        const Signature again = sym::signature_of(s, heap);
        if (again != test.signature || again.implied != test.signature.implied) return "signature: another one";
        if (s.words.size() != test.signature.words.size()) return "words: not all were heard";
        if (s.model != nullptr && engine.inputs(s) != inputs_of(program, test))
            return "inputs: " + engine.inputs(s) + "instead of\n" + inputs_of(program, test);
        ++counts.tests;
        counts.words += s.words.size();
        for (const bool is_implied : again.implied) counts.implied += is_implied ? 1 : 0;
    }
    return "";
}

Exploration search(const Program& program, uint64_t steps) {
    ExploreOptions options;
    options.step_limit = steps;
    options.quiet_step_limit = 5'000;
    return explore(program, options);
}

} // namespace

TEST_CASE("law of signatures: followed on another engine, they give the same inputs, on random models") {
    Followed counts;
    const auto law = [&](const std::string& text) -> std::string {
        Model model = compile_text(text);
        if (!model.program) return "check: it does not compile";
        model.program = instrument(*model.program, Criteria::all());
        return follow_all(*model.program, search(*model.program, 20'000), counts);
    };
    check_law(
        100, [](uint32_t seed) { return counting_hooks(true) + RandomProtocol(seed, {}).text(); }, law);
    MESSAGE(counts.tests << " tests followed, " << counts.words << " words of the solver, " << counts.implied
                         << " implied conditions");
    CHECK(enough(counts.tests, 150));
    CHECK(enough(counts.implied, 5));
}

TEST_CASE("law of signatures, on the shipped models") {
    Followed counts;
    with_each_shipped_model([&](const std::string& name, const Program& program, const Flow&) {
        INFO(name);
        CHECK(follow_all(program, search(program, 20'000), counts) == "");
    });
    CHECK(counts.tests > 200);
}

TEST_CASE("what the solver said of delays and of few values is in the signature") {
    const Model model = compile_text(R"(
(define-message A (x (int 5 900)) (s (enum 7 8 90)))
(define-port p in A)
(define a (read p))
(define sum (+ (A-x a) (A-s a)))
(assume (< sum 40))
(select ((after sum) (checkpoint waited))
        ((p (A _ _)) (checkpoint sent)))
(when (string=? (number->string sum) "20") (checkpoint twenty)))");
    REQUIRE(model.program);
    Followed counts;
    CHECK(follow_all(*model.program, search(*model.program, 0), counts) == "");
    CHECK(counts.tests > 1);
    CHECK(counts.words > 0);
}

TEST_CASE("a signature of another program is refused") {
    const auto compiled = [](const std::string& condition) {
        return compile_text("(define-message A (x int)) (define-port p in A)"
                            "(let ((x (A-x (read p)))) (if " +
                            condition + " (checkpoint large) (checkpoint small)))");
    };
    const Model one = compiled("(> x 7)"), other = compiled("(= 1 2)");
    const Exploration found = search(*one.program, 0);
    REQUIRE(!found.tests.empty());
    Engine engine(*other.program);
    CHECK_THROWS_AS(engine.follow(found.tests[0].signature), std::logic_error);
    Signature wrong = found.tests[0].signature;
    wrong.choices[0].label = Label{12345};
    CHECK_THROWS_AS(Engine(*one.program).follow(wrong), std::logic_error);
}
