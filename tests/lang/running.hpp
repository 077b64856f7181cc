// Running a model's text in a test, with everything it tells as lines of text.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lang/lang.hpp"

namespace espalier {

inline doctest::String toString(Status status) {
    switch (status) {
    case Status::stable: return "stable";
    case Status::finished: return "finished";
    case Status::model_error: return "model_error";
    case Status::assume_failed: return "assume_failed";
    case Status::refused: return "refused";
    case Status::out_of_steps: return "out_of_steps";
    case Status::stopped: return "stopped";
    }
    return "?";
}

class Running : public Listener {
public:
    explicit Running(std::string text, InterpreterOptions options = {}, std::vector<uint32_t> choices = {})
        : model(compile_text(std::move(text))), choices_(std::move(choices)) {
        for (const Diagnostic& d : model.diagnostics.all())
            if (d.severity == Severity::error) FAIL(render(model.sources, d));
        interpreter = std::make_unique<Interpreter>(*model.program, *this, options);
    }

    Status start() { return interpreter->start(); }
    // A message or bare value, written as a datum: send("user", "(Invite 7)").
    Status send(const std::string& port, const std::string& datum) {
        return interpreter->deliver(port_named(port), value(datum));
    }
    Value value(const std::string& text) {
        Diagnostics diagnostics;
        Data data;
        const FileId file = model.sources.add("input", text);
        const auto parsed = read_data(model.sources, file, data, diagnostics);
        REQUIRE_MESSAGE(!diagnostics.has_errors(), text);
        std::string error;
        const auto v = value_from_datum(
            *model.program, interpreter->heap(), data, parsed.front(),
            [](Symbol) -> std::optional<Value> { return std::nullopt; }, error);
        REQUIRE_MESSAGE(v.has_value(), error);
        return *v;
    }
    PortId port_named(const std::string& name) const {
        const auto& ports = model.program->ports;
        for (uint32_t i = 0; i < ports.size(); ++i)
            if (name_of(ports[i].name) == name) return PortId{i};
        FAIL("no port " << name);
        return {};
    }

    std::string result() const { return interpreter->result() ? show(*interpreter->result()) : "none"; }
    std::string error() const { return interpreter->error() ? interpreter->error()->text : "none"; }
    // The source text of the place of the error.
    std::string error_at() const { return std::string(model.sources.text(interpreter->error()->span)); }
    std::string show(Value v) const { return to_text(*model.program, v); }
    // What was told since the last time, a line each, joined by ";".
    std::string told() {
        std::string all;
        for (const std::string& line : std::exchange(told_, {})) all += (all.empty() ? "" : "; ") + line;
        return all;
    }
    bool trace = false; // also tell of threads, channels and timers

    Model model;
    std::unique_ptr<Interpreter> interpreter;

private:
    void tell(std::string line) { told_.push_back(std::move(line)); }
    void trace_line(uint32_t thread, const std::string& line) {
        if (trace) tell(std::to_string(thread) + " " + line);
    }
    void output(PortId port, Value v) override {
        tell(std::string(name_of(model.program->ports[index(port)].name)) + ":" + show(v));
    }
    void display(std::string_view text) override { tell(std::string(text)); }
    void mark(TargetId target, uint32_t) override { tell("mark " + model.program->targets[index(target)].name); }
    void assigned(Symbol name, Value v, uint32_t) override { tell(std::string(name_of(name)) + "=" + show(v)); }
    void input_taken(uint32_t thread, PortId, Value v) override { trace_line(thread, "takes " + show(v)); }
    void sent(uint32_t thread, Value, Value v) override { trace_line(thread, "sends " + show(v)); }
    void received(uint32_t thread, Value, Value v) override { trace_line(thread, "receives " + show(v)); }
    void timer_fired(uint32_t thread, Value timer) override {
        trace_line(thread, is_type(timer, ObjectType::timer) ? "timeout" : "after");
    }
    void spawned(uint32_t thread) override { trace_line(thread, "starts"); }
    void ended(uint32_t thread) override { trace_line(thread, "ends"); }
    uint32_t choose(Label, uint32_t) override { return next_choice_ < choices_.size() ? choices_[next_choice_++] : 0; }
    void step(uint32_t, LambdaId lambda, BlockId block, Label site) override { steps.push_back({lambda, block, site}); }

    std::vector<std::string> told_;
    std::vector<uint32_t> choices_;
    size_t next_choice_ = 0;

public:
    struct Step {
        LambdaId lambda;
        BlockId block;
        Label site;
    };
    std::vector<Step> steps;
};

} // namespace espalier
