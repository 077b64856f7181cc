#include "testgen/execute/judge.hpp"

#include "testgen/execute/shown.hpp"
#include "testgen/replay/align_outputs.hpp"

namespace espalier {

namespace {

// A system that never stops is no reason to run out of memory: so many lines are shown.
constexpr size_t most_lines = 1'000;

} // namespace

std::string seconds_text(double s) {
    std::string text = std::to_string(s);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text + " s";
}

std::string plural(size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

void StageJudge::judge(const Stage& stage, const std::vector<SeenOutput>& seen, End end) {
    end_ = end;
    for (const ModelDecision& d : stage.decisions) line(' ', d.shown, d.in_suite);
    std::vector<const ExpectedOutput*> expected;
    for (const ExpectedOutput& e : stage.outputs) expected.push_back(&e);
    std::vector<const SeenOutput*> found;
    for (const SeenOutput& s : seen) found.push_back(&s);
    align_outputs(expected, found, *this);
}

void StageJudge::show(const std::vector<SeenOutput>& seen) {
    for (const SeenOutput& s : seen) line(' ', "output " + shown(s, like(s)), {});
}

void StageJudge::line(char mark, std::string text, Span in_suite, std::vector<std::string> details) {
    if (lines_.size() < most_lines)
        lines_.push_back({mark, std::move(text), in_suite, std::move(details)});
    else
        ++lines_left_out_;
}

void StageJudge::detail(std::string text) {
    if (lines_left_out_ == 0 && !lines_.empty()) lines_.back().details.push_back(std::move(text));
}

std::vector<ReplayLine> StageJudge::take_lines() {
    if (lines_left_out_ > 0) lines_.push_back({' ', "… and " + plural(lines_left_out_, "event") + " more", {}, {}});
    return std::move(lines_);
}

// Another output of that name shows in which order its fields stand.
const Exchange* StageJudge::like(const SeenOutput& seen) const {
    for (const Stage& stage : test_.stages)
        for (const ExpectedOutput& e : stage.outputs)
            if (e.exchange.message == seen.message) return &e.exchange;
    return nullptr;
}

void StageJudge::differ(const std::string& how) {
    if (difference_.empty()) difference_ = how;
}

void StageJudge::same(const ExpectedOutput& e, const SeenOutput&) {
    line(' ', "output " + shown(e.exchange, names_), e.in_suite);
}

void StageJudge::missing(const ExpectedOutput& e) {
    differ("an expected output did not come" + (end_.is_late ? " within " + seconds_text(timing_.timeout) : ""));
    line('-', "output " + shown(e.exchange, names_), e.in_suite, {"the system does not send this"});
}

void StageJudge::unexpected(const SeenOutput& s) {
    differ("an output came that the test does not expect");
    line('+', "output " + shown(s, like(s)), {}, {"the test does not expect this"});
}

void StageJudge::left_over(const SeenOutput& s) {
    if (end_.is_last && (test_.open_end || !test_.error.empty()))
        line(' ', "output " + shown(s, like(s)), {}, {"the model leaves open what comes here"});
    else
        unexpected(s);
}

void StageJudge::changed(const ExpectedOutput& expected, const SeenOutput& found) {
    differ("an output is not the expected one");
    const auto differences = matcher_.differences(expected.exchange, found);
    line('-', "output " + shown(expected.exchange, names_), expected.in_suite);
    line('+', "output " + shown(found, expected.exchange.message == found.message ? &expected.exchange : like(found)),
         {});
    for (const SeenDifference& d : differences)
        detail((d.place.empty() ? "" : d.place + ": ") + "expected " + d.expected + ", found " + d.seen);
}

} // namespace espalier
