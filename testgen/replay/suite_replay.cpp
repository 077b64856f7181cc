#include "testgen/replay/suite_replay.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <set>

#include "testgen/replay/test_replayer.hpp"

namespace espalier {

namespace {

// What the table says of targets, against what the tests reach.
void check_table(const Program& program, const Suite& suite, SuiteReplay& replay) {
    std::vector<std::optional<uint32_t>> reached_by(program.targets.size());
    std::set<std::pair<uint32_t, TargetId>> reached;
    for (uint32_t t = 0; t < replay.tests.size(); ++t) {
        for (const TargetId id : replay.tests[t].covered) {
            reached.emplace(t, id);
            if (!reached_by[index(id)]) reached_by[index(id)] = t;
        }
    }
    for (uint32_t i = 0; i < suite.targets.size(); ++i) {
        const TargetResult& r = suite.targets[i];
        if (!r.listed) continue;
        const std::string name = target_id(program.targets[i]);
        const auto untrue = [&](std::string why) {
            replay.table.push_back(
                {'-', "target " + name + " " + std::string(word_of(r.status)), r.in_suite, {std::move(why)}});
        };
        switch (r.status) {
        case TargetStatus::covered:
            if (r.test ? replay.tests[*r.test].is_stopped : replay.stopped_tests > 0) break;
            if (r.test && reached.count({*r.test, TargetId{i}}) == 0)
                untrue("the test " + suite.tests[*r.test].id + " does not reach it");
            else if (!reached_by[i])
                untrue("no test reaches it");
            break;
        case TargetStatus::unreached:
        case TargetStatus::infeasible:
            if (reached_by[i]) untrue("the test " + suite.tests[*reached_by[i]].id + " reaches it");
            break;
        }
    }
    std::sort(replay.table.begin(), replay.table.end(),
              [](const ReplayLine& a, const ReplayLine& b) { return a.in_suite.begin < b.in_suite.begin; });
}

// What is done with the run of a test, a second time if the first one left out too much. Where memory runs out in the
// middle of it, there is `stopped`: the limits have been told. `steps` is what is left of them, 0 where they have no
// limit.
template <typename Made, typename Act>
Made in_full(const Model& model, CompiledProgram& compiled, const SuiteTest& test, const std::atomic<bool>* stop,
             uint64_t& steps, const Act& act) {
    Made stopped;
    stopped.is_stopped = true;
    try {
        std::optional<StageCut> cut(std::in_place);
        while (true) {
            const bool is_bounded = steps != 0 && steps < replay_step_limit;
            TestReplayer run(model, compiled, test, {stop, is_bounded ? steps : 0}, *cut);
            Made made = act(run);
            if (steps != 0) steps -= std::min(steps - 1, run.steps());
            cut = run.to_be_done_again();
            if (!cut) return made;
        }
    } catch (const std::bad_alloc&) {
        return stopped;
    }
}

} // namespace

bool TestReplay::differs() const {
    return std::any_of(lines.begin(), lines.end(), [](const ReplayLine& l) { return l.mark != ' '; });
}

Rerun Rerunner::rerun(const SuiteTest& test, Heap& values, const std::atomic<bool>* stop) {
    uint64_t unlimited = 0;
    return in_full<Rerun>(model_, compiled_, test, stop, unlimited,
                          [&](TestReplayer& run) { return run.again(values); });
}

SuiteReplay replay_suite(const Model& model, const Suite& suite, Criteria spoken_of, const ReplayLimits& limits) {
    SuiteReplay replay;
    replay.covered.resize(model.program->targets.size(), false);
    CompiledProgram compiled(*model.program);
    uint64_t steps = limits.steps;
    const auto is_over = [&] { return limits.stop != nullptr && *limits.stop; };
    for (const SuiteTest& test : suite.tests) {
        const auto begun = std::chrono::steady_clock::now();
        TestReplay made;
        made.is_stopped = true;
        if (replay.stopped_tests == 0 && !is_over())
            made = in_full<TestReplay>(model, compiled, test, limits.stop, steps,
                                       [&](TestReplayer& run) { return run.run(spoken_of); });
        made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
        for (const TargetId id : made.covered) replay.covered[index(id)] = true;
        if (made.is_stopped) ++replay.stopped_tests;
        if (made.passed()) ++replay.passed_tests;
        if (!made.differs()) made.lines.clear(); // how it went is not asked for
        replay.tests.push_back(std::move(made));
    }
    replay.is_out_of_steps = replay.stopped_tests > 0 && !is_over();
    check_table(*model.program, suite, replay);
    return replay;
}

} // namespace espalier
