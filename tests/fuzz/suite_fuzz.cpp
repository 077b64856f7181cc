// Any bytes may be a suite. Reading them ends, in a suite or in errors that stand in the file; a suite that was read
// can be written, and then reads as the same; and it can be replayed, whatever its tests do to the model.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "testgen/export/exporter.hpp"
#include "testgen/replay/replay_report.hpp"
#include "testgen/suite/reader.hpp"

using namespace espalier;

namespace {

const char* const model_text = R"scheme(
(define-type small (int -3 9))
(define-message Leaf (n small))
(define-message |odd "<\x7;| (|f\t| int))
(define-message Twig (leaves (list-of Leaf 2)))
(define-message Tree (kids (list-of (one-of Twig Leaf) 3)))
(define-message All (i int) (b bool) (e (enum red "red" 3 #\a (1 2))) (s string) (d (bytes 4)) (l (list-of small 3))
  (m Leaf) (o (one-of Leaf Twig)) (t Tree) (z (list-of (list-of (enum a "a") 2) 2)))
(define-port p (in All Leaf Tree |odd "<\x7;|) (out All Leaf Tree |odd "<\x7;|))
(define-port q (in Leaf) (out Leaf))
(define-timer t)
(define x (fresh small))
(define (loop n)
  (checkpoint turn)
  (choose 1 (begin (checkpoint chosen) (write n)))
  (select
    ((p All as m) (write p m) (if (equal? (All-m m) (Leaf x)) (checkpoint same)) (loop (+ n 1)))
    ((p Tree as m) (start t 5) (write p m) (loop (+ n 1)))
    ((p (Leaf v)) (write q (Leaf x)) (write p (Leaf (if (equal? v x) 1 (any)))) (loop (+ n 1)))
    ((p any as m) (write p m) (error "odd" m))
    ((q (Leaf v)) (write (list v (read string) (read (enum a 1)) (vector 1))) (loop (+ n 1)))
    ((timeout t) (requirement "R" "t") (write x) (loop n))))
(loop 0)
)scheme";

void require(bool holds, const char* what, const std::string& text = {}) {
    if (holds) return;
    std::fprintf(stderr, "%s\n%s\n", what, text.c_str());
    std::abort();
}

struct Reading {
    Reading(const Program& program, std::string text) {
        const size_t size = text.size();
        const FileId file = sources.add("fuzz.xml", std::move(text));
        const auto tree = parse_xml(sources, file, diagnostics);
        if (tree) {
            criteria = criteria_of(*tree);
            suite = read_suite(*tree, program, diagnostics);
        }
        require(suite.has_value() != diagnostics.has_errors(), "a suite and errors, or neither");
        require(diagnostics.error_count() <= most_suite_errors, "too many errors");
        for (const Diagnostic& d : diagnostics.all()) {
            require(d.span.file == file && d.span.begin <= d.span.end && d.span.end <= size,
                    "an error outside the file", d.text);
            errors += render(sources, d);
        }
    }
    Sources sources;
    Diagnostics diagnostics;
    Criteria criteria;
    std::optional<Suite> suite;
    std::string errors;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    static const Model model = compile_text(model_text);
    require(model.program.has_value(), "the model of this test is wrong",
            model.diagnostics.all().empty() ? "" : render(model.sources, model.diagnostics.all().front()));
    const Reading first(*model.program, std::string(reinterpret_cast<const char*>(bytes), size));
    if (!first.suite) return 0;
    const std::string written = suite_to_xml(model, *first.suite);
    const Reading second(*model.program, written);
    require(second.suite.has_value(), "what was written does not read", written + second.errors);
    require(suite_to_xml(model, *second.suite) == written, "what was written reads as something else", written);
    const SuiteReplay replay = replay_suite(model, *first.suite, first.criteria);
    const std::string shown = differences_text(replay, *first.suite, first.sources);
    require(shown.empty() == replay.passed(), "differences that are not shown", shown);
    for (const Exporter& exporter : exporters()) {
        std::string once, again;
        exporter.write(SuiteView(model, *first.suite), [&](std::string_view part) { once += part; });
        exporter.write(SuiteView(model, *second.suite), [&](std::string_view part) { again += part; });
        require(!once.empty() && once == again, "another export of what was written and read", once + again);
    }
    Rerunner rerunner(model);
    Heap values(Heap::Lifetime::immortal);
    for (size_t t = 0; t < replay.tests.size(); ++t) {
        const Rerun rerun = rerunner.rerun(first.suite->tests[t], values);
        require(!replay.tests[t].passed() || (rerun.refused.empty() && rerun.difference.empty()),
                "a test that passes is refused or changed when it is kept", written);
    }
    return 0;
}
