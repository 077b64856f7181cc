// What a system did in a stage of a test, judged: the lines that tell how the test went, and the first difference.
#pragma once

#include <string>
#include <vector>

#include "testgen/execute/match.hpp"
#include "testgen/execute/suite.hpp"
#include "testgen/execute/timing.hpp"
#include "testgen/replay/suite_replay.hpp"

namespace espalier {

std::string seconds_text(double seconds);               // "1.5 s"
std::string plural(size_t number, const char* of_what); // "2 events"

class StageJudge {
public:
    // All must outlive this. `names` are those of the values that the system chose.
    StageJudge(const ExecutableTest& test, const Timing& timing, NamedValues& names)
        : test_(test), timing_(timing), names_(names), matcher_(names, test.apart) {}

    // Where the test ends in a stage, and does not say what comes after its outputs, nothing more is judged.
    struct End {
        bool is_last = false; // stage of the test
        bool is_late = false; // an output that is missing did not come in time
    };
    void judge(const Stage& stage, const std::vector<SeenOutput>& seen, End end);
    // A stage that was cut short: what came in it, without a judgement.
    void show(const std::vector<SeenOutput>& seen);

    void line(char mark, std::string text, Span in_suite, std::vector<std::string> details = {});
    void detail(std::string text);                                // of the last line
    const std::string& difference() const { return difference_; } // the first, in words; or empty
    std::vector<ReplayLine> take_lines();

    // For align_outputs
    static const std::string& port_of(const ExpectedOutput& e) { return e.exchange.port; }
    static const std::string& port_of(const SeenOutput& s) { return s.port; }
    bool matches(const ExpectedOutput& e, const SeenOutput& s) { return matcher_.matches(e.exchange, s); }
    bool would_match(const ExpectedOutput& e, const SeenOutput& s) { return matcher_.would_match(e.exchange, s); }
    void same(const ExpectedOutput& expected, const SeenOutput&);
    void missing(const ExpectedOutput& expected);
    void unexpected(const SeenOutput& seen);
    void left_over(const SeenOutput& seen);
    void changed(const ExpectedOutput& expected, const SeenOutput& seen);

private:
    void differ(const std::string& how);
    const Exchange* like(const SeenOutput& seen) const;

    const ExecutableTest& test_;
    const Timing& timing_;
    NamedValues& names_;
    SeenMatcher matcher_;
    std::vector<ReplayLine> lines_;
    size_t lines_left_out_ = 0;
    std::string difference_;
    End end_; // of the stage that is being judged
};

} // namespace espalier
