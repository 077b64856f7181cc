#include "testgen/replay/replay.hpp"

#include <algorithm>
#include <iterator>
#include <new>

#include "testgen/suite/copy_value.hpp"
#include "testgen/suite/spelling.hpp"
#include "testgen/suite/told_apart.hpp"
#include "testgen/suite/value_range.hpp"

namespace espalier {

namespace {

class Recorder : public Listener {
public:
    Recorder(const Program& program, const std::vector<TestStep>& steps, Heap& values, Replay& out, StageCut& cut)
        : program_(program), steps_(steps), values_(values), out_(out), seen_(program.targets.size(), false),
          cut_(cut) {}

    void output(PortId port, Value value) override {
        if (!cut_.has_output(value)) return;
        SuiteEvent e;
        e.kind = SuiteEvent::Kind::output;
        e.port = port;
        keep_value(program_, values_, value, e);
        out_.events.push_back(std::move(e));
    }
    void mark(TargetId target, uint32_t) override {
        if (seen_[index(target)]) return;
        seen_[index(target)] = true;
        out_.covered.push_back(target);
        out_.covered_at.push_back(next_);
    }
    // Past its last step a test may run on to the next stable state: what is chosen on the way is part of it too.
    uint32_t schedule(std::span<const uint32_t> turns) override {
        const bool given = next_ < steps_.size() && steps_[next_].kind == TestStep::Kind::schedule;
        SuiteEvent e;
        e.kind = SuiteEvent::Kind::schedule;
        if (given) e.taken = steps_[next_++].choice.taken;
        if (e.taken >= turns.size()) e.taken = 0;
        e.ready.assign(turns.begin(), turns.end());
        return decided(std::move(e));
    }
    uint32_t choose(Label, uint32_t count) override {
        const bool given = next_ < steps_.size() && steps_[next_].kind == TestStep::Kind::choice;
        SuiteEvent e;
        e.kind = SuiteEvent::Kind::choice;
        if (given) e.taken = steps_[next_++].choice.taken;
        if (e.taken >= count) e.taken = 0;
        e.alternatives = count;
        return decided(std::move(e));
    }
    size_t next() const { return next_; }
    void advance() {
        ++next_;
        cut_.begin_stage();
    }

private:
    uint32_t decided(SuiteEvent&& e) {
        const uint32_t taken = e.taken;
        if (cut_.has_decision()) out_.events.push_back(std::move(e));
        return taken;
    }
    const Program& program_;
    const std::vector<TestStep>& steps_;
    Heap& values_;
    Replay& out_;
    std::vector<bool> seen_;
    size_t next_ = 0;
    StageCut& cut_;
};

} // namespace

bool ends_open(Status status) {
    switch (status) {
    case Status::assume_failed:
    case Status::out_of_steps:
    case Status::stopped: return true;
    case Status::stable:
    case Status::finished:
    case Status::model_error:
    case Status::refused: break;
    }
    return false;
}

void keep_value(const Program& program, Heap& values, Value value, SuiteEvent& event) {
    constexpr size_t longest = 64 * 1024;
    if (can_be_spelt(value))
        event.value = copy_value(values, value);
    else
        event.printed = to_text(&program, value, Style::write, longest);
}

size_t bytes_of(Value root) {
    std::vector<Value> left{root};
    size_t bytes = 0;
    for (size_t parts = 0; !left.empty() && parts < most_parts_spelt; ++parts) {
        const Value v = left.back();
        left.pop_back();
        if (is_pair(v)) {
            left.push_back(as_pair(v).cdr);
            left.push_back(as_pair(v).car);
        } else if (is_type(v, ObjectType::message)) {
            for (uint32_t i = 0; i < v.as_object()->count; ++i) left.push_back(as_message(v).fields[i]);
        } else if (is_type(v, ObjectType::string) || is_type(v, ObjectType::bytevector)) {
            bytes += v.as_object()->count;
        } else if (v.is_object() && number::is_number(v)) {
            bytes += number::bits(v) / 4;
        }
    }
    return bytes;
}

Replay Replayer::replay(const std::vector<TestStep>& steps, Heap& values) {
    StageCut cut;
    Replay made = replay(steps, values, cut);
    auto again = made.status == Status::stopped ? std::nullopt : cut.again(made.status);
    return again ? replay(steps, values, *again) : std::move(made);
}

Replay Replayer::replay(const std::vector<TestStep>& steps, Heap& values, StageCut& cut) {
    Replay out;
    Recorder recorder(program_, steps, values, out, cut);
    InterpreterOptions options;
    options.step_limit = step_limit_;
    if (limits_ != nullptr) options.stop = &limits_->begin_replay();
    options.schedules =
        std::any_of(steps.begin(), steps.end(), [](const TestStep& s) { return s.kind == TestStep::Kind::schedule; });
    FreshPairs told_apart;
    options.told_apart = &told_apart;
    Status status = Status::stopped;
    try {
        Interpreter run(compiled_, recorder, options);
        status = run.start();
        while (status == Status::stable && recorder.next() < steps.size()) {
            const size_t at = recorder.next();
            const TestStep& step = steps[at];
            SuiteEvent e;
            if (step.kind == TestStep::Kind::choice || step.kind == TestStep::Kind::schedule) {
                out.refused = at; // a choice that the model does not offer here
                break;
            }
            recorder.advance();
            const size_t before = out.events.size();
            if (step.kind == TestStep::Kind::input) {
                e.kind = SuiteEvent::Kind::input;
                e.port = step.port;
                e.value = copy_value(values, step.value);
                std::copy_if(step.fresh.begin(), step.fresh.end(), std::back_inserter(e.fresh),
                             [](const FreshUse& use) { return !use.equal; });
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
        out.error = run.error();
    } catch (const std::bad_alloc&) { // what it did so far is all there is
        status = Status::stopped;
    }
    if (recorder.next() < steps.size() && !out.refused && status != Status::stable) out.refused = recorder.next();
    out.status = status;
    out.begun = recorder.next();
    note_told_apart(program_, out.events, told_apart);
    out.fresh_ranges = ranges_in(program_, out.events);
    return out;
}

} // namespace espalier
