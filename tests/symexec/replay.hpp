// Law 1: what the symbolic executor found, the concrete interpreter does. Shared by the tests of this folder.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "symexec/symexec.hpp"

namespace espalier::test {

class Replay : public Listener {
public:
    Replay(const Program& program, const std::vector<TestStep>& steps)
        : steps_(steps), run_(program, *this, options(steps)) {
        status = run_.start();
        while (next_ < steps_.size()) {
            const TestStep& step = steps_[next_++];
            if (step.kind == TestStep::Kind::choice || step.kind == TestStep::Kind::schedule) {
                problem = "a choice that the run did not ask for";
                return;
            }
            if (status != Status::stable) {
                problem = "the run ended before the test";
                return;
            }
            status = step.kind == TestStep::Kind::input ? run_.deliver(step.port, own(step.value))
                                                        : run_.pass_time(step.units);
            if (status == Status::refused) {
                problem = "an input was refused";
                return;
            }
        }
        if (run_.error()) error = run_.error()->text;
    }
    void output(PortId, Value v) override { learn(v); }
    void mark(TargetId t, uint32_t) override { marks.insert(index(t)); }
    uint32_t choose(Label label, uint32_t count) override {
        if (next_ >= steps_.size()) return 0; // the test ended at its target, and the run goes on
        if (steps_[next_].kind != TestStep::Kind::choice || steps_[next_].choice.label != label ||
            steps_[next_].choice.of != count) {
            problem = "a choice that the test does not make";
            return 0;
        }
        return steps_[next_++].choice.taken;
    }
    uint32_t schedule(std::span<const uint32_t> turns) override {
        if (next_ >= steps_.size()) return 0;
        if (steps_[next_].kind != TestStep::Kind::schedule || steps_[next_].choice.of != turns.size()) {
            problem = "a turn that the test does not give";
            return 0;
        }
        return steps_[next_++].choice.taken;
    }

    std::set<uint32_t> marks;
    std::string problem, error;
    Status status = Status::finished;

private:
    static InterpreterOptions options(const std::vector<TestStep>& steps) {
        InterpreterOptions all;
        all.schedules = std::any_of(steps.begin(), steps.end(),
                                    [](const TestStep& s) { return s.kind == TestStep::Kind::schedule; });
        return all;
    }
    // The fresh values of this run, by number, once they were sent.
    void learn(Value v) {
        if (is_type(v, ObjectType::fresh)) fresh_[v.as_object()->count] = v;
        if (is_type(v, ObjectType::message))
            for (uint32_t i = 0; i < v.as_object()->count; ++i) learn(as_message(v).fields[i]);
    }
    Value own(Value v) {
        if (is_type(v, ObjectType::fresh)) return fresh_.at(v.as_object()->count);
        if (!is_type(v, ObjectType::message)) return v;
        Message* copy = run_.heap().message(as_message(v).message, v.as_object()->count);
        for (uint32_t i = 0; i < v.as_object()->count; ++i) copy->fields[i] = own(as_message(v).fields[i]);
        return Value::object(copy);
    }

    std::map<uint32_t, Value> fresh_;
    const std::vector<TestStep>& steps_;
    size_t next_ = 0;
    Interpreter run_;
};

// Every test reaches its targets, every error shows; the first difference in words, or nothing.
inline std::string replay_all(const Program& program, const Exploration& found) {
    for (const FoundTest& test : found.tests) {
        const Replay replay(program, test.steps);
        const std::string name = program.targets[index(test.targets[0])].name;
        if (!replay.problem.empty()) return name + ": " + replay.problem;
        for (TargetId t : test.targets) // an error that no continuation avoids may come after them
            if (replay.marks.count(index(t)) == 0)
                return name + ": does not reach " + program.targets[index(t)].name + " " + replay.error;
        if (!test.open_end && replay.status != Status::stable && replay.status != Status::finished)
            return name + ": does not come to rest " + replay.error;
    }
    for (const FoundError& e : found.errors) {
        const Replay replay(program, e.steps);
        if (!replay.problem.empty()) return e.text + ": " + replay.problem;
        if (replay.status != Status::model_error) return e.text + ": no error when replayed";
    }
    return {};
}

inline std::set<std::string> covered_names(const Program& program, const Exploration& found) {
    std::set<std::string> names;
    for (size_t i = 0; i < found.covered.size(); ++i)
        if (found.covered[i] && program.targets[i].kind == TargetKind::checkpoint)
            names.insert(program.targets[i].name);
    return names;
}

} // namespace espalier::test
