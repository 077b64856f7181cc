#include "testgen/replay/replay_report.hpp"
#include "testgen/text/escapes.hpp"

#include <algorithm>
#include <optional>

namespace espalier {

SuitePlaces::SuitePlaces(const Sources& sources) : sources_(sources) {
    for (uint32_t at = 0; at <= text().size(); ++at) {
        if (at % apart == 0) known_.push_back(here_);
        pass(at);
    }
}

std::string SuitePlaces::of(Span span) {
    here_ = known_[span.begin / apart];
    for (uint32_t at = span.begin / apart * apart; at < span.begin; ++at) pass(at);
    return sources_.path(FileId{0}) + ":" + std::to_string(here_.line) + ":" + std::to_string(here_.column);
}

void SuitePlaces::pass(uint32_t at) {
    if (at >= text().size()) return;
    const auto c = static_cast<uint8_t>(text()[at]);
    if (c == '\n' || (c == '\r' && !(at + 1 < text().size() && text()[at + 1] == '\n')))
        here_ = {here_.line + 1, 1};
    else if ((c & 0xC0U) != 0x80 && (at != 0 || c != 0xEF)) // a byte-order mark is no column
        ++here_.column;
}

namespace {

constexpr size_t context = 3; // lines before a difference
constexpr size_t last_lines = 12;

std::vector<bool> differing(const std::vector<ReplayLine>& lines) {
    std::vector<bool> show(lines.size(), false);
    for (size_t i = 0, next = 0; i < lines.size(); ++i) {
        if (lines[i].mark == ' ') continue;
        for (size_t j = std::max(next, i - std::min(i, context)); j <= i; ++j) show[j] = true;
        next = i;
    }
    return show;
}

} // namespace

void append_lines(std::string& out, const std::vector<ReplayLine>& lines, SuitePlaces& places, ShowLines which) {
    std::vector<bool> show = which == ShowLines::last ? std::vector<bool>(lines.size(), false) : differing(lines);
    if (which == ShowLines::last)
        for (size_t i = lines.size() - std::min(lines.size(), last_lines); i < lines.size(); ++i) show[i] = true;
    bool gap = false;
    for (size_t i = 0; i < lines.size(); ++i) {
        if (!show[i]) {
            gap = true;
            continue;
        }
        if (gap) out += "    …\n";
        gap = false;
        out += std::string("  ") + lines[i].mark + " " + printable(lines[i].text);
        if (lines[i].mark == '-' && lines[i].in_suite.known()) out += "   (" + places.of(lines[i].in_suite) + ")";
        out += "\n";
        for (const std::string& detail : lines[i].details) out += "      " + printable(detail) + "\n";
    }
}

std::string differences_text(const SuiteReplay& replay, const Suite& suite, const Sources& suite_file) {
    std::string out;
    if (replay.passed()) return out;
    SuitePlaces places(suite_file);
    for (size_t t = 0; t < suite.tests.size(); ++t) {
        if (replay.tests[t].lines.empty()) continue;
        out += "FAILED " + printable(suite.tests[t].id) + " (" + places.of(suite.tests[t].in_suite) + ")\n";
        append_lines(out, replay.tests[t].lines, places);
    }
    if (replay.table.empty()) return out;
    out += "FAILED targets (" + places.of(replay.table.front().in_suite) + ")\n";
    append_lines(out, replay.table, places);
    return out;
}

JunitSuite replay_results(const SuiteReplay& replay, const Suite& suite, const Sources& suite_file) {
    JunitSuite results{suite_file.path(FileId{0}), {}};
    std::optional<SuitePlaces> places;
    const auto add = [&](const std::string& name, double seconds, const std::vector<ReplayLine>& lines,
                         bool is_stopped) {
        JunitTest test{name, seconds, TestVerdict::pass, {}, {}};
        if (is_stopped) {
            test.verdict = TestVerdict::error;
            test.message = "not run to its end";
        }
        const auto first = std::find_if(lines.begin(), lines.end(), [](const ReplayLine& l) { return l.mark != ' '; });
        if (first != lines.end()) {
            if (!places) places.emplace(suite_file);
            test.verdict = TestVerdict::fail;
            test.message = (first->mark == '-' ? "not as the suite says: " : "not in the suite: ") + first->text;
            append_lines(test.detail, lines, *places);
        }
        results.tests.push_back(std::move(test));
    };
    for (size_t t = 0; t < suite.tests.size(); ++t)
        add(suite.tests[t].id, replay.tests[t].seconds, replay.tests[t].lines, replay.tests[t].is_stopped);
    if (!replay.table.empty()) add("(table of targets)", 0, replay.table, false); // no test can have that id
    return results;
}

std::string coverage_text(const Program& program, const std::vector<bool>& covered, const std::vector<bool>& asked) {
    std::string out;
    for (const TargetKind kind : all_target_kinds) {
        size_t all = 0, reached = 0;
        for (uint32_t i = 0; i < program.targets.size(); ++i) {
            if (program.targets[i].kind != kind || (!asked.empty() && !asked[i])) continue;
            ++all;
            if (covered[i]) ++reached;
        }
        if (all == 0) continue;
        std::string name(criterion_name(kind));
        name.resize(13, ' ');
        out += "  " + name + " " + std::to_string(reached) + " of " + std::to_string(all) + " covered (" +
               std::to_string(100 * reached / all) + " %)\n";
    }
    return out;
}

} // namespace espalier
