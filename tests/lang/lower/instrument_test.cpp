// Criteria in the λ-IR: which targets there are, what they are called, and when a run reaches them.
#include "lang/lower/criteria.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include "tests/lang/running.hpp"
#include "tests/random/scale.hpp"

using namespace espalier;

namespace {

using Names = std::set<std::string>;

Model instrumented(const std::string& text, const char* list) {
    Model model = compile_text(text);
    for (const Diagnostic& d : model.diagnostics.all())
        if (d.severity == Severity::error) FAIL(render(model.sources, d));
    Criteria criteria;
    REQUIRE(parse_criteria(list, criteria).empty());
    model.program = instrument(*model.program, criteria);
    return model;
}

Names targets(const std::string& text, const char* list) {
    const Model model = instrumented(text, list);
    Names names;
    for (const Target& t : model.program->targets) names.insert(target_id(t));
    CHECK(names.size() == model.program->targets.size()); // each once
    return names;
}

class Marks : public Listener {
public:
    explicit Marks(const Program& program) : program_(program) {}
    void mark(TargetId t, uint32_t) override { names.insert(target_id(program_.targets[index(t)])); }
    Names names;

private:
    const Program& program_;
};

// What a run on these bare inputs reaches.
Names reached(const Model& model, const std::vector<int64_t>& inputs) {
    Marks marks(*model.program);
    Interpreter run(*model.program, marks);
    Status status = run.start();
    for (int64_t input : inputs) {
        REQUIRE(status == Status::stable);
        PortId in{};
        for (uint32_t i = 0; i < model.program->ports.size(); ++i)
            if (model.program->ports[i].bare_in) in = PortId{i};
        status = run.deliver(in, Value::fixnum(input));
    }
    return marks.names;
}
Names reached(const std::string& text, const char* list, const std::vector<int64_t>& inputs = {}) {
    return reached(instrumented(text, list), inputs);
}

} // namespace

TEST_CASE("lists of criteria") {
    Criteria c;
    CHECK(parse_criteria("branches,checkpoints", c).empty());
    CHECK(to_text(c) == "checkpoints,branches");
    CHECK(parse_criteria("all", c).empty());
    CHECK(c == Criteria::all());
    CHECK(to_text(Criteria::standard()) == "checkpoints,requirements,procedures,branches,states,transitions");
    CHECK(parse_criteria("branch", c).find("there is no criterion `branch`") == 0);
    CHECK(parse_criteria("", c).find("a criterion is missing") == 0);
    CHECK(parse_criteria("branches,", c).find("a criterion is missing") == 0);
    for (TargetKind kind : all_target_kinds) CHECK(target_kind(target_id({kind, "x", {}, {}})) == kind);
    CHECK(!target_kind("x:y"));
}

TEST_CASE("only what is asked for is a target") {
    const char* text = "(checkpoint a) (requirement \"R\" \"r\") (define-machine (m) (state s (on (p A) -> s)))"
                       "(define-message A) (define-port p in A) (m)";
    CHECK(targets(text, "checkpoints") == Names{"cp:a"});
    CHECK(targets(text, "requirements,states") == Names{"req:R", "state:m/s"});
    CHECK(targets(text, "transitions") == Names{"transition:m/s#1"});
}

TEST_CASE("procedures: the author's, by where they stand") {
    CHECK(targets("(define (f x) (let loop ((i 0)) (if (< i x) (loop (+ i 1)))) (map (lambda (y) y) '(1))"
                  "  (for-each (lambda (y) y) '(1)))"
                  "(define g (case-lambda (() 1) ((a) 2)))"
                  "(define h (let ((k (lambda () 1))) k))"
                  "(do ((i 0 (+ i 1))) ((= i 2)))"
                  "(f 1) (g) (h)",
                  "procedures") ==
          Names{"proc:f", "proc:f/loop", "proc:f/lambda", "proc:f/lambda#2", "proc:g", "proc:top/k"});
    CHECK(reached("(define (f) 1) (define (g) 2) (f)", "procedures") == Names{"proc:f"});
}

TEST_CASE("branches: each decision both ways, where it has two") {
    const char* text = "(define (f x) (cond ((> x 0) 1) ((= x 0) 2) (else 3)))"
                       "(define (g x) (if #t (when (> x 0) 1) 2))"
                       "(f (read)) (g 1)";
    CHECK(targets(text, "branches") == Names{"branch:f#1:then", "branch:f#1:else", "branch:f#2:then", "branch:f#2:else",
                                             "branch:g#1:then", "branch:g#2:then", "branch:g#2:else"});
    CHECK(reached(text, "branches", {0}) ==
          Names{"branch:f#1:else", "branch:f#2:then", "branch:g#1:then", "branch:g#2:then"});
}

TEST_CASE("an edit elsewhere changes no name") {
    const std::string f = "(define (f x) (if (> x 0) (assert (< x 9)) 2))";
    const auto of_f = [](const Names& all) {
        Names own;
        for (const std::string& n : all)
            if (n.find(":f#") != std::string::npos || n == "proc:f") own.insert(n);
        return own;
    };
    const Names before = of_f(targets(f + "(f 1)", "all"));
    CHECK(before ==
          of_f(targets("(define (e y) (if (and y (= y 3)) (error \"no\") (if y 1 2)))" + f + "(f 1) (e 2)", "all")));
    CHECK(before.size() == 1 + 2 + 2 + 2 + 6 + 1);
}

TEST_CASE("a clause that is expanded for several leaves is one place") {
    const char* text = "(define-message A (x int)) (define-port p in A)"
                       "(define-machine (m) (state out (initial s) (state s (on (p (A 1)) -> t)) (state t)"
                       "  (on (p (A x)) (where (and (> x 0) (< x 9))) (if (= x 5) (-> s) (-> t)))))"
                       "(m)";
    CHECK(targets(text, "branches,conditions") ==
          Names{"branch:m/out#1:then", "branch:m/out#1:else", "branch:m/out#2:then", "branch:m/out#2:else",
                "cond:m/out#1:true", "cond:m/out#1:false", "cond:m/out#2:true", "cond:m/out#2:false",
                "cond:m/out#3:true", "cond:m/out#3:false"});
}

TEST_CASE("boundaries are at the edge, on either side, and of integers") {
    const char* text = "(if (< (read) 10) 1 2)";
    CHECK(reached(text, "boundaries", {8}) == Names{});
    CHECK(reached(text, "boundaries", {9}) == Names{"bound:top#1:below"});
    CHECK(reached(text, "boundaries", {10}) == Names{"bound:top#1:at"});
    CHECK(reached(text, "boundaries", {11}) == Names{"bound:top#1:above"});
    CHECK(reached("(< 1/2 3/2) (< 1 2 3) (> 100000000000000000000000 100000000000000000000001) (char<? #\\a #\\b)",
                  "boundaries") == Names{"bound:top#2:below", "bound:top#3:below", "bound:top#4:below"});
}

TEST_CASE("boundaries of a comparison of several are numbered as its operands stand") {
    const char* text = "(< 3 (read) 10 20)";
    CHECK(reached(text, "boundaries", {3}) == Names{"bound:top#1:at"}); // it stops there
    CHECK(reached(text, "boundaries", {4}) == Names{"bound:top#1:below"});
    CHECK(reached(text, "boundaries", {9}) == Names{"bound:top#2:below"});
}

TEST_CASE("errors: the sites that are reached") {
    const char* text = "(define (f x) (assert (> x 0)) (if (> x 5) (error \"big\" x)) x) (f (read))";
    CHECK(targets(text, "errors") == Names{"error:f#1", "error:f#2"});
    CHECK(reached(text, "errors", {3}) == Names{});
    CHECK(reached(text, "errors", {0}) == Names{"error:f#1"});
    CHECK(reached(text, "errors", {6}) == Names{"error:f#2"});
}

// ── MC/DC against its definition ──

namespace {

struct Tree {
    enum class Kind : uint8_t { atom, all, some, no, truth, falsity } kind = Kind::atom;
    uint32_t atom = 0;
    std::vector<Tree> parts;
};

class TreeMaker {
public:
    explicit TreeMaker(uint32_t seed) : random_(seed) {}
    uint32_t atoms = 0;
    Tree make(uint32_t depth) {
        Tree t;
        const auto dice = random_() % 12;
        if (depth == 0 || dice < 3) {
            t.atom = atoms++;
        } else if (dice == 3) {
            t.kind = random_() % 2 == 0 ? Tree::Kind::truth : Tree::Kind::falsity;
        } else if (dice < 6) {
            t.kind = Tree::Kind::no;
            t.parts.push_back(make(depth - 1));
        } else {
            t.kind = dice < 9 ? Tree::Kind::all : Tree::Kind::some;
            for (auto n = 2 + random_() % 2; n > 0; --n) t.parts.push_back(make(depth - 1));
        }
        return t;
    }
    // An atom is a bit of x, sometimes by way of a call or a condition of its own.
    std::string text(const Tree& t) {
        std::string inner;
        for (const Tree& part : t.parts) inner += " " + text(part);
        switch (t.kind) {
        case Tree::Kind::atom: {
            const std::string k = std::to_string(t.atom);
            const auto form = random_() % 3;
            if (form == 0) return "(bit? x " + k + ")";
            if (form == 1) return "(odd? (quotient x (expt 2 " + k + ")))";
            return "(if (bit? x " + k + ") (bit? x " + k + ") #f)";
        }
        case Tree::Kind::all: return "(and" + inner + ")";
        case Tree::Kind::some: return "(or" + inner + ")";
        case Tree::Kind::no: return "(not" + inner + ")";
        case Tree::Kind::truth: return "#t";
        case Tree::Kind::falsity: return "#f";
        }
        return {};
    }

private:
    std::mt19937 random_;
};

// Short-circuit evaluation; notes which atoms were looked at.
bool evaluate(const Tree& t, uint64_t bits, std::vector<bool>& seen) {
    switch (t.kind) {
    case Tree::Kind::atom: seen[t.atom] = true; return (bits >> t.atom & 1U) != 0;
    case Tree::Kind::all:
        return std::all_of(t.parts.begin(), t.parts.end(), [&](const Tree& p) { return evaluate(p, bits, seen); });
    case Tree::Kind::some:
        return std::any_of(t.parts.begin(), t.parts.end(), [&](const Tree& p) { return evaluate(p, bits, seen); });
    case Tree::Kind::no: return !evaluate(t.parts[0], bits, seen);
    case Tree::Kind::truth: return true;
    case Tree::Kind::falsity: return false;
    }
    return false;
}

// The definition: for some values of the atoms that were skipped, flipping this one flips the decision.
bool matters(const Tree& t, uint64_t bits, uint32_t atom, uint32_t atoms) {
    std::vector<bool> seen(atoms, false);
    const bool outcome = evaluate(t, bits, seen);
    if (!seen[atom]) return false;
    std::vector<uint32_t> skipped;
    for (uint32_t a = 0; a < atoms; ++a)
        if (!seen[a]) skipped.push_back(a);
    for (uint64_t way = 0; way < uint64_t{1} << skipped.size(); ++way) {
        uint64_t other = bits ^ uint64_t { 1 } << atom;
        for (size_t i = 0; i < skipped.size(); ++i) {
            other &= ~(uint64_t{1} << skipped[i]);
            other |= (way >> i & 1U) << skipped[i];
        }
        std::vector<bool> ignored(atoms, false);
        if (evaluate(t, other, ignored) != outcome) return true;
    }
    return false;
}

// The atoms that a decision really looks at, in order: constants may hide some.
std::vector<uint32_t> visible(const Tree& t, uint32_t atoms) {
    std::vector<bool> ever(atoms, false);
    for (uint64_t bits = 0; bits < uint64_t{1} << atoms; ++bits) evaluate(t, bits, ever);
    std::vector<uint32_t> out;
    for (uint32_t a = 0; a < atoms; ++a)
        if (ever[a]) out.push_back(a);
    return out;
}

} // namespace

TEST_CASE("masking MC/DC is what its definition says, on random decisions") {
    size_t decisions = 0, reached_marks = 0;
    for (uint32_t seed = 0; seed < test::scaled(300); ++seed) {
        TreeMaker maker(seed);
        const Tree tree = maker.make(3);
        if (maker.atoms < 2 || maker.atoms > 9) continue;
        const std::vector<uint32_t> atoms = visible(tree, maker.atoms);
        if (atoms.empty()) continue;
        ++decisions;
        const std::string text = "(define (bit? x k) (odd? (quotient x (expt 2 k))))"
                                 "(define (f x) (if " +
                                 maker.text(tree) + " 1 2)) (f (read))";
        const Model model = instrumented(text, "mcdc");
        for (uint64_t bits = 0; bits < uint64_t{1} << maker.atoms; ++bits) {
            Names expected;
            for (size_t i = 0; i < atoms.size(); ++i)
                if (matters(tree, bits, atoms[i], maker.atoms))
                    expected.insert(std::to_string(atoms[i]) + ((bits >> atoms[i] & 1U) != 0 ? ":true" : ":false"));
            // The decision under test is the first in the text; conditions of ours inside an atom come after it.
            Names found;
            for (const std::string& n : reached(model, {static_cast<int64_t>(bits)})) {
                const size_t number = std::stoul(n.substr(n.find('#') + 1));
                if (n.find("mcdc:f#") != 0 || number > atoms.size()) continue;
                found.insert(std::to_string(atoms[number - 1]) + n.substr(n.rfind(':')));
            }
            reached_marks += found.size();
            if (found != expected) {
                std::string all;
                for (const std::string& e : expected) all += " " + e;
                all += " but found";
                for (const std::string& e : found) all += " " + e;
                FAIL("seed " << seed << ", bits " << bits << ": expected" << all << " in " << text);
            }
        }
    }
    CHECK(test::enough(decisions, 50));
    CHECK(test::enough(reached_marks, 500));
}
