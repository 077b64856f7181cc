// Names, scopes, bodies, the numbers of decisions, includes, and what is kept of the prelude.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "lang/ir/core.hpp"
#include "tests/lang/running.hpp"

using namespace espalier;

namespace {

std::string result_of(const std::string& text) {
    Running run(text);
    const Status status = run.start();
    return status == Status::finished ? run.result() : run.error();
}

// The core forms of a text, one top-level form a line, blanks collapsed.
std::string core_of(const std::string& text) {
    CompileOptions options;
    options.dump = true;
    const Model model = compile_text(text, options);
    for (const Diagnostic& d : model.diagnostics.all())
        if (d.severity == Severity::error) FAIL(render(model.sources, d));
    std::string out;
    for (const char c : model.expand_dump) {
        const bool blank = c == ' ' || c == '\n';
        if (!blank)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

size_t times(const std::string& text, const std::string& word) {
    size_t count = 0;
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
    return count;
}

// "scope#number" of each decision, in the order of the text.
std::vector<std::string> decisions_of(const std::string& text) {
    const Model model = compile_text(text);
    REQUIRE(model.program);
    std::map<std::pair<uint32_t, std::string>, int> found;
    for (const Decision& d : model.program->decisions)
        ++found[{d.span.begin, std::string(name_of(d.scope)) + "#" + std::to_string(d.number)}];
    std::vector<std::string> out;
    for (const auto& [where, count] : found) out.push_back(where.second);
    return out;
}

using Files = std::map<std::string, std::string>;
Model compile_files(const Files& files) {
    return compile_model("m/main.scm", [&](const std::string& path) -> std::optional<std::string> {
        const auto it = files.find(path);
        return it == files.end() ? std::nullopt : std::optional(it->second);
    });
}
std::string first_error(const Model& model) {
    for (const Diagnostic& d : model.diagnostics.all())
        if (d.severity == Severity::error) return model.sources.place(d.span) + ": " + d.text;
    return "none";
}

bool has_lambda(const Model& model, const std::string& name) {
    for (const Lambda& l : model.program->lambdas)
        if (name_of(l.name) == name) return true;
    return false;
}

} // namespace

TEST_CASE("inner names hide outer ones, forms and built-ins too") {
    CHECK(result_of("(let ((if list)) (if 1 2 3))") == "(1 2 3)");
    CHECK(result_of("(define (f define) (define 1)) (f -)") == "-1");
    CHECK(result_of("(let ((quote -)) '5)") == "-5");
    CHECK(result_of("(let ((else #f)) (cond (#f 1) (else 2) (#t 3)))") == "3");
    CHECK(result_of("(define x 1) (define (f) x) (let ((x 2)) (list x (f)))") == "(2 1)");
    CHECK(result_of("(let ((x 1)) (let ((x 2) (y x)) (list x y)))") == "(2 1)");
    CHECK(result_of("(let ((x 1)) (let* ((x 2) (y x)) (list x y)))") == "(2 2)");
    CHECK(result_of("(define (f car) (car 5)) (f list)") == "(5)");
    CHECK(result_of("(let ((list vector) (cons +)) (list (cons 1 2)))") == "#(3)");
    CHECK(result_of("(define f (lambda (x #;y z) (- x z))) (f 5 2)") == "3");
    CHECK(result_of("(let loop ((i 0)) (let ((loop 5)) (+ loop i)))") == "5");
    CHECK(result_of("(define (f) (define (car x) 'inner) (car '(1))) (list (f) (car '(1)))") == "(inner 1)");
}

TEST_CASE("what a body defines is seen in all of it") {
    CHECK(result_of("(define (f) (define (ev? n) (or (= n 0) (od? (- n 1)))) (define (od? n) (and (> n 0) "
                    "(ev? (- n 1)))) (ev? 10)) (f)") == "#t");
    CHECK(result_of("(define x 'outer) (define (f) (define (g) x) (define x 'inner) (g)) (f)") == "inner");
    CHECK(result_of("(let () (begin (define a 1) (define b (+ a 1))) (define-values (c d) (values b a)) "
                    "(list a b c d))") == "(1 2 2 1)");
    CHECK(result_of("(define (f n) (define-syntax inc! (syntax-rules () ((_ v) (set! v (+ v 1))))) (inc! n) "
                    "n) (f 1)") == "2");
    CHECK(result_of("(define (f) (define a 1) (set! a 2) (define b a) (list a b)) (f)") == "(2 2)");
    CHECK(result_of("(define (f) (define-record-type p (mk x) p? (x px)) (px (mk 7))) (f)") == "7");
}

TEST_CASE("definitions of built-in names replace them for the model, never for the prelude") {
    CHECK(result_of("(define (car x) 'mine) (list (car '(1 2)) (cadr '(1 2)) (map cdr '((1))))") == "(mine 2 (()))");
    CHECK(result_of("(define (reverse x) 'mine) (list (reverse '(1)) (list->string (list #\\a)) (append '(1) "
                    "'(2)))") == "(mine \"a\" (1 2))");
    CHECK(result_of("(define (+ a b) (* a b)) (list (+ 3 4) (fold-left + 1 '(2 3)) (length '(1 2)))") == "(12 6 2)");
    CHECK(result_of("(define x (list 1)) (define (list . a) 'mine) (list)") == "mine");
    CHECK(result_of("(define-record-type list (vector x) pair? (x car)) (car (vector 3))") == "3");
}

TEST_CASE("operands and bindings are evaluated from left to right") {
    const std::string say = "(define trail '()) (define (say x) (set! trail (cons x trail)) x)";
    const auto trail = [&](const std::string& text) { return result_of(say + text + "(reverse trail)"); };
    CHECK(trail("(list (say 1) (say 2) (say 3))") == "(1 2 3)");
    CHECK(trail("((begin (say 0) +) (say 1) (say 2))") == "(0 1 2)");
    CHECK(trail("(let ((a (say 1)) (b (say 2))) 0)") == "(1 2)");
    CHECK(trail("(letrec ((a (say 1)) (b (say 2))) 0)") == "(1 2)");
    CHECK(trail("(let () (define a (say 1)) (define (f) a) (define b (say 2)) (say 3) 0)") == "(1 2 3)");
    CHECK(trail("(do ((i (say 1) (say 3)) (j (say 2) (say 4))) ((= i 3)) 0)") == "(1 2 3 4)");
    CHECK(trail("`(,(say 1) ,@(list (say 2)) #(,(say 3)))") == "(1 2 3)");
    CHECK(trail("(define-record-type p (mk b a) p? (a pa) (b pb)) (mk (say 1) (say 2))") == "(1 2)");
    CHECK(trail("(let-values (((a) (say 1)) ((b) (say 2))) 0)") == "(1 2)");
}

TEST_CASE("a letrec becomes let, fix, or boxes only where a value is needed before it is there") {
    const std::string procedures = core_of("(define (f n) (letrec ((ev? (lambda (n) (if (= n 0) #t (od? "
                                           "n)))) (od? (lambda (n) (ev? n)))) (ev? n)))");
    CHECK(times(procedures, "fix") == 1);
    CHECK(times(procedures, "letrec") == 0);
    const std::string values = core_of("(define (f) (define a 1) (define b (list a)) (define (g) b) (g))");
    CHECK(times(values, "let ") >= 2);
    CHECK(times(values, "fix") == 1);
    CHECK(times(values, "letrec") == 0);
    const std::string separate =
        core_of("(define (f) (define (g) (h)) (define x 5) (define (h) x) (define (lone) 1) (list (g) (lone)))");
    CHECK(times(separate, "fix") == 3); // h needs x, g needs h, lone needs nobody
    CHECK(times(separate, "letrec") == 0);
    const std::string boxed = core_of("(define (f) (letrec ((a (lambda () b)) (b (list a))) (a)))");
    CHECK(times(boxed, "letrec") == 1);
    const std::string assigned = core_of("(define (f) (define (g) 1) (set! g 2) g)");
    CHECK(times(assigned, "fix") == 0);
}

TEST_CASE("using a variable before its definition ran is a model error at the use") {
    const auto failure = [](const std::string& text) {
        Running run(text);
        CHECK(run.start() == Status::model_error);
        return run.error_at() + ": " + run.error();
    };
    const std::string local = failure("(define (f) (define a (lambda () b)) (define c (a)) (define b 1) c) (f)");
    CHECK(local.substr(0, 3) == "b: ");
    CHECK(local == "b: b is used before its definition");
    const std::string own = failure("(letrec ((a (+ a 1))) a)");
    CHECK(own.substr(0, 3) == "a: ");
    const std::string global = failure("(define (f) later) (f) (define later 1)");
    CHECK(global.substr(0, 7) == "later: ");
    // Procedures are there from the start.
    CHECK(result_of("(define x (f 1)) (define (f n) (g n)) (define g (lambda (n) (+ n 1))) x") == "2");
}

TEST_CASE("decisions are numbered within a procedure, in the order of the text") {
    CHECK(decisions_of("(define (f x) (if x 1 2) (cond ((= x 1) 3) ((= x 2) 4) (else 5)))"
                       "(define (g x) (when x (unless (null? x) (case x ((1) 2) ((3 4) 5)))))"
                       "(f (g (if (read bool) 1 2)))") ==
          std::vector<std::string>{"f#1", "f#2", "f#3", "g#1", "g#2", "g#3", "g#4", "top#1"});
    // Inner procedures belong to the procedure around them; and, or and not are parts of one decision.
    CHECK(decisions_of("(define (f x) (define (g y) (if (and y (or x (not y))) 1 2)) (do ((i 0 (+ i 1))) ((= "
                       "i 2)) (if x 1 2)) (g x))"
                       "(f 1)") == std::vector<std::string>{"f#1", "f#2", "f#3"});
    CHECK(decisions_of("(define f (lambda (x) (if x 1 2))) (define (h) (let loop ((n 3)) (if (> n 0) (loop "
                       "(- n 1))))) (f (h))") == std::vector<std::string>{"f#1", "h#1"});
}

TEST_CASE("decisions of machines are numbered within a state, however many leaves share the clause") {
    const std::string text = "(define-message A (n int)) (define-port p in A)"
                             "(define-machine (m)"
                             " (state o (initial i)"
                             "  (on (p (A n)) (where (> n 5)) (if (= n 6) (-> i) (-> j)))"
                             "  (state i (on (p (A 1)) (where #t) (if (read bool) (-> j) (-> e))))"
                             "  (state j (entry (if (read bool) 1 2))))"
                             " (state e (final)))"
                             "(m)";
    const Model model = compile_text(text);
    REQUIRE(model.program);
    std::map<std::string, std::set<uint32_t>> places;
    for (const Decision& d : model.program->decisions)
        places[std::string(name_of(d.scope)) + "#" + std::to_string(d.number)].insert(d.span.begin);
    for (const auto& entry : places) CHECK_MESSAGE(entry.second.size() == 1, entry.first);
    CHECK(places.count("m/o#1") == 1);
    CHECK(places.count("m/o#2") == 1);
    CHECK(places.count("m/o#3") == 0);
    CHECK(places.count("m/j#1") == 1);
    CHECK(places.count("m/j#2") == 0);
}

TEST_CASE("decisions of the prelude have no number") {
    const Model model = compile_text("(map (lambda (x) x) (append '(1) '(2) (list-tail '(1 2) 1)))");
    REQUIRE(model.program);
    CHECK(model.program->decisions.empty());
}

TEST_CASE("of the prelude only what is used is kept") {
    const Model small = compile_text("(+ 1 2)");
    CHECK_FALSE(has_lambda(small, "fold-left"));
    CHECK_FALSE(has_lambda(small, "%reverse-onto"));
    const Model indirect = compile_text("(define (f xs) (reverse xs)) (f '(1 2))");
    CHECK(has_lambda(indirect, "reverse"));
    CHECK(has_lambda(indirect, "%checked-reverse-onto"));
    CHECK_FALSE(has_lambda(indirect, "fold-left"));
    const Model hidden = compile_text("(define (reverse x) x) (reverse 1)");
    CHECK_FALSE(has_lambda(hidden, "%checked-reverse-onto"));
}

TEST_CASE("includes run in place, relative to the including file") {
    const Files files{{"m/main.scm", "(define a 1) (include \"parts/one.scm\") (list a b c)"},
                      {"m/parts/one.scm", "(define b (+ a 1)) (include \"two.scm\")"},
                      {"m/parts/two.scm", "(define c (+ b 1))"}};
    Model model = compile_files(files);
    REQUIRE(model.program);
    Listener quiet;
    Interpreter run(*model.program, quiet);
    CHECK(run.start() == Status::finished);
    CHECK(to_text(*model.program, *run.result()) == "(1 2 3)");
    CHECK(model.sources.path(FileId{0}) == "m/main.scm");
}

TEST_CASE("wrong includes are errors at the place that includes") {
    CHECK(first_error(compile_files({{"m/main.scm", "\n (include \"no.scm\")"}})) ==
          "m/main.scm:2:11: cannot read the included file \"no.scm\"");
    const auto cycle = [](const Files& files) {
        const std::string text = first_error(compile_files(files));
        CHECK_MESSAGE(text.find("include") != std::string::npos, text);
        return text.substr(0, text.find(": "));
    };
    CHECK(cycle({{"m/main.scm", "(include \"main.scm\")"}}) == "m/main.scm:1:10");
    CHECK(cycle({{"m/main.scm", "(include \"a.scm\")"},
                 {"m/a.scm", "(include \"./b.scm\")"},
                 {"m/b.scm", " (include \"../m/a.scm\")"}}) == "m/b.scm:1:11");
    // An error in an included file is shown there; so is what comes after it in the others.
    const Model both = compile_files({{"m/main.scm", "(include \"a.scm\") (nowhere 1)"}, {"m/a.scm", "(elsewhere 2)"}});
    CHECK(both.diagnostics.error_count() == 2);
    CHECK(first_error(
              compile_files({{"m/main.scm", "(include \"a.scm\")"}, {"m/a.scm", "(define x\n  (elsewhere 2))"}})) ==
          "m/a.scm:2:4: `elsewhere` is not defined");
    CHECK(first_error(compile_text("(include \"a.scm\")")).substr(0, 14) == "model.scm:1:10");
}

TEST_CASE("a file that cannot be read at all") {
    const Model model = compile_model("gone.scm", [](const std::string&) { return std::nullopt; });
    CHECK(model.diagnostics.error_count() == 1);
    CHECK_FALSE(model.program);
}

TEST_CASE("a record's parts are names") {
    const auto wrong = [](const std::string& text) { return first_error(compile_text(text)).substr(0, 17); };
    CHECK(wrong("(define-record-type (1) y z)") == "model.scm:1:1: ma");
    CHECK(wrong("(define-record-type ((1 2) 2) y z)") == "model.scm:1:1: ma");
    CHECK(wrong("(define-record-type (a b) y z)") == "model.scm:1:1: ma");
    CHECK(wrong("(define-record-type a (1 x) z (x ax))") == "model.scm:1:24: e");
    CHECK(wrong("(define-record-type a (b \"x\") z (x ax))") == "model.scm:1:26: e");
    CHECK(wrong("(define-record-type a (b y) z (x ax))") == "model.scm:1:26: `");
    CHECK(result_of("(define-record-type a #f a? (x ax)) (a? 1)") == "#f");
}

TEST_CASE("a field of a type that is not there, in a model without types") {
    CHECK(first_error(compile_text("(define-message Ok (i dint)) (define-port o out Ok)")) ==
          "model.scm:1:23: unknown type `dint`");
}
