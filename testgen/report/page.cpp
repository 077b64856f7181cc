// The page around the data: landmarks, headings and the places that the scripts fill.
#include "testgen/report/report.hpp"

namespace espalier {

// style.css and the scripts beside it, embedded by the build.
extern const std::string_view report_style_text;
extern const std::string_view report_start_text;
extern const std::string_view report_script_text;

namespace {

struct Section {
    const char *id, *title, *says;
    const char* short_title; // in the navigation
};
constexpr Section drawn_sections[] = {
    {"progress", "Coverage over time",
     "When the search covered how many targets<span class=\"on-screen\">; the pointer, or the arrow keys, tell "
     "which</span>.",
     "Over time"},
    {"errors", "Errors of the model", "Where a run of the model itself goes wrong, and the test that shows it.",
     "Errors"},
    {"left", "Targets that are not covered", "What stood in the way of each.", "Not covered"},
    {"requirements", "Requirements and tests", "Which test shows which requirement.", "Requirements"},
    {"source", "The model",
     "Each line with its targets<span class=\"on-screen\">: press the mark before it to see the tests</span>.",
     "Source"},
    {"tests", "Tests", "What the tester does, and what the system must answer.", "Tests"},
    {"targets", "All targets", "With the tests that cover them.", "Targets"},
    {"statistics", "Search statistics", "What the search did; the names are those of <code>--stats</code>.",
     "Statistics"},
};

// Nothing is fetched, whatever stands in the page.
constexpr const char* policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'";

std::string head(const std::string& model) {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
           std::string(policy) +
           "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"generator\" content=\"espalier\">\n<link rel=\"icon\" href=\"data:,\">\n<title>" +
           model + " – test report</title>\n<style>\n" + std::string(report_style_text) + "</style>\n<script>\n" +
           std::string(report_start_text) + "</script>\n</head>\n";
}

std::string navigation() {
    std::string out = "<nav aria-label=\"Sections\"><ul>\n<li><a href=\"#summary\">Summary</a></li>\n";
    for (const Section& s : drawn_sections)
        out += "<li><a href=\"#" + std::string(s.id) + "\">" + s.short_title + "</a></li>\n";
    return out + "</ul></nav>\n";
}

std::string banner(const Report& report, const std::string& model) {
    return "<header>\n<div><p class=\"kind\">Espalier test report</p><h1>" + model +
           "</h1></div>\n<p class=\"facts\">depth " + depth_text(report.options.depth) + " · search " +
           html_text(word_of(report.options.order())) + " · cut " + html_text(word_of(report.options.cut)) +
           " · seed <span id=\"seed\">" + std::to_string(report.options.seed) + "</span>" +
           "</p>\n<label class=\"theme\">Colours <select id=\"theme\"><option value=\"auto\">as the system</option>"
           "<option value=\"light\">light</option><option value=\"dark\">dark</option></select></label>\n</header>\n";
}

std::string section(const Section& s) {
    std::string out = "<section id=\"";
    for (const char* part :
         {s.id, "\" aria-labelledby=\"", s.id, "-title\">\n<h2 id=\"", s.id, "-title\">", s.title,
          "</h2>\n<p class=\"says\">", s.says, "</p>\n<div id=\"", s.id, "-body\"></div>\n</section>\n"})
        out += part;
    return out;
}

} // namespace

void report_to_html(const Report& report, const Sink& sink) {
    const std::string model = html_text(report.result.suite.model);
    sink(head(model));
    sink("<body>\n<a class=\"skip\" href=\"#summary\">To the summary</a>\n" + banner(report, model) + navigation() +
         "<main>\n<div id=\"problems\" role=\"alert\" hidden></div>\n"
         "<noscript><p class=\"warning\">Without scripts, this page shows only the summary.</p></noscript>\n"
         "<section id=\"summary\" aria-labelledby=\"summary-title\">\n<h2 id=\"summary-title\">Summary</h2>\n" +
         report_summary(report) + "</section>\n");
    for (const Section& s : drawn_sections) sink(section(s));
    sink("</main>\n<footer><p>Made by Espalier from the model and its test suite. Everything on this page is in the "
         "file itself; nothing is loaded.</p>\n<p class=\"on-screen\">With the keyboard, Tab goes from place to place, "
         "the arrow keys go on inside lists, tables, the source and the chart, and Escape closes what was "
         "opened.</p></footer>\n");
    sink("<script type=\"application/json\" id=\"statistics-data\">" + inline_json(report.statistics) +
         "</script>\n<script type=\"application/json\" id=\"data\">");
    report_data(report, sink);
    sink("</script>\n" + std::string(digests_begin) + report_digests(report) + "</script>\n" +
         std::string(verdicts_begin) + report_verdicts(report.verdicts) + "</script>\n<script type=\"module\">\n" +
         std::string(report_script_text) + "</script>\n</body>\n</html>\n");
}

std::string report_to_html(const Report& report) {
    std::string html;
    report_to_html(report, [&](std::string_view part) { html += part; });
    return html;
}

} // namespace espalier
