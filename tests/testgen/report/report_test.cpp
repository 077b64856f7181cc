// The report: model text is data wherever it stands, and the page's figures are those of the statistics.
#include "testgen/report/report.hpp"

#include <doctest/doctest.h>

#include <map>

using namespace espalier;

namespace espalier {
extern const std::string_view report_style_text, report_start_text, report_script_text;
}

namespace {

size_t occurrences(std::string_view text, std::string_view part) {
    size_t n = 0;
    for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++n;
    return n;
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

struct Reported {
    explicit Reported(Model made, GenerateOptions with = {}, std::vector<ReportVerdict> verdicts = {})
        : model(std::move(made)), options(std::move(with)) {
        for (const Diagnostic& d : model.diagnostics.all())
            if (d.severity == Severity::error) FAIL(render(model.sources, d));
        options.quiet = true;
        if (!options.effort) options.effort = 30'000; // some of the models have no end
        const StopSignals signals;
        auto made_of = generate(model, options, signals);
        REQUIRE(made_of);
        result = std::move(*made_of);
        statistics = statistics_json(model, options, *result);
        const Report report{model, options, *result, statistics, std::move(verdicts)};
        html = report_to_html(report);
        report_data(report, [&](std::string_view part) { data += part; });
    }
    Model model;
    GenerateOptions options;
    std::optional<Generation> result;
    std::string statistics, html, data;
};

constexpr const char* counter = R"((define-message Add (n (int 0 9)))
(define-message Sum (n int))
(define-port p (in Add) (out Sum))
(define-machine (counter sum)
  (state counting
    (on (p (Add n)) (where (< n 5))
        (requirement "REQ-1" "Small numbers are added.")
        (set! sum (+ sum n))
        (write p (Sum sum)))
    (on (p (Add n)) (where (> n 9))
        (requirement "REQ-2" "Large numbers are refused."))
    (after 7 (requirement "REQ-3" "It ends.") -> done))
  (state done (final)))
(counter 0)
)";

// Everything that could end an element, an attribute, a string or a comment.
const std::string hostile = R"(</script><script>bad()</script><!-- ]]> '"&lt; \\u2028)"
                            "\xe2\x80\xa8\x01";

std::string quoted_in_model(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\x01')
            out += "\\x1;";
        else
            out += c;
    }
    return out + "\"";
}

} // namespace

TEST_CASE("text in the page is escaped") {
    CHECK(html_text("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;");
    CHECK(html_text("tab\tnul\x01 del\x7f") == "tab\\x9;nul\\x1; del\\x7f;");
    CHECK(html_text("\xe2\x80\xae"
                    "abc") == "\\x202e;abc"); // right-to-left override
    CHECK(html_text("\xe2\x80\xa8") == "\\x2028;");
    CHECK(html_text("über → ∀ 😀") == "über → ∀ 😀");
    CHECK(html_text("\xff\xc3") == "\xef\xbf\xbd\xef\xbf\xbd"); // no UTF-8
}

TEST_CASE("JSON in a script element cannot end it") {
    CHECK(inline_json(R"({"a": "</script><!--&]]>"})") == R"({"a": "\u003c/script\u003e\u003c!--\u0026]]\u003e"})");
    CHECK(inline_json("{\n  \"a\": \" b  c \",\n    \"d\": 1\n}\n") == R"({"a": " b  c ","d": 1})");
    CHECK(inline_json("\xe2\x80") == "\xe2\x80");
}

TEST_CASE("what is embedded cannot end its element") {
    for (const std::string_view text : {report_style_text, report_start_text, report_script_text}) {
        CHECK(text.size() > 500);
        CHECK_FALSE(has(text, "</"));
        CHECK_FALSE(has(text, "<!--"));
    }
    // No text is ever read as HTML, or as a program.
    for (const char* parser : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("})
        CHECK_FALSE(has(report_script_text, parser));
    for (const std::string_view text : {report_style_text, report_start_text, report_script_text})
        for (const char* network : {"fetch(", "XMLHttpRequest", "import ", "@import", "url(", "https:"})
            CHECK_FALSE(has(text, network));
}

TEST_CASE("the page's figures are those of the statistics") {
    const Reported r{compile_text(counter)};
    CHECK(has(r.html, "id=\"statistics-data\">" + inline_json(r.statistics) + "</script>"));
    const auto said = [&](const char* id, size_t n) {
        CAPTURE(id);
        CHECK(has(r.html, "id=\"" + std::string(id) + "\">" + std::to_string(n) + "<"));
    };
    const auto count = [&](TargetStatus status) { return r.result->count(status); };
    CHECK(count(TargetStatus::infeasible) > 0);
    said("count-covered", count(TargetStatus::covered));
    said("count-unreached", count(TargetStatus::unreached));
    said("count-infeasible", count(TargetStatus::infeasible));
    said("count-targets", r.result->suite.targets.size());
    said("count-tests", r.result->suite.tests.size());
    said("count-left", count(TargetStatus::unreached) + count(TargetStatus::infeasible));
    CHECK(occurrences(r.data, "\"covers\":") == r.result->suite.tests.size());
    CHECK(occurrences(r.data, "\"line\":") == r.result->suite.targets.size());
    CHECK(has(r.html, "<tr data-criterion=\"requirements\"><th scope=\"row\">requirements</th>"
                      "<td class=\"number\">2</td><td class=\"number\">0</td><td class=\"number\">1</td>"
                      "<td class=\"number\">3</td><td class=\"number\">66.7 %</td>"));
    CHECK(has(r.data, R"("text": "Small numbers are added.")"));
    CHECK(has(r.data, R"({"kind": "wait","units": "7"})"));
    CHECK(has(r.data, R"("message": "Sum","fields": [{"name": "n","type": "int","text": "0"}]})"));
}

TEST_CASE("a hostile model does no harm") {
    const std::string text = "(define-message M (s string))\n(define-port p in M)\n"
                             "(define-machine (m) (state a (on (p (M s)) (where (equal? s " +
                             quoted_in_model(hostile) + ")) (requirement " + quoted_in_model("id " + hostile) + " " +
                             quoted_in_model(hostile) + ") (checkpoint " + quoted_in_model(hostile) + ") (error " +
                             quoted_in_model(hostile) + "))))\n(m)\n; " + hostile.substr(0, 40) + "\n";
    const Reported r{compile_text(text)};
    CHECK(r.result->found.errors.size() == 1);
    // Only the page's own elements.
    CHECK(occurrences(r.html, "<script") == 6);
    CHECK(occurrences(r.html, "</script") == 6);
    CHECK_FALSE(has(r.html, "<!--"));
    CHECK_FALSE(has(r.html, "\xe2\x80\xa8"));
    CHECK(occurrences(r.html, "\x01") == 0);
    CHECK(has(r.data, "bad()"));
}

TEST_CASE("fresh values are named, bound and told apart") {
    const Reported r{compile_text(R"((define-message Ask)
(define-message Use (ticket int))
(define-message Ticket (id int) (more (list-of int 2)))
(define-port p (in Ask Use) (out Ticket))
(define-machine (desk t)
  (state closed (on (p Ask) -> open (with (t (fresh int)))))
  (state open
    (entry (write p (Ticket t (list t (any)))))
    (on (p (Use x)) (cond ((equal? x t) (requirement "R1" "same")) (else (requirement "R2" "other"))))))
(desk 0)
)")};
    CHECK(has(r.data, R"~({"name": "id","type": "int","text": "x1","fresh": ["x1"]})~"));
    CHECK(has(r.data, R"~({"name": "more","type": "list","text": "(x1 (any))","fresh": ["x1"]})~"));
    CHECK(has(r.data, R"~({"name": "ticket","type": "int","text": "x1","fresh": ["x1"]})~"));
    CHECK(has(r.data, R"~("not": ["x1"])~"));
}

TEST_CASE("every file of the model is shown, and the prelude is not") {
    const std::map<std::string, std::string> files{
        {"m/main.scm", "(include \"parts/a.scm\")\r\n(checkpoint \"main\")\n"},
        {"m/parts/a.scm", "(define (f) 1)\n(checkpoint \"part\")"}};
    const auto read = [&](const std::string& path) -> std::optional<std::string> {
        const auto it = files.find(path);
        return it == files.end() ? std::nullopt : std::optional(it->second);
    };
    const Reported r{compile_model("m/main.scm", read, {})};
    CHECK(has(r.data, R"~("folder":"m/")~"));
    CHECK(has(r.data, R"~({"path": "m/main.scm","lines": ["(include \"parts/a.scm\")","(checkpoint \"main\")"]})~"));
    CHECK(has(r.data, R"~({"path": "m/parts/a.scm","lines": ["(define (f) 1)","(checkpoint \"part\")"]})~"));
    CHECK(has(r.data, R"~({"file": 1,"line": 2,"column": 1})~"));
    CHECK_FALSE(has(r.data, "prelude"));
}

TEST_CASE("verdicts are put into a page that is there already") {
    const std::string page = Reported{compile_text(counter)}.html;
    const auto with = with_verdicts(page, {{"one", TestVerdict::error, "<!--</script>"}});
    REQUIRE(with.has_value());
    CHECK(
        has(*with,
            R"~(id="verdicts">[{"test": "one","verdict": "error","text": "\u003c!--\u003c/script\u003e"}]</script>)~"));
    CHECK(with_verdicts(*with, {}) == page); // and again, in place of those
    CHECK_FALSE(with_verdicts("<html></html>", {}).has_value());
    CHECK_FALSE(with_verdicts(page + page, {}).has_value());
    CHECK_FALSE(with_verdicts(verdicts_begin, {}).has_value());
}

TEST_CASE("verdicts have a place of their own") {
    CHECK(has(Reported{compile_text(counter)}.html, "id=\"verdicts\">[]</script>"));
    const Reported r{
        compile_text(counter), {}, {{"one", TestVerdict::pass, ""}, {"two", TestVerdict::fail, "</script>"}}};
    CHECK(has(r.html, R"~([{"test": "one","verdict": "pass","text": ""},)~"
                      R"~({"test": "two","verdict": "fail","text": "\u003c/script\u003e"}])~"));
}

TEST_CASE("an open end is in the page's data, and only there where it is one") {
    const Reported r(compile_text("(define n (read)) (write n) (if (> n 0) (begin (checkpoint \"beyond\") (assume #f)) "
                                  "(read))"));
    CHECK(r.result->suite.tests.size() == 2);
    CHECK(occurrences(r.data, "\"end\": \"open\"") == 1);
    CHECK(has(report_script_text, "left open: the model does not say what the system does after this"));
}

TEST_CASE("what the system may choose is in the page's data") {
    const Reported r(compile_text("(define-message M (n int)) (define-port p out M) (write p (M (fresh (int 1 9)))) "
                                  "(checkpoint here)"));
    CHECK(occurrences(r.data, R"~("ranges": {"x1": "(int 1 9)"})~") == 1);
}
