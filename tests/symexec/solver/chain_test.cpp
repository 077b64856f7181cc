// The solver chain: whatever steps are switched off, the same things are found; and random models replay (law 1).
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "symexec/symexec.hpp"
#include "tests/random/scale.hpp"
#include "tests/symexec/replay.hpp"

using namespace espalier;

namespace {

// Reads a few inputs in a loop, and branches on sums of them.
class RandomModel {
public:
    explicit RandomModel(uint64_t seed) : random_(seed) {}
    std::string text() {
        std::string out =
            "(define-message A (x int) (y (int -3 12)))\n(define-message B (s (enum u v w)) (b bool) (t string))\n"
            "(define-port p in A B)\n(define n 0)\n(define last 1)\n(define q 'u)\n(define str \"\")\n(let loop ()\n "
            "(select\n";
        out +=
            "  ((p (A x y)) (where " + condition({"x", "y", "n"}, 1) + ") " + body({"x", "y", "n"}, 3) + " (loop))\n";
        out += "  ((p (A x y)) " + body({"x", "y", "n"}, 2) + " (set! n (+ n y)) (set! last y) (loop))\n";
        out += "  ((p (B s b t)) (if b (set! q s) (set! str t)) " + body({"n"}, 3) + " (if (eq? q 'w) " +
               body({"n"}, 1) + ") (loop))))\n";
        return out;
    }
    // How often the text multiplies inputs.
    uint32_t products() const { return products_; }

private:
    using Names = std::vector<std::string>;
    uint32_t pick(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
    std::string constant() { return std::to_string(static_cast<int>(pick(21)) - 10); }
    std::string number(const Names& names, int depth) {
        if (depth == 0 || pick(3) == 0)
            return pick(3) == 0 ? constant() : names[pick(static_cast<uint32_t>(names.size()))];
        switch (pick(7)) {
        case 0: return "(modulo " + number(names, depth - 1) + " 4)";
        case 1: return "(* 3 " + number(names, depth - 1) + ")";
        case 2: ++products_; return "(* " + factor(names) + " " + factor(names) + ")";
        default:
            return std::string(pick(2) == 0 ? "(+ " : "(- ") + number(names, depth - 1) + " " +
                   number(names, depth - 1) + ")";
        }
    }
    // An input that can be few things, of this message or of one before it: every chain has answers about their
    // products.
    std::string factor(const Names& names) {
        if (std::find(names.begin(), names.end(), "y") == names.end()) return "last";
        static constexpr const char* factors[] = {"y", "last", "(- y 2)"};
        return factors[pick(3)];
    }
    std::string condition(const Names& names, int depth) {
        static constexpr const char* ops[] = {"<", ">", "=", "<=", ">="};
        switch (pick(8)) {
        case 0: return "(eq? q 'v)";
        case 1: return "(string=? str \"ok\")";
        case 2: return "(and " + condition(names, depth) + " " + condition(names, depth) + ")";
        default: return std::string("(") + ops[pick(5)] + " " + number(names, depth) + " " + number(names, depth) + ")";
        }
    }
    std::string body(const Names& names, int depth) {
        std::string here = "(checkpoint c" + std::to_string(count_++) + ")";
        if (depth == 0) return here;
        return "(begin (if " + condition(names, 2) + " " + body(names, depth - 1) + " " + body(names, depth - 1) +
               ") " + (pick(3) == 0 ? "(set! n " + number(names, 1) + ")" : here) + ")";
    }

    std::mt19937_64 random_;
    int count_ = 0;
    uint32_t products_ = 0;
};

Exploration find(const Program& program, SolverChain chain, uint32_t depth, Search search) {
    ExploreOptions options;
    options.depth = depth;
    options.chain = chain;
    options.search = search;
    options.step_limit = 20'000;
    return explore(program, options);
}

} // namespace

TEST_CASE("random models: every test replays, every chain finds the same") {
    uint32_t compared = 0, products = 0;
    for (uint64_t seed = 0; seed < test::scaled(40); ++seed) {
        CAPTURE(seed);
        RandomModel random(seed);
        const std::string text = random.text();
        const Model model = compile_text(text);
        if (!model.program) {
            for (const Diagnostic& d : model.diagnostics.all()) MESSAGE(render(model.sources, d));
            REQUIRE(model.program);
        }
        const Search search = seed % 3 == 0 ? Search::dfs : seed % 3 == 1 ? Search::bfs : Search::random;
        const Exploration whole = find(*model.program, {}, 2, search);
        CHECK(whole.unsupported.empty());
        CHECK(whole.errors.empty());
        CHECK(test::replay_all(*model.program, whole) == "");
        if (whole.statistics.sat_unknown > 0) continue; // what a chain does not know is its own
        SolverChain chain;
        switch (seed % 6) {
        case 0: chain.models = false; break;
        case 1: chain.intervals = false; break;
        case 2: chain.independence = false; break;
        case 3: chain.cache = false; break;
        case 4: chain.enumeration = false; break;
        default: chain.validate = true; break;
        }
        const Exploration other = find(*model.program, chain, 2, search);
        CHECK(test::replay_all(*model.program, other) == "");
        if (other.statistics.sat_unknown > 0) continue;
        ++compared;
        products += random.products();
        CHECK(other.covered == whole.covered);
        CHECK(other.statistics.vm_steps == whole.statistics.vm_steps);
        REQUIRE(other.tests.size() == whole.tests.size());
        for (size_t i = 0; i < whole.tests.size(); ++i) { // values do not depend on the solver's history
            CHECK(to_text(other.tests[i].signature) == to_text(whole.tests[i].signature));
            REQUIRE(other.tests[i].steps.size() == whole.tests[i].steps.size());
            for (size_t j = 0; j < whole.tests[i].steps.size(); ++j)
                CHECK(to_text(*model.program, other.tests[i].steps[j].value) ==
                      to_text(*model.program, whole.tests[i].steps[j].value));
        }
    }
    MESSAGE(compared << " models compared, with " << products << " products of inputs");
    CHECK(test::enough(compared, 20));
    CHECK(test::enough(products, 100));
}
