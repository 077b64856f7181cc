// Messages, to the letter: they are what authors see and what editors parse.
#include <doctest/doctest.h>

#include "lang/text/source.hpp"

using namespace espalier;
using namespace std::string_literals;

namespace {

struct Model {
    explicit Model(std::string text) : file(sources.add("m.scm", std::move(text))) {}
    Span span(uint32_t begin, uint32_t end) const { return {file, begin, end}; }

    Sources sources;
    FileId file;
    Diagnostics diagnostics;
};

} // namespace

TEST_CASE("a message shows the line, a caret, hint and notes") {
    Model m("(define x 1)\n(define (f) xx)\n");
    Diagnostic& error = m.diagnostics.error(m.span(25, 27), "unbound variable `xx`", "did you mean `x`?");
    error.notes.push_back({Severity::note, m.span(8, 9), "`x` is defined here", {}, {}});
    CHECK(render(m.sources, m.diagnostics.all()[0]) == "m.scm:2:13: error: unbound variable `xx`\n"
                                                       "  (define (f) xx)\n"
                                                       "              ^~\n"
                                                       "  hint: did you mean `x`?\n"
                                                       "m.scm:1:9: note: `x` is defined here\n"
                                                       "  (define x 1)\n"
                                                       "          ^\n");
}

TEST_CASE("tabs, wide text, several lines, the end of the file") {
    Model m("\tλλ (a\n b)");
    m.diagnostics.warning(m.span(6, 11), "w");
    CHECK(render(m.sources, m.diagnostics.all()[0]) == "m.scm:1:5: warning: w\n  \tλλ (a\n  \t   ^~\n");
    CHECK(render(m.sources, {Severity::error, m.span(12, 12), "e", {}, {}}) == "m.scm:2:4: error: e\n   b)\n     ^\n");
    CHECK(render(m.sources, {Severity::error, m.span(8, 8), "e", {}, {}}) ==
          "m.scm:1:7: error: e\n  \tλλ (a\n  \t     ^\n");
    Model empty("");
    CHECK(render(empty.sources, {Severity::error, empty.span(0, 0), "e", {}, {}}) == "m.scm:1:1: error: e\n  \n  ^\n");
    CHECK(render(m.sources, {Severity::error, Span{}, "e", {}, {}}) == "error: e\n");
}

TEST_CASE("of a line of megabytes only a part is shown, and nothing a terminal would obey") {
    Model m(std::string(5'000'000, 'x') + "HERE" + std::string(5'000'000, 'y'));
    const std::string text = render(m.sources, {Severity::error, m.span(5'000'000, 5'000'004), "e", {}, {}});
    CHECK(text.size() < 600);
    CHECK(text.find("xxHEREyy") != std::string::npos);
    const size_t caret = text.find('^') - (text.rfind('\n', text.find('^')) + 1);
    const size_t here = text.find("HERE") - (text.rfind('\n', text.find("HERE")) + 1);
    CHECK(here == caret + 2); // the ellipsis before it has three bytes and one column

    Model bad("a\x1b[31m\xff\0z"s);
    CHECK(render(bad.sources, {Severity::error, bad.span(8, 9), "\x1b!", {}, {}}) ==
          "m.scm:1:9: error: \uFFFD!\n  a\uFFFD[31m\uFFFD\uFFFDz\n          ^\n");
}

TEST_CASE("JSON") {
    Model m("(a\nλ \"b\")");
    CHECK(render_json(m.sources, m.diagnostics) == "[]\n");
    Diagnostic& error = m.diagnostics.error(m.span(3, 9), "say \"\\\" \n\t\r\b\f\x01\x7f\xff λ", "h");
    error.notes.push_back({Severity::note, Span{}, "n", {}, {}});
    m.diagnostics.warning(m.span(0, 1), "w");
    CHECK(
        render_json(m.sources, m.diagnostics) ==
        R"([{"file":"m.scm","line":2,"column":1,"end_line":2,"end_column":6,"severity":"error",)"
        R"("text":"say \"\\\" \n\t\r\b\f\u0001\u007f)"
        "\uFFFD"
        R"( λ","hint":"h","notes":[{"file":null,"line":null,"column":null,"end_line":null,"end_column":null,)"
        R"("severity":"note","text":"n","hint":"","notes":[]}]},)"
        "\n "
        R"({"file":"m.scm","line":1,"column":1,"end_line":1,"end_column":2,"severity":"warning","text":"w","hint":"","notes":[]}])"
        "\n");
}

TEST_CASE("counted, and sorted by place") {
    Model m("abcdef");
    const FileId other = m.sources.add("o.scm", "x");
    m.diagnostics.error(Span{}, "nowhere");
    m.diagnostics.error({other, 0, 1}, "other");
    m.diagnostics.warning(m.span(3, 4), "late");
    m.diagnostics.error(m.span(1, 2), "early");
    m.diagnostics.error(m.span(1, 2), "early, second");
    CHECK(m.diagnostics.error_count() == 4);
    m.diagnostics.sort(m.sources);
    std::string order;
    for (const Diagnostic& d : m.diagnostics.all()) order += d.text + ';';
    CHECK(order == "early;early, second;late;other;nowhere;");
    CHECK_FALSE(Diagnostics{}.has_errors());
}
