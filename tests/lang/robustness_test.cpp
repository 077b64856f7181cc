// Texts of unusual size or depth, and texts that are damaged: each gives a program or errors with a place.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "tests/lang/running.hpp"
#include "tests/lang/values.hpp"

using namespace espalier;
using espalier::testing::Random;

namespace {

std::string repeat(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

// "line:column text" of the first error.
std::string first_error(const std::string& text) {
    const Model model = compile_text(text);
    for (const Diagnostic& d : model.diagnostics.all()) {
        if (d.severity != Severity::error) continue;
        const Position at = model.sources.position(d.span);
        return std::to_string(at.line) + ":" + std::to_string(at.column) + " " + d.text;
    }
    return "none";
}

std::string result_of(const std::string& text, InterpreterOptions options = {}) {
    Running run(text, options);
    const Status status = run.start();
    return status == Status::finished ? run.result() : run.error();
}

// All that is wrong with how a text was compiled, empty where it is as it should be.
std::string judge(const std::string& text) {
    const Model model = compile_text(text);
    std::string wrong;
    const std::function<void(const Diagnostic&)> look = [&](const Diagnostic& d) {
        if (d.span.file != FileId{0} || d.span.begin > d.span.end || d.span.end > text.size())
            wrong += "a diagnostic outside the text: " + d.text + "\n";
        if (d.text.empty()) wrong += "a diagnostic without words\n";
        for (const Diagnostic& note : d.notes) look(note);
    };
    for (const Diagnostic& d : model.diagnostics.all()) {
        look(d);
        if (render(model.sources, d).find(d.severity == Severity::error ? ": error: " : ": warning: ") ==
            std::string::npos)
            wrong += "a diagnostic that is not shown as one\n";
    }
    if (model.program.has_value() == model.diagnostics.has_errors()) wrong += "a program and errors, or neither\n";
    return wrong;
}

std::vector<std::string> all_texts() {
    std::vector<std::filesystem::path> paths;
    const std::filesystem::path root(ESPALIER_SOURCE_DIR);
    for (const char* folder : {"models", "tests/differential/programs"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder))
            if (entry.path().extension() == ".scm") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> texts;
    for (const auto& path : paths) texts.push_back(*read_file(path.string()));
    return texts;
}

std::string mutate(Random& random, std::string text, const std::vector<std::string>& others) {
    for (size_t n = 1 + random.below(4); n > 0; --n) {
        if (text.empty()) return text;
        const size_t at = random.below(text.size());
        const size_t length = std::min(text.size() - at, 1 + random.below(random.one_in(3) ? 200 : 12));
        switch (random.below(6)) {
        case 0: // a byte flips
            text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1U << random.below(8)));
            break;
        case 1: // something is missing
            text.erase(at, length);
            break;
        case 2: // something is there twice
            text.insert(at, text.substr(at, length));
            break;
        case 3: { // something is elsewhere
            const std::string moved = text.substr(at, length);
            text.erase(at, length);
            text.insert(random.below(text.size() + 1), moved);
            break;
        }
        case 4: { // something comes from another text
            const std::string& other = others[random.below(others.size())];
            const size_t from = random.below(other.size());
            text.insert(at, other.substr(from, 1 + random.below(60)));
            break;
        }
        case 5: { // a parenthesis, a quote, an end of file
            const std::string_view pieces[] = {"(", ")", "'", "\"", "`", ",@", " . ", "#;", "#|", ";", "...", "\\"};
            if (random.one_in(8))
                text.resize(at);
            else
                text.insert(at, pieces[random.below(std::size(pieces))]);
            break;
        }
        }
    }
    return text;
}

} // namespace

TEST_CASE("a hundred thousand nested parentheses are an error with a place") {
    const int deep = 100'000;
    CHECK(first_error(repeat("(", deep) + repeat(")", deep)).substr(0, 2) == "1:");
    CHECK(first_error(repeat("(", deep)).substr(0, 2) == "1:");
    CHECK(first_error("(define x\n" + repeat("(list ", deep) + repeat(")", deep) + ")").find("nested too deeply") !=
          std::string::npos);
    CHECK(first_error(repeat("(let ((x 1)) ", deep) + "x" + repeat(")", deep)).find("nested too deeply") !=
          std::string::npos);
    CHECK(first_error(repeat("(lambda () ", deep) + "1" + repeat(")", deep)).find("nested too deeply") !=
          std::string::npos);
    CHECK(first_error(repeat("(if 1 ", deep) + "1" + repeat(")", deep)).find("nested too deeply") != std::string::npos);
    CHECK(first_error(repeat("`(,", deep) + "1" + repeat(")", deep)) != "none");
}

TEST_CASE("deeply nested data are data") {
    const int deep = 100'000;
    const std::string text = repeat("(", deep) + repeat(")", deep);
    const std::string quoted = first_error("(define x '" + text + ") x");
    CHECK((quoted == "none" || quoted.find("nested too deeply") != std::string::npos));
    CHECK(first_error("#;" + text + " 1") == "none");
    CHECK(first_error("(checkpoint " + text + ")") != "");
    CHECK(judge("(define-syntax m (syntax-rules () ((_ x) 'x))) (m " + text + ")").empty());
    CHECK(judge("(define-syntax m (syntax-rules () ((_ " + text + ") 1))) (m 1)").empty());
    CHECK(judge("(define-message M (f " + text + "))").empty());
    CHECK(judge("(define-type t " + repeat("(list-of ", deep) + "int" + repeat(" 2)", deep) + ") (read t)").empty());
    CHECK(judge("(case 1 ((" + text + ") 1))").empty());
}

TEST_CASE("nested as deeply as the limit allows, everything works") {
    const int deep = 3000;
    CHECK(result_of(repeat("(+ 1 ", deep) + "0" + repeat(")", deep)) == std::to_string(deep));
    CHECK(result_of(repeat("(let ((x 1)) ", deep) + "x" + repeat(")", deep)) == "1");
    CHECK(result_of(repeat("((lambda (x) ", deep) + "x" + repeat(") 1)", deep)) == "1");
    CHECK(result_of(repeat("(if #t ", deep) + "1" + repeat(" 2)", deep)) == "1");
    CHECK(result_of(repeat("(car (list ", deep) + "5" + repeat("))", deep)) == "5");
}

TEST_CASE("machines with many nested states") {
    const int deep = 12'000;
    std::string states;
    for (int i = 0; i < deep; ++i)
        states += "(state s" + std::to_string(i) + " (initial s" + std::to_string(i + 1) + ") ";
    CHECK(judge("(define-machine (m) " + states + repeat(")", deep) + ") (m)").empty());
}

TEST_CASE("macros that explode are an error with a place") {
    const std::string twice = "(define-syntax m (syntax-rules () ((_ n x ...) (m (n n) x ... x ...)))) (m 1 2)";
    CHECK(first_error(twice).substr(0, 2) == "1:");
    const std::string tree = "(define-syntax m (syntax-rules () ((_ x) (list (m (x x)) (m (x x)))))) \n(m 1)";
    CHECK(first_error(tree).substr(0, 2) == "2:");
    std::string tower = "(define-syntax m0 (syntax-rules () ((_ x) (list x x))))";
    for (int i = 1; i < 60; ++i)
        tower += "(define-syntax m" + std::to_string(i) + " (syntax-rules () ((_ x) (m" + std::to_string(i - 1) +
                 " (list x x)))))";
    CHECK(first_error(tower + "\n(m59 1)").substr(0, 2) == "2:");
}

TEST_CASE("long forms need no depth") {
    const int many = 50'000;
    CHECK(result_of("(define (f x) (cond " + repeat("((= x 1) 'no) ", many) + "(else 'end))) (f 2)") == "end");
    CHECK(result_of("(let* (" + repeat("(x 1) ", many) + ") x)") == "1");
    CHECK(result_of("(let* ((x 0) " + repeat("(x (+ x 1)) ", 5000) + ") x)") == "5000");
    CHECK(result_of("(define x 0) (begin " + repeat("(set! x (+ x 1)) ", many) + ") x") == std::to_string(many));
    CHECK(result_of("(define (f) " + repeat("(list 1) ", many) + "'end) (f)") == "end");
    CHECK(result_of("(length (list " + repeat("1 ", many) + "))") == std::to_string(many));
    CHECK(result_of("(and " + repeat("#t ", many) + "'end)") == "end");
    CHECK(result_of("(or " + repeat("#f ", many) + "'end)") == "end");
    CHECK(result_of("(+ " + repeat("1 ", many) + ")") == std::to_string(many));
    CHECK(result_of("(vector-length '#(" + repeat("x ", many) + "))") == std::to_string(many));
    CHECK(result_of("(case 'z " + repeat("((a b) 1) ", many) + "(else 'end))") == "end");
    CHECK(result_of("(length `(" + repeat(",1 ", many) + "))") == std::to_string(many));
    std::string body = "(define (f) ";
    for (int i = 0; i < 5000; ++i)
        body += "(define (g" + std::to_string(i) + ") (g" + std::to_string((i + 1) % 5000) + ")) ";
    CHECK(result_of(body + "'end) (f)") == "end");
    CHECK(result_of("(string-length \"" + std::string(1'000'000, 'a') + "\")") == "1000000");
}

TEST_CASE("a million frames deep, ten million turns in constant memory") {
    CHECK(result_of("(define (f n) (if (= n 0) 0 (+ 1 (f (- n 1))))) (f 1000000)") == "1000000");
    CHECK(result_of("(define (build n) (if (= n 0) '() (cons n (build (- n 1))))) (length (map (lambda (x) x) (build "
                    "1000000)))") == "1000000");
    InterpreterOptions small;
    small.stack_limit = size_t{1} << 16;
    CHECK(result_of("(define (f n) (if (= n 0) 'end (f (- n 1)))) (f 10000000)", small) == "end");
    CHECK(result_of("(define (ev? n) (if (= n 0) #t (od? (- n 1)))) (define (od? n) (if (= n 0) #f (ev? (- n 1)))) "
                    "(ev? 1000001)",
                    small) == "#f");
    CHECK(result_of("(define (f n k) (cond ((= n 0) (k 'end)) (else (and #t (or #f (when #t (let* ((m (- n 1))) (begin "
                    "(f m k)))))))))"
                    "(f 1000000 (lambda (x) x))",
                    small) == "end");
    CHECK(result_of("(define (f n) (apply (lambda (m) (if (= m 0) 'end (f (- m 1)))) (list n))) (f 300000)", small) ==
          "end");
    CHECK(result_of("(define (f n) (+ 1 (f n))) (f 1)", small) == "recursion too deep");
    Running loop("(define (f n x) (if (= n 0) x (f (- n 1) (list n)))) (f 3000000 0)");
    CHECK(loop.start() == Status::finished);
    CHECK(loop.interpreter->heap().live_bytes() < (size_t{1} << 28));
}

TEST_CASE("damaged texts compile, or give errors that stand in them") {
    const std::vector<std::string> texts = all_texts();
    REQUIRE(texts.size() > 100);
    for (const unsigned seed : espalier::testing::seeds(300)) {
        Random random(seed);
        const std::string text = mutate(random, texts[random.below(texts.size())], texts);
        const std::string wrong = judge(text);
        CHECK_MESSAGE(wrong.empty(), "ESPALIER_SEED=" << seed << ": " << wrong);
    }
}

TEST_CASE("any bytes compile, or give errors") {
    for (const unsigned seed : espalier::testing::seeds(100)) {
        Random random(seed);
        std::string text;
        for (size_t n = random.below(300); n > 0; --n)
            text += random.one_in(3) ? static_cast<char>(random.below(256)) : "()'`,\"#;|\\ .ab1-\n"[random.below(17)];
        const std::string wrong = judge(text);
        CHECK_MESSAGE(wrong.empty(), "ESPALIER_SEED=" << seed << ": " << wrong);
    }
}

namespace {

std::string macro(const std::string& name, const std::string& body) {
    return "(define-syntax " + name + " (syntax-rules () ((_ x) " + body + ")))";
}

} // namespace

TEST_CASE("operands that templates share cannot be walked without end") {
    std::string tower = macro("m0", "(use x)");
    for (int i = 1; i < 60; ++i) tower += macro("m" + std::to_string(i), "(m" + std::to_string(i - 1) + " (x x))");
    for (const char* use : {"'x", "`(x ,x)", "'#(x)", "(case 1 ((x) 1))", "(read x)", "(select (x 1))", "(lambda x 1)",
                            "(checkpoint x)", "(no-such-thing x)", "(define-record-type x y z)", "(cond x)"}) {
        CAPTURE(use);
        CHECK(first_error(macro("use", use) + tower + "\n(m59 1)") == "2:1 the expansion of macros is too large");
    }
}
