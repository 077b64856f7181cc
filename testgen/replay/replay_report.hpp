// How the differences of a replay are shown.
#pragma once

#include <string>
#include <vector>

#include "testgen/replay/suite_replay.hpp"
#include "testgen/text/junit.hpp"

namespace espalier {

// Line and column in a suite. Sources counts a column from the start of its line, and a suite of a hundred megabytes
// may stand on one line: here the count goes on from one of many known places.
class SuitePlaces {
public:
    explicit SuitePlaces(const Sources& sources); // whose only file is the suite
    std::string of(Span span);

private:
    static constexpr uint32_t apart = 1024;
    const std::string& text() const { return sources_.text(FileId{0}); }
    void pass(uint32_t at);

    const Sources& sources_;
    std::vector<Position> known_;
    Position here_{1, 1};
};

enum class ShowLines : uint8_t { differences, last };
// With a little context; or the last few, where it matters how far things went.
void append_lines(std::string& out, const std::vector<ReplayLine>& lines, SuitePlaces& places,
                  ShowLines which = ShowLines::differences);

// Like a diff: for each test that failed what happened, with a little context.
std::string differences_text(const SuiteReplay& replay, const Suite& suite, const Sources& suite_file);
// A line for each criterion that the program has targets of: "  checkpoints   2 of 3 covered (66 %)". `asked`: by
// TargetId, those that count; empty: all.
std::string coverage_text(const Program& program, const std::vector<bool>& covered,
                          const std::vector<bool>& asked = {});

// For a CI server: a result for each test, and one for the table of targets, where that is not true.
JunitSuite replay_results(const SuiteReplay& replay, const Suite& suite, const Sources& suite_file);

} // namespace espalier
