// One test against a system, through an adapter: each stage's step is sent, and what the system does is compared with
// what the test expects of it, until nothing more comes.
//
// Outputs are judged together at the end of a stage, in order on each port. Where the test leaves its end open, it is
// over as soon as the last expected output is there, and whatever else came on a port after those is not judged. An
// output that no expectation fits ends the stage as soon as the system is quiet again, so that all of what it did can
// be shown, and another run of the model can be looked for that does the same.
#pragma once

#include <string>
#include <vector>

#include "testgen/execute/adapter.hpp"
#include "testgen/execute/protocol.hpp"
#include "testgen/execute/timing.hpp"
#include "testgen/replay/suite_replay.hpp"
#include "testgen/text/test_verdict.hpp"

namespace espalier {

struct TestRun {
    TestVerdict verdict = TestVerdict::pass;
    std::string reason;            // one line; empty for a pass
    std::vector<ReplayLine> lines; // what happened, up to a difference
    double seconds = 0;
    bool answered = false;        // it got as far as the system's reset
    bool adapter_lost = false;    // it must be started again
    bool open_difference = false; // inconclusive: it is not known whether the model allows what was seen
    bool interrupted = false; // a signal or a limit ended it, before there was a verdict or while the model was asked
    // For a difference: what each stage did, the last one being the one that differs.
    std::vector<std::vector<SeenOutput>> seen;
    NamedValues names;
};

TestRun execute_test(Adapter& adapter, const ExecutableTest& test, const Timing& timing);

} // namespace espalier
