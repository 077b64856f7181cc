#include "testgen/replay.hpp"

#include "testgen/copy_value.hpp"

namespace espalier {

namespace {

class Recorder : public Listener {
public:
    Recorder(const Program& program, const std::vector<TestStep>& steps, Heap& values, Replay& out)
        : steps_(steps), values_(values), out_(out), seen_(program.targets.size(), false) {}

    void output(PortId port, Value value) override {
        SuiteEvent e;
        e.kind = SuiteEvent::Kind::output;
        e.port = port;
        e.value = copy_value(values_, value);
        out_.events.push_back(e);
    }
    void mark(TargetId target, uint32_t) override {
        if (seen_[index(target)]) return;
        seen_[index(target)] = true;
        out_.covered.push_back(target);
    }
    uint32_t schedule(std::span<const uint32_t> turns) override {
        if (next_ >= steps_.size() || steps_[next_].kind != TestStep::Kind::schedule) return 0;
        SuiteEvent e;
        e.kind = SuiteEvent::Kind::schedule;
        e.taken = steps_[next_++].choice.taken;
        e.ready.assign(turns.begin(), turns.end());
        out_.events.push_back(e);
        return e.taken < turns.size() ? e.taken : 0;
    }
    uint32_t choose(Label, uint32_t count) override {
        if (next_ >= steps_.size() || steps_[next_].kind != TestStep::Kind::choice) return 0;
        SuiteEvent e;
        e.kind = SuiteEvent::Kind::choice;
        e.taken = steps_[next_++].choice.taken;
        e.alternatives = count;
        out_.events.push_back(e);
        return e.taken < count ? e.taken : 0;
    }
    size_t next() const { return next_; }
    void advance() { ++next_; }

private:
    const std::vector<TestStep>& steps_;
    Heap& values_;
    Replay& out_;
    std::vector<bool> seen_;
    size_t next_ = 0;
};

} // namespace

Replay replay_steps(const Program& program, const std::vector<TestStep>& steps, Heap& values) {
    Replay out;
    Recorder recorder(program, steps, values, out);
    Interpreter run(program, recorder);
    Status status = run.start();
    while (status == Status::stable && recorder.next() < steps.size()) {
        const size_t at = recorder.next();
        const TestStep& step = steps[at];
        SuiteEvent e;
        if (step.kind == TestStep::Kind::choice) {
            out.refused = at; // a choice that the model does not offer here
            break;
        }
        recorder.advance();
        const size_t before = out.events.size();
        if (step.kind == TestStep::Kind::input) {
            e.kind = SuiteEvent::Kind::input;
            e.port = step.port;
            e.value = copy_value(values, step.value);
            out.events.push_back(e);
            const FreshValue fresh = [&](uint32_t number) { return run.fresh_value(number); };
            status = run.deliver(step.port, copy_value(run.heap(), step.value, fresh));
        } else {
            e.kind = SuiteEvent::Kind::wait;
            e.units = step.units;
            out.events.push_back(e);
            status = run.pass_time(step.units);
            while (status == Status::stable && run.time_left_to_pass() > 0)
                status = run.pass_time(run.time_left_to_pass());
        }
        if (status == Status::refused) {
            out.events.resize(before);
            out.refused = at;
            break;
        }
    }
    if (recorder.next() < steps.size() && !out.refused && status != Status::stable) out.refused = recorder.next();
    out.status = status;
    out.error = run.error();
    return out;
}

} // namespace espalier
