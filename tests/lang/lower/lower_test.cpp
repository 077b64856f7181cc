// λ-IR: what small programs become, to the letter; and what holds of every program.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "lang/ir/core.hpp"
#include "tests/lang/running.hpp"

using namespace espalier;

namespace {

// The author's λs, without labels and places.
std::string ir_of(const std::string& text) {
    const Model model = compile_text(text);
    for (const Diagnostic& d : model.diagnostics.all())
        if (d.severity == Severity::error) FAIL(render(model.sources, d));
    std::string out, line;
    for (const char c : print_ir(*model.program, model.sources, false)) {
        if (c != '\n') {
            line += c;
            continue;
        }
        line.resize(std::min(line.find("  ; "), line.size()));
        line.resize(line.find_last_not_of(' ') + 1);
        out += line + "\n";
        line.clear();
    }
    return out;
}

// What must hold of any program; each problem is said.
class Verifier {
public:
    explicit Verifier(const Model& model) : model_(model), p_(*model.program) {}

    std::vector<std::string> run() {
        uint32_t next = 0;
        for (uint32_t l = 0; l < p_.lambdas.size(); ++l) {
            require(p_.lambdas[l].block_count > 0, "a λ without blocks");
            // Blocks of one λ are contiguous; the λs may come in any order.
            lambda(LambdaId{l});
            next += p_.lambdas[l].block_count;
        }
        require(next == p_.blocks.size(), "blocks that belong to no λ, or to two");
        require(labels_.size() == p_.label_count, "labels that nothing has");
        for (const Decision& d : p_.decisions) decision(d);
        for (const Global& g : p_.globals)
            require(g.known == no_lambda || !g.assigned, "an assigned global with a known procedure");
        return problems_;
    }

private:
    using Defined = std::vector<bool>;

    void require(bool holds, const std::string& what) {
        if (!holds && problems_.size() < 5)
            problems_.push_back(what + " (in " + std::string(name_of(p_[current_].name)) + ")");
    }

    void lambda(LambdaId id) {
        current_ = id;
        const Lambda& l = p_[id];
        // Before any block: parameters, captures, self.
        Defined at_entry(l.variables, false);
        require(index(l.self()) < l.variables, "no room for self");
        for (uint32_t v = 0; v <= index(l.self()); ++v) at_entry[v] = true;
        // What is defined on every path to a block.
        std::vector<Defined> before(l.block_count);
        before[0] = at_entry;
        defined_once_ = at_entry;
        for (uint32_t b = 0; b < l.block_count; ++b) {
            block_ = l.first_block + b;
            const Block& block = p_.blocks[block_];
            require(block.lambda == id, "a block of another λ");
            require(!before[b].empty(), "a block that nothing leads to");
            if (before[b].empty()) continue;
            Defined here = before[b];
            for (const VarId v : p_.list(block.params)) define(here, v);
            for (const Operation& o : p_.operations(block)) {
                label(o.label);
                place(o.span, l, made_by_a_form(o.kind));
                operation(here, o.kind);
            }
            label(block.terminator.label);
            place(block.terminator.span, l, std::holds_alternative<terminator::Return>(block.terminator.kind));
            terminator(here, block, before);
        }
        if (l.next_case != no_lambda) require(p_[l.next_case].captures == l.captures, "cases with different captures");
    }

    void define(Defined& here, VarId v) {
        require(index(v) < here.size(), "a variable out of range");
        if (index(v) >= here.size()) return;
        require(!defined_once_[index(v)], "a variable defined twice");
        defined_once_[index(v)] = here[index(v)] = true;
    }
    void use(const Defined& here, VarId v) {
        require(index(v) < here.size() && here[index(v)], "variable " + std::to_string(index(v)) + " used in b" +
                                                              std::to_string(block_ - p_[current_].first_block) +
                                                              " and not defined on every path");
    }
    void use(const Defined& here, VarList l) {
        for (const VarId v : p_.list(l)) use(here, v);
    }
    void label(Label l) {
        require(index(l) < p_.label_count, "a label out of range");
        require(labels_.insert(index(l)).second, "a label twice");
    }
    // What the author wrote has a place in the author's text. The end of the top level has none, nor the procedures
    // that a form or a built-in operation used as a value makes.
    static bool made_by_a_form(const OpKind& kind) {
        return std::holds_alternative<op::Constant>(kind) || std::holds_alternative<op::MakeClosures>(kind) ||
               std::holds_alternative<op::GlobalSet>(kind);
    }
    void place(Span span, const Lambda& l, bool may_be_generated) {
        if (l.prelude || (current_ == p_.top ? may_be_generated : !l.span.known())) return;
        require(span.known(), "code of the author's without a place");
        if (span.known())
            require(span.begin <= span.end && span.end <= model_.sources.text(span.file).size(),
                    "a place outside the text");
    }

    void operation(Defined& here, const OpKind& kind) {
        std::visit(
            Overloaded{
                [&](const op::Constant& o) { define(here, o.dst); },
                [&](const op::GlobalRef& o) {
                    require(index(o.global) < p_.globals.size(), "a global out of range");
                    define(here, o.dst);
                },
                [&](const op::GlobalSet& o) { use(here, o.value); },
                [&](const op::Primitive& o) {
                    use(here, o.args);
                    require(info(o.prim).arity < 0 || o.args.count == static_cast<uint32_t>(info(o.prim).arity),
                            "a primitive with a wrong number of operands");
                    define(here, o.dst);
                },
                [&](const op::MakeClosures& o) {
                    for (uint32_t i = 0; i < o.count; ++i) define(here, p_.closures[o.first + i].dst);
                    for (uint32_t i = 0; i < o.count; ++i) {
                        const ClosureDef& c = p_.closures[o.first + i];
                        use(here, c.captures);
                        require(p_[c.lambda].captures == c.captures.count, "a closure with too many or few captures");
                    }
                },
                [&](const op::MakeBox& o) {
                    if (o.init != no_var) use(here, o.init);
                    define(here, o.dst);
                },
                [&](const op::BoxRef& o) { use(here, o.box), define(here, o.dst); },
                [&](const op::BoxSet& o) { use(here, o.box), use(here, o.value); },
                [&](const op::MakeRecord& o) {
                    use(here, o.fields);
                    require(o.fields.count == p_.records[index(o.record)].fields.size(),
                            "a record with a wrong number of fields");
                    define(here, o.dst);
                },
                [&](const op::RecordRef& o) { use(here, o.object), define(here, o.dst); },
                [&](const op::RecordSet& o) { use(here, o.object), use(here, o.value); },
                [&](const op::RecordIs& o) { use(here, o.object), define(here, o.dst); },
                [&](const op::MakeMessage& o) {
                    use(here, o.fields);
                    require(o.fields.count == p_.messages[index(o.message)].fields.size(),
                            "a message with a wrong number of fields");
                    define(here, o.dst);
                },
                [&](const op::MessageRef& o) { use(here, o.object), define(here, o.dst); },
                [&](const op::MessageIs& o) { use(here, o.object), define(here, o.dst); },
                [&](const op::Mark& o) { require(index(o.target) < p_.targets.size(), "a target out of range"); },
                [&](const op::Write& o) { use(here, o.port), use(here, o.value); },
                [&](const op::Assume& o) { use(here, o.condition); },
                [&](const op::Assert& o) { use(here, o.condition); },
                [&](const op::Spawn& o) { use(here, o.procedure); },
                [&](const op::Send& o) { use(here, o.channel), use(here, o.value); },
                [&](const op::StartTimer& o) { use(here, o.timer), use(here, o.delay); },
                [&](const op::StopTimer& o) { use(here, o.timer); },
                [&](const op::MarkBoundary& o) {
                    use(here, o.left), use(here, o.right);
                    require(index(o.target) < p_.targets.size(), "a target out of range");
                },
                [&](const op::MarkDetermined& o) {
                    use(here, o.trace);
                    require(index(o.target) < p_.targets.size(), "a target out of range");
                    require(o.decision < p_.decision_tables.size(), "no such decision table");
                },
                [&](const op::MakeFresh& o) {
                    if (o.others != no_var) use(here, o.others);
                    define(here, o.dst);
                },
            },
            kind);
    }

    void terminator(const Defined& here, const Block& block, std::vector<Defined>& before) {
        const Lambda& l = p_[current_];
        const auto flow = [&](BlockId to, uint32_t args) {
            const uint32_t i = index(to) - l.first_block;
            require(index(to) > block_ && i < l.block_count, "an edge that is not forward in its λ");
            if (i >= l.block_count) return;
            require(p_[to].params.count == args, "an edge that gives too many or few arguments");
            if (before[i].empty())
                before[i] = here;
            else
                for (size_t v = 0; v < here.size(); ++v) before[i][v] = before[i][v] && here[v];
        };
        const auto called = [&](VarId callee, VarList args, LambdaId known, bool spread) {
            use(here, callee);
            use(here, args);
            if (known == no_lambda) return;
            require(!spread, "a known spread call");
            const Lambda& to = p_[known];
            require(args.count == to.required || (to.rest && args.count > to.required),
                    "a known call whose arguments do not fit");
        };
        std::visit(Overloaded{
                       [&](const terminator::Jump& t) { use(here, t.args), flow(t.target, t.args.count); },
                       [&](const terminator::Branch& t) {
                           use(here, t.condition);
                           require(t.number <= p_.decisions.size(), "a decision out of range");
                           require((t.number == 0) == (t.origin == BranchOrigin::generated) || l.prelude,
                                   "a decision without a number");
                           flow(t.then_block, 0), flow(t.else_block, 0);
                       },
                       [&](const terminator::Call& t) {
                           called(t.callee, t.args, t.known, t.spread);
                           flow(t.back, 1);
                           not_tail(p_[t.back]);
                       },
                       [&](const terminator::TailCall& t) { called(t.callee, t.args, t.known, t.spread); },
                       [&](const terminator::Return& t) { use(here, t.value); },
                       [&](const terminator::Select& t) {
                           require(t.count > 0, "a select without clauses");
                           for (const SelectClause& c : p_.select_clauses(t)) {
                               label(c.label);
                               if (c.source != no_var) use(here, c.source);
                               const bool message =
                                   c.kind == SelectClause::Kind::message || c.kind == SelectClause::Kind::other;
                               flow(c.test, message ? 2 : 0);
                           }
                       },
                       [&](const terminator::Accept& t) { use(here, t.args), flow(t.body, t.args.count); },
                       [&](const terminator::Refuse&) {},
                       [&](const terminator::Choose& t) {
                           for (uint32_t i = 0; i < t.count; ++i) flow(p_.choices[t.first + i], 0);
                       },
                   },
                   block.terminator.kind);
    }

    // A call whose result is returned at once should have been a tail call; the top level returns for good.
    void not_tail(const Block& back) {
        const auto* ret = std::get_if<terminator::Return>(&back.terminator.kind);
        if (current_ != p_.top && ret != nullptr && back.op_count == 0)
            require(ret->value != p_.list(back.params)[0], "a call in tail position that is no tail call");
    }

    void decision(const Decision& d) {
        const auto inside = [&](BlockId b) { return b == no_block || p_[b].lambda == d.lambda; };
        require(inside(d.then_block) && inside(d.else_block), "a decision that ends in another λ");
        require(d.number > 0 && d.span.known(), "a decision without number or place");
    }

    const Model& model_;
    const Program& p_;
    LambdaId current_{};
    uint32_t block_ = 0;
    Defined defined_once_;
    std::set<uint32_t> labels_;
    std::vector<std::string> problems_;
};

void verify(const Model& model, const std::string& name) {
    REQUIRE_MESSAGE(model.program.has_value(), name);
    for (const std::string& problem : Verifier(model).run()) FAIL_CHECK(name << ": " << problem);
}

} // namespace

TEST_CASE("a procedure with a branch, a tail call and a known callee") {
    CHECK(ir_of("(define (bar x) x)\n(define (foo x) (if (> x 0) (bar x) 1))\n(foo 5)") == R"(lambda top@0 ()
  b0:
    bar.1 = closure bar@1
    define bar bar.1
    v2 = const #<unspecified>
    foo.3 = closure foo@2
    define foo foo.3
    v4 = const #<unspecified>
    foo.5 = global foo
    v6 = const 5
    call foo.5[foo@2] v6 -> b1
  b1: (v7)
    return v7
lambda bar@1 (x)
  b0:
    return x
lambda foo@2 (x)
  b0:
    v2 = const 0
    v3 = %> x v2
    branch v3 b1 b2 #1
  b1:
    bar.4 = global bar
    tailcall bar.4[bar@1] x
  b2:
    v5 = const 1
    return v5
)");
}

TEST_CASE("assigned variables are boxes, others are captured by value") {
    CHECK(ir_of("(define (f a b) (lambda () (set! a (+ a b)) a))") == R"(lambda top@0 ()
  b0:
    f.1 = closure f@1
    define f f.1
    v2 = const #<unspecified>
    v3 = const #<unspecified>
    return v3
lambda f@1 (a b)
  b0:
    a.3 = box a
    lambda.4 = closure lambda@2 a.3 b
    return lambda.4
lambda lambda@2 () captures a.0 b.1
  b0:
    v3 = unbox a.0
    v4 = %+ v3 b.1
    set-box a.0 v4
    v5 = const #<unspecified>
    v6 = unbox a.0
    return v6
)");
}

TEST_CASE("and, or and not in a test are branches of one decision") {
    const std::string ir = ir_of("(define (f a b c) (if (and a (or b (not c))) 1 2))");
    CHECK(ir.substr(ir.find("lambda f")) == R"(lambda f@1 (a b c)
  b0:
    branch a b1 b4 #1
  b1:
    branch b b3 b2 #1
  b2:
    branch c b4 b3 #1
  b3:
    v4 = const 1
    return v4
  b4:
    v5 = const 2
    return v5
)");
}

TEST_CASE("a select enters the test of a clause, which accepts or refuses") {
    const std::string ir = ir_of("(define-message A (n int)) (define-port p in A) (define-timer t)"
                                 "(define (f) (select ((p (A n)) (where (> n 1)) n) ((timeout t) (f))))");
    const std::string f = ir.substr(ir.find("lambda f"));
    CHECK(f.find("select (") != std::string::npos);
    CHECK(f.find("refuse") != std::string::npos);
    CHECK(f.find("(timeout ") != std::string::npos);
    CHECK(f.find("tailcall f") != std::string::npos); // bodies are tail positions
    CHECK(f.find("field A.0") != std::string::npos);
}

TEST_CASE("the worked example") {
    const Model model = load_model(std::string(ESPALIER_SOURCE_DIR) + "/models/examples/worked_example.scm");
    verify(model, "worked_example");
    const Program& p = *model.program;
    std::vector<std::string> targets;
    for (const Target& t : p.targets) targets.push_back(t.name);
    CHECK(targets == std::vector<std::string>{"proc:foo", "b:id=1,true", "b:id=1,false"});
    uint32_t selects = 0, known_tail_calls = 0;
    for (const Block& b : p.blocks) {
        if (p[b.lambda].prelude) continue;
        selects += std::holds_alternative<terminator::Select>(b.terminator.kind) ? 1U : 0U;
        if (const auto* t = std::get_if<terminator::TailCall>(&b.terminator.kind))
            known_tail_calls += t->known == no_lambda ? 0U : 1U;
    }
    CHECK(selects == 2);          // the two reads
    CHECK(known_tail_calls == 2); // (loop 0) and (loop (+ i 1))
    CHECK(p.decisions.size() == 2);
}

TEST_CASE("what holds of every program") {
    const std::filesystem::path root(ESPALIER_SOURCE_DIR);
    size_t count = 0;
    for (const char* folder :
         {"models", "tests/differential/programs", "tests/golden/check", "tests/fuzz/corpus/check", "bench/language"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
            if (entry.path().extension() != ".scm") continue;
            Model model = load_model(entry.path().string());
            if (!model.program) continue;
            ++count;
            verify(model, entry.path().filename().string());
            model.program = instrument(*model.program, Criteria::all());
            verify(model, entry.path().filename().string() + " with all criteria");
        }
    }
    CHECK(count > 150);
}

TEST_CASE("the verifier sees what is broken") {
    const auto problems = [](const std::function<void(Program&)>& damage) {
        Model model =
            compile_text("(define (f x) (if (> x 0) (let ((y (f (- x 1)))) (lambda () (+ y x))) (f x))) (f 1)");
        REQUIRE(model.program);
        CHECK(Verifier(model).run().empty());
        damage(*model.program);
        return !Verifier(model).run().empty();
    };
    CHECK(problems([](Program& p) { p.ops[0].label = p.ops[1].label; }));
    CHECK(problems([](Program& p) { p.closures.back().captures.count = 0; }));
    CHECK(problems([](Program& p) { p.lambdas[1].block_count -= 1; }));
    CHECK(problems([](Program& p) {
        for (Block& b : p.blocks)
            if (auto* t = std::get_if<terminator::Branch>(&b.terminator.kind))
                t->else_block = BlockId{p.lambdas[index(b.lambda)].first_block};
    }));
    CHECK(problems([](Program& p) {
        for (Block& b : p.blocks)
            if (auto* t = std::get_if<terminator::Return>(&b.terminator.kind))
                t->value = VarId{p[b.lambda].variables - 1};
    }));
    CHECK(problems([](Program& p) {
        for (Block& b : p.blocks)
            if (auto* t = std::get_if<terminator::TailCall>(&b.terminator.kind)) t->args.count = 0;
    }));
    CHECK(problems([](Program& p) { p.ops[3].span = {}; }));
}
