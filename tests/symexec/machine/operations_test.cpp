// Every operation on inputs against the interpreter: for each expression of operations.hpp, and each mixture of types
// of its operands, all inputs are run concretely, and the search must come to exactly these results, each for exactly
// the inputs that have it. A primitive or a procedure of the prelude that no expression uses fails the test.
#include <doctest/doctest.h>

#include <fstream>
#include <regex>

#include "symexec/symexec.hpp"
#include "tests/random/concrete.hpp"
#include "tests/symexec/finding.hpp"
#include "tests/symexec/operations.hpp"

using namespace espalier;
using namespace espalier::test;

namespace {

// An operand: an input of a type, and what is made of it where `_` stands for it; without a type, a constant.
struct Kind {
    std::string type, made = "_";
};
const std::map<char, Kind> kinds = {
    {'B', {"bool"}},
    {'I', {"(int 0 2)"}},
    {'N', {"(int -2 0)"}},
    {'E', {"(enum 3 10)"}},
    {'H', {"(int -1 1)", "(/ _ 2)"}},
    {'Y', {"(enum ab c)"}},
    {'S', {"(enum \"ab\" \"c\" \"\")"}},
    {'D', {"(enum \"11\" \"Z\" \"ab\")"}},
    {'C', {"(enum \"a1\" \"B\" \" \")", "(string-ref _ 0)"}},
    {'X', {"(enum 1 ab \"ab\" #f)"}},
    {'l', {"(list-of (int 0 1) 2)"}},
    {'L', {"(list-of (enum \"ab\" \"c\") 2)"}},
    {'M', {"(one-of Whole Part)"}},
    {'V', {"(list-of (int 0 1) 2)", "(list->vector _)"}},
    {'W', {"(list-of (enum 65 200) 2)", "(apply bytevector _)"}},
    {'T',
     {"(list-of (enum 1 \"ab\") 2)",
      "(let ((t (make-hash-table))) (for-each (lambda (k) (hash-table-set! t k 7)) _) t)"}},
    {'R', {"(int 0 1)", "(make-point _ 1)"}},
    {'0', {"", "2"}},
    {'1', {"", "\"abc\""}},
    {'2', {"", "'ab"}},
    {'3', {"", "'(1 \"ab\")"}},
    {'4', {"", "#\\b"}},
    {'5', {"", "#f"}},
};
// Of the kinds of operations.hpp, and of everything else that an author may pass by mistake.
const std::map<char, std::string> right = {
    {'n', "INEH0"},    {'i', "INE0"}, {'s', "SD1"}, {'c', "C4"}, {'y', "Y2"}, {'b', "B5"},
    {'a', "IYSXlMVB"}, {'l', "lL3"},  {'v', "V"},   {'w', "W"},  {'t', "T"},
};
const std::string wrong = "BIHYSXlMVR";

std::string put_in(const std::string& made, const std::string& field) {
    return std::regex_replace(made, std::regex("\\b_\\b"), field);
}

// One letter for each operand: all mixtures of the right kinds, of three operands of fewer kinds, and each wrong kind
// beside right ones.
std::vector<std::string> mixtures(const std::string& operands) {
    std::vector<std::string> all{""};
    for (char operand : operands) {
        std::vector<std::string> longer;
        for (const std::string& m : all)
            for (char kind : right.at(operand).substr(0, operands.size() < 3 ? std::string::npos : 2))
                longer.push_back(m + kind);
        all = std::move(longer);
    }
    std::string first;
    for (char operand : operands) first += right.at(operand)[0];
    for (size_t i = 0; i < operands.size(); ++i)
        for (char kind : wrong) {
            std::string m = first;
            m[i] = kind;
            if (std::find(all.begin(), all.end(), m) == all.end()) all.push_back(m);
        }
    return all;
}

const std::string preamble = "(define-message Part (k (int 0 1)))\n(define-message Whole)\n"
                             "(define-record-type point (make-point x y) point? (x point-x) (y point-y))\n";

Model compiled(const std::string& text) {
    Model model = compile_text(text);
    if (!model.program) {
        for (const Diagnostic& d : model.diagnostics.all())
            if (d.severity == Severity::error) FAIL(render(model.sources, d));
    }
    return model;
}

// What comes of one message, as `inside` says of its fields.
struct Clause {
    std::string message, mixture;
    std::string inside; // with {expression}
};

// A model of one wait, for any of these messages. The places of the clauses are told.
std::string model_of(const Row& row, const std::vector<Clause>& clauses, std::vector<size_t>* places = nullptr) {
    std::string text = preamble, messages;
    for (const Clause& c : clauses) {
        text += "(define-message " + c.message;
        for (size_t i = 0; i < c.mixture.size(); ++i)
            if (const Kind& k = kinds.at(c.mixture[i]); !k.type.empty())
                text += " (f" + std::to_string(i) + " " + k.type + ")";
        text += ")\n";
        messages += " " + c.message;
    }
    text += "(define-port p in" + messages + ")\n(select\n";
    for (const Clause& c : clauses) {
        std::string fields, operands;
        for (size_t i = 0; i < c.mixture.size(); ++i) {
            const Kind& k = kinds.at(c.mixture[i]);
            const std::string field = "f" + std::to_string(i);
            if (!k.type.empty()) fields += " " + field;
            operands += std::string("(") + "xyz"[i] + " " + put_in(k.made, field) + ")";
        }
        if (places != nullptr) places->push_back(text.size());
        const std::string expression = "(let* (" + operands + ") " + row.expression + ")";
        text += "((p (" + c.message + fields + ")) " +
                std::regex_replace(c.inside, std::regex("\\{expression\\}"), expression) + ")\n";
    }
    if (places != nullptr) places->push_back(text.size());
    return text + ")\n";
}

// A value as an expression that makes it, dotted or not; what cannot be written down stands for itself.
std::string written(const Program& program, Value v) {
    if (to_text(program, v).find("#<") != std::string::npos) return "r";
    if (is_pair(v)) return "(cons " + written(program, as_pair(v).car) + " " + written(program, as_pair(v).cdr) + ")";
    return v.is_null() ? "'()" : expression(program, v);
}

struct Run {
    std::string condition; // that the inputs are these
    std::string result;    // as an expression; empty: a mistake of the author
};

std::string checkpoint(size_t clause, size_t run, const char* what) {
    return "(checkpoint \"" + std::to_string(clause) + "." + std::to_string(run) + " " + what + "\")";
}

// By clause: what each of its inputs does.
std::vector<std::vector<Run>> concrete_runs(const Program& program, size_t clauses) {
    std::vector<std::vector<Run>> all(clauses);
    Heap heap(Heap::Lifetime::immortal);
    CompiledProgram code(program);
    const std::vector<TestStep> nothing;
    for (const TestStep& step : ConcreteRun(program, nothing).next(heap)) {
        const Message& m = as_message(step.value);
        const auto clause = std::stoul(std::string(name_of(program.messages[index(m.message)].name)).substr(1));
        Run run;
        const auto& fields = program.messages[index(m.message)].fields;
        for (uint32_t i = 0; i < m.count; ++i)
            run.condition +=
                " (equal? " + std::string(name_of(fields[i].name)) + " " + expression(program, m.fields[i]) + ")";
        run.condition = "(and" + run.condition + ")";
        Listener none;
        Interpreter interpreter(code, none);
        REQUIRE(interpreter.start() == Status::stable);
        const Status status = interpreter.deliver(step.port, step.value);
        REQUIRE((status == Status::finished || status == Status::model_error));
        if (status == Status::finished) run.result = written(program, *interpreter.result());
        all[clause].push_back(std::move(run));
    }
    return all;
}

std::string row_fails(const Row& row, size_t& compared) {
    std::vector<Clause> clauses;
    for (const std::string& m : mixtures(row.operands))
        clauses.push_back({"M" + std::to_string(clauses.size()), m, "{expression}"});
    const Model first = compiled(model_of(row, clauses));
    const auto runs = concrete_runs(*first.program, clauses.size());

    // Behind the expression, each input knows what has come out. With the inputs known beforehand the last of each kind
    // is looked at again: that is where an error of one input alone would be lost.
    const size_t count = clauses.size();
    std::vector<bool> fails(count, false);
    for (size_t i = 0; i < count; ++i) {
        std::string inside = "(let ((r {expression})) (cond";
        const Run *last_good = nullptr, *last_bad = nullptr;
        for (size_t j = 0; j < runs[i].size(); ++j) {
            const Run& run = runs[i][j];
            inside += " (" + run.condition + " ";
            if (run.result.empty())
                inside += checkpoint(i, j, "wrong: an error is lost");
            else
                inside += "(if (equal? r " + run.result + ") " + checkpoint(i, j, "right") + " " +
                          checkpoint(i, j, "wrong") + ")";
            inside += ")";
            (run.result.empty() ? last_bad : last_good) = &run;
        }
        clauses[i].inside = inside + " (else " + checkpoint(i, runs[i].size(), "wrong: no such input") + ")))";
        fails[i] = last_bad != nullptr;
        compared += runs[i].size();
        for (const Run* run : {last_good, last_bad}) {
            if (run == nullptr) continue;
            const size_t n = clauses.size();
            const std::string then = run == last_bad
                                         ? checkpoint(n, 0, "wrong")
                                         : "(if (equal? r " + run->result + ") " + checkpoint(n, 0, "right") + " " +
                                               checkpoint(n, 0, "wrong") + ")";
            clauses.push_back({"M" + std::to_string(n), clauses[i].mixture,
                               "(assume " + run->condition + ") (let ((r {expression})) " + then + ")"});
            fails.push_back(run == last_bad);
        }
    }
    std::vector<size_t> places;
    const std::string text = model_of(row, clauses, &places);
    const Model second = compiled(text);
    ExploreOptions options;
    options.depth = 2;
    options.needed = [](const Exploration& e) { return std::vector<bool>(e.tests.size(), false); };
    const Exploration found = explore(*second.program, options);

    const auto clause_at = [&](size_t offset) {
        return static_cast<size_t>(std::upper_bound(places.begin(), places.end(), offset) - places.begin()) - 1;
    };
    std::string problems;
    size_t more = 0;
    const auto problem = [&](size_t clause, const std::string& what) {
        if (++more > 5) return;
        problems += "\n  " + std::string(row.expression) + " of " + clauses[clause].mixture +
                    (clause < count ? "" : " known") + ": " + what;
    };
    for (const auto& [reason, times] : found.story.unsupported)
        problems += "\n  unsupported: " + reason.second + ", " + std::to_string(times) + " times";
    if (!found.complete || found.statistics.sat_unknown > 0) problems += "\n  the search is not complete";
    for (size_t t = 0; t < found.covered.size(); ++t) {
        const std::string& name = second.program->targets[t].name;
        const bool is_right = name.find("right") != std::string::npos;
        if (found.covered[t] != is_right) problem(std::stoul(name), name + (is_right ? " is missed" : ""));
    }
    std::vector<bool> failed(clauses.size(), false);
    for (const FoundError& e : found.errors) failed.at(clause_at(e.span.begin)) = true;
    for (size_t i = 0; i < clauses.size(); ++i)
        if (failed[i] != fails[i]) problem(i, fails[i] ? "an error is missed" : "an error is invented");
    return problems.empty() ? "" : std::string(row.expression) + problems;
}

std::set<std::string> names_in(const std::string& text) {
    std::set<std::string> names;
    static const std::regex name("[^\\s()'\"]+");
    for (std::sregex_iterator i(text.begin(), text.end(), name), end; i != end; ++i) names.insert(i->str());
    return names;
}

// The text with each of the marks replaced wherever it stands.
std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& marks) {
    for (const auto& mark : marks)
        for (size_t at = text.find(mark.first); at != std::string::npos; at = text.find(mark.first, at)) {
            text.replace(at, mark.first.size(), mark.second);
            at += mark.second.size();
        }
    return text;
}

} // namespace

TEST_CASE("operations on inputs do what the interpreter does") {
    size_t compared = 0;
    for (const Row& row : rows()) CHECK(row_fails(row, compared) == "");
    MESSAGE(rows().size() << " expressions, " << compared << " inputs compared");
    CHECK(compared > 40'000);
}

// Of wide operands there are too many to run them all: of each expression some values are asked for, before and after.
TEST_CASE("bits of wide operands do what the interpreter does with some of their values") {
    const std::vector<std::string> expressions = {
        "(bitwise-and x y)",
        "(bitwise-or x y)",
        "(bitwise-xor x y)",
        "(bitwise-xor (bitwise-xor x y) y)",
        "(bitwise-xor (bitwise-and x 255) (bitwise-or y (bitwise-not x)))",
        "(bitwise-and (bitwise-xor x y 4660) (+ x y))",
        "(arithmetic-shift (bitwise-or (* 16 x) (bitwise-and y 15)) -2)",
    };
    struct Wide {
        const char *x, *y;
        std::vector<std::pair<const char*, const char*>> values;
    };
    const std::vector<Wide> wide = {
        {"(int 0 65535)", "(int 0 65535)", {{"0", "0"}, {"65535", "1"}, {"4660", "43981"}}},
        {"(int 0 4294967295)", "(int 0 255)", {{"4294967295", "255"}, {"3232235521", "18"}}},
        {"(int -32768 32767)", "(int 0 65535)", {{"-32768", "32768"}, {"-1", "4660"}, {"32767", "65535"}}},
        {"(int -1000000 -1)", "(int -70000 70000)", {{"-1", "-1"}, {"-65536", "69999"}, {"-70001", "-70000"}}},
        {"(int 0 18446744073709551615)",
         "(int 0 300)",
         {{"18446744073709551615", "257"}, {"9223372036854775808", "0"}}},
    };
    for (const std::string& e : expressions)
        for (const Wide& w : wide) {
            std::string text =
                std::string("(define x (read ") + w.x + ")) (define y (read " + w.y + "))\n(define r " + e + ")\n(cond";
            Names wanted;
            for (const auto& value : w.values) {
                const std::string n = std::to_string(wanted.size());
                text += filled(" ((and (= x $x) (= r (let ((x $x) (y $y)) $e)) (= y $y)) (checkpoint right$n))"
                               " ((and (= y $y) (= x $x)) (checkpoint wrong$n))",
                               {{"$x", value.first}, {"$y", value.second}, {"$e", e}, {"$n", n}});
                wanted.insert("right" + n);
            }
            CAPTURE(text);
            CHECK(find_validated(text + ")").covered == wanted);
        }
}

TEST_CASE("every primitive, and every procedure of the prelude, is compared with the interpreter") {
    // Why these are in no expression: they have no operands that could be inputs, or no result.
    const std::map<Prim, std::string> exempt = {
        {Prim::make_channel, "takes nothing"},
        {Prim::make_timer, "takes nothing"},
        {Prim::make_early_timer, "takes nothing"},
        {Prim::display, "shown to a person: no result"},
    };
    const std::set<std::string> exempt_procedures = {"newline"}; // shown to a person
    std::set<Prim> used;
    std::set<std::string> named;
    for (const Row& row : rows()) {
        named.merge(names_in(row.expression));
        const std::string operands(row.operands);
        std::string first;
        for (char operand : operands) first += right.at(operand)[0];
        const Model model = compiled(model_of(row, {{"M0", first, "{expression}"}}));
        for (const Operation& o : model.program->ops)
            if (const auto* p = std::get_if<op::Primitive>(&o.kind)) used.insert(p->prim);
    }
    for (uint32_t i = 0; i < prim_count; ++i) {
        const auto prim = static_cast<Prim>(i);
        INFO("the primitive " << info(prim).name << " is neither compared nor exempt");
        CHECK((used.count(prim) == 1) != (exempt.count(prim) == 1));
    }
    std::ifstream prelude(std::string(ESPALIER_SOURCE_DIR) + "/lang/expand/prelude.scm");
    REQUIRE(prelude);
    size_t procedures = 0;
    static const std::regex definition("^\\(define \\(?([^\\s()%][^\\s()]*).*");
    for (std::string line; std::getline(prelude, line);) {
        std::smatch found;
        if (!std::regex_match(line, found, definition)) continue;
        ++procedures;
        INFO("the procedure " << found[1] << " is neither compared nor exempt");
        CHECK(named.count(found[1]) + exempt_procedures.count(found[1]) == 1);
    }
    CHECK(procedures > 100);
}
