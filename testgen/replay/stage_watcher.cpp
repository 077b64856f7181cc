#include "testgen/replay/stage_watcher.hpp"

namespace espalier {

using Kind = SuiteEvent::Kind;

StageWatcher::StageWatcher(const Program& program, const OutputMatcher& matcher, Heap& values, const StageCut& cut)
    : program_(program), matcher_(matcher), values_(values), cut_(cut), seen_(program.targets.size(), false) {}

void StageWatcher::begin_stage() {
    choices_.clear();
    schedules_.clear();
    outputs_.clear();
    cut_.begin_stage();
}

void StageWatcher::output(PortId port, Value value) {
    if (!cut_.has_output(value)) return;
    SuiteEvent e;
    e.kind = Kind::output;
    e.port = port;
    keep_value(program_, values_, value, e);
    happened.push_back(e);
    outputs_.push_back(std::move(e));
}

void StageWatcher::mark(TargetId target, uint32_t) {
    if (seen_[index(target)]) return;
    seen_[index(target)] = true;
    covered.push_back(target);
}

uint32_t StageWatcher::choose(Label, uint32_t count) {
    if (!cut_.has_decision() && choices_.empty()) return 0;
    SuiteEvent here;
    here.kind = Kind::choice;
    here.alternatives = count;
    here.taken = chosen(count);
    happened.push_back(here);
    return here.taken;
}

uint32_t StageWatcher::chosen(uint32_t count) {
    if (choices_.empty()) {
        lines.push_back(
            {'+', "choice 0 of " + std::to_string(count), {}, {"the test does not say what is chosen here"}});
        return 0;
    }
    const SuiteEvent& e = *choices_.front();
    choices_.pop_front();
    const bool fits = e.taken < count && (e.alternatives == 0 || e.alternatives == count);
    lines.push_back({fits ? ' ' : '-', matcher_.expected_text(e), e.in_suite, {}});
    if (!fits) lines.back().details.push_back("the model chooses one of " + std::to_string(count) + " here");
    return e.taken < count ? e.taken : 0;
}

uint32_t StageWatcher::schedule(std::span<const uint32_t> turns) {
    if (!cut_.has_decision() && schedules_.empty()) return 0;
    SuiteEvent here;
    here.kind = Kind::schedule;
    here.ready.assign(turns.begin(), turns.end());
    if (schedules_.empty()) {
        lines.push_back({'+', matcher_.found_text(here), {}, {"the test does not say whose turn it is"}});
        happened.push_back(here);
        return 0;
    }
    const SuiteEvent& e = *schedules_.front();
    schedules_.pop_front();
    const bool fits = e.ready == here.ready;
    lines.push_back({fits ? ' ' : '-', matcher_.expected_text(e), e.in_suite, {}});
    here.taken = e.taken < turns.size() ? e.taken : 0;
    happened.push_back(here);
    if (!fits) lines.push_back({'+', matcher_.found_text(here), {}, {"it is the turn of one of these threads"}});
    return here.taken;
}

} // namespace espalier
