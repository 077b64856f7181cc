// The part of the page that needs no script: how the search ended, and what is covered by criterion.
#include <array>
#include <cstdio>

#include "testgen/report/report.hpp"

namespace espalier {

namespace {

std::string fixed(double n, int digits) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, n);
    return text.data();
}

struct Counts {
    size_t covered = 0, unreached = 0, infeasible = 0;
    size_t all() const { return covered + unreached + infeasible; }
    void add(TargetStatus status) {
        switch (status) {
        case TargetStatus::covered: ++covered; break;
        case TargetStatus::unreached: ++unreached; break;
        case TargetStatus::infeasible: ++infeasible; break;
        }
    }
};

// Never rounded up to 100 %, nor down to nothing.
std::string percent(size_t part, size_t all) {
    if (all == 0) return "–";
    const double exact = 100.0 * static_cast<double>(part) / static_cast<double>(all);
    if (part < all && exact > 99.9) return "99.9 %";
    if (part > 0 && exact < 0.1) return "0.1 %";
    return fixed(exact, part == all || part == 0 ? 0 : 1) + " %";
}

// A bar of three parts; what it says is also in the numbers beside it.
std::string bar(const Counts& c) {
    std::string out = R"(<div class="bar">)";
    const auto part = [&](const char* status, size_t n) {
        if (n > 0)
            out += R"(<span class=")" + std::string(status) + R"(" style="flex:)" + std::to_string(n) + R"("></span>)";
    };
    part("covered", c.covered);
    part("unreached", c.unreached);
    part("infeasible", c.infeasible);
    return out + "</div>";
}

// `id` marks the row that counts all.
std::string row(std::string_view name, const Counts& c, bool total) {
    const auto cell = [&](const char* what, size_t n) {
        const std::string id = total ? R"( id="count-)" + std::string(what) + "\"" : "";
        return R"(<td class="number")" + id + ">" + std::to_string(n) + "</td>";
    };
    const std::string criterion = html_text(name);
    return std::string(total ? R"(<tr class="total">)" : R"(<tr data-criterion=")" + criterion + "\">") +
           R"(<th scope="row">)" + criterion + "</th>" + cell("covered", c.covered) + cell("unreached", c.unreached) +
           cell("infeasible", c.infeasible) + cell("targets", c.all()) + R"(<td class="number">)" +
           percent(c.covered, c.all()) + "</td><td aria-hidden=\"true\">" + bar(c) + "</td></tr>\n";
}

std::string tile(const std::string& id, const std::string& number, const std::string& label, const char* link) {
    return R"(<li><a href=")" + std::string(link) + R"("><strong id=")" + id + "\">" + number + "</strong> " + label +
           "</a></li>\n";
}

std::string tiles(const Report& report) {
    const Generation& r = report.result;
    const size_t left = r.count(TargetStatus::unreached) + r.count(TargetStatus::infeasible);
    std::string out = "<ul class=\"tiles\">\n";
    out += tile("tile-coverage", percent(r.count(TargetStatus::covered), r.suite.targets.size()),
                std::to_string(r.count(TargetStatus::covered)) + " of " + std::to_string(r.suite.targets.size()) +
                    " targets covered",
                "#targets");
    out += tile("count-tests", std::to_string(r.suite.tests.size()), r.suite.tests.size() == 1 ? "test" : "tests",
                "#tests");
    out += tile("count-left", std::to_string(left), left == 1 ? "target not covered" : "targets not covered", "#left");
    out += tile("count-errors", std::to_string(r.found.errors.size()),
                r.found.errors.size() == 1 ? "error of the model" : "errors of the model", "#errors");
    out += tile("time", fixed(r.seconds, r.seconds < 10 ? 2 : 1) + " s", "of searching", "#statistics");
    return out + "</ul>\n";
}

std::string how_it_ended(const Report& report) {
    const Generation& r = report.result;
    std::string out;
    if (!r.found.complete) {
        out += "<p class=\"warning\"><strong>Incomplete.</strong> The " + html_text(to_text(r.found.ended_by)) +
               " ended the search";
        if (r.found.given_up > 0) out += ", with " + std::to_string(r.found.given_up) + " states not explored";
        out += ". A target may be unreached only for want of time.</p>\n";
    }
    if (r.suite.left_out > 0)
        out += "<p class=\"warning\"><strong>Left out:</strong> " + std::to_string(r.suite.left_out) +
               " tests that the search found and there was no time left to replay.</p>\n";
    if (r.waived() > 0 || !report.options.targets.empty())
        out += "<p>Of the targets asked for" + std::string(r.waived() > 0 ? ", less those waived" : "") + ", " +
               fixed(r.coverage(), 1) + " % are covered" +
               (r.waived() > 0 ? "; " + std::to_string(r.waived()) + " waived" : "") + ".</p>\n";
    return out;
}

} // namespace

std::string report_summary(const Report& report) {
    const auto& targets = report.model.program->targets;
    std::string out = tiles(report) + how_it_ended(report);
    out += "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Coverage by criterion\">\n"
           "<table class=\"criteria\"><caption>Coverage by criterion</caption>\n<thead><tr><th "
           "scope=\"col\">Criterion</th>"
           "<th scope=\"col\" class=\"number\"><span class=\"status covered\">covered</span></th>"
           "<th scope=\"col\" class=\"number\"><span class=\"status unreached\">unreached</span></th>"
           "<th scope=\"col\" class=\"number\"><span class=\"status infeasible\">infeasible</span></th>"
           "<th scope=\"col\" class=\"number\">all</th>"
           "<th scope=\"col\" class=\"number\">coverage</th><td aria-hidden=\"true\"></td></tr></thead>\n<tbody>\n";
    Counts total;
    for (const TargetKind kind : all_target_kinds) {
        Counts counts;
        for (uint32_t i = 0; i < targets.size(); ++i)
            if (targets[i].kind == kind) counts.add(report.result.suite.targets[i].status);
        if (counts.all() > 0) out += row(criterion_name(kind), counts, false);
    }
    for (const TargetResult& r : report.result.suite.targets) total.add(r.status);
    return out + "</tbody>\n<tfoot>" + row("all criteria", total, true) + "</tfoot></table></div>\n";
}

} // namespace espalier
