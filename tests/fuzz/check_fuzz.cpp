// Any bytes may be a model. Compiling them ends, in a program or in errors that stand in the text; a program
// can be analysed, printed and run, whatever the tester sends it: it ends, waits or makes a model error, and
// never takes the tool along. What the analysis proves dead, that run does not reach.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "flowanalysis/flowanalysis.hpp"
#include "lang/lang.hpp"
#include "testgen/explain/dead_targets.hpp"

using namespace espalier;

namespace {

constexpr size_t longest_text = 8192;
constexpr uint64_t most_steps = 20'000;
constexpr int most_inputs = 24;

void require(bool holds, const char* what, const std::string& text = {}) {
    if (holds) return;
    std::fprintf(stderr, "%s\n%s\n", what, text.c_str());
    std::abort();
}

void check_place(const Model& model, const Diagnostic& diagnostic, size_t size) {
    const Span span = diagnostic.span;
    require(span.file == FileId{0} && span.begin <= span.end && span.end <= size, "a diagnostic outside the text",
            render(model.sources, diagnostic));
    for (const Diagnostic& note : diagnostic.notes) check_place(model, note, size);
}

// A value of a type: its `turn`-th, more or less.
class Values {
public:
    Values(const Program& program, Heap& heap, uint32_t turn) : program_(program), heap_(heap), turn_(turn) {}

    Value of(TypeId type) {
        const TypeDef& def = program_.types[index(type)];
        if (const auto* range = std::get_if<type::Int>(&def.kind)) {
            if (range->low && turn_ % 2 == 0) return *range->low;
            return range->high ? *range->high : Value::fixnum(static_cast<int64_t>(turn_ % 5) - 1);
        }
        if (std::holds_alternative<type::Bool>(def.kind)) return Value::boolean(turn_ % 2 == 0);
        if (const auto* choice = std::get_if<type::Enum>(&def.kind))
            return choice->values.empty() ? Value::null() : choice->values[turn_ % choice->values.size()];
        if (std::holds_alternative<type::String>(def.kind)) return heap_.string(turn_ % 2 == 0 ? "" : "aλ\"");
        if (const auto* bytes = std::get_if<type::Bytes>(&def.kind)) {
            const uint8_t content[] = {0, 255};
            return heap_.bytevector({content, bytes->max < 2 ? 0 : 2 * (turn_ % 2)});
        }
        if (const auto* list = std::get_if<type::ListOf>(&def.kind)) {
            const Value one[] = {list->max == 0 ? Value::null() : of(list->element)};
            return heap_.list({one, list->max == 0 ? 0 : turn_ % 2});
        }
        const auto& messages = std::get<type::OneOf>(def.kind).messages;
        return messages.empty() ? Value::null() : of(messages[turn_ % messages.size()]);
    }
    Value of(MessageId id) {
        const auto& fields = program_.messages[index(id)].fields;
        std::vector<Value> values;
        values.reserve(fields.size());
        for (const FieldDef& field : fields) values.push_back(of(field.type));
        Message* message = heap_.message(id, values.size());
        std::copy(values.begin(), values.end(), static_cast<Value*>(message->fields));
        return Value::object(message);
    }

private:
    const Program& program_;
    Heap& heap_;
    uint32_t turn_;
};

class Chooser : public Listener {
public:
    Chooser(const Program& program, const std::vector<TargetId>& dead)
        : program_(program), dead_(program.targets.size(), false) {
        for (const TargetId t : dead) dead_[index(t)] = true;
    }
    void mark(TargetId target, uint32_t) override {
        require(!dead_[index(target)], "a dead target is reached", program_.targets[index(target)].name);
    }
    void output(PortId, Value v) override { to_text(program_, v); }
    void assigned(Symbol, Value v, uint32_t) override {
        if (++told_ < 100) to_text(program_, v);
    }
    uint32_t choose(Label, uint32_t count) override { return ++turn_ % count; }

private:
    const Program& program_;
    std::vector<bool> dead_; // by target
    uint32_t turn_ = 0;
    uint32_t told_ = 0;
};

void run(const Model& model, const Flow& flow) {
    const Program& program = *model.program;
    Chooser chooser(program, flow.unreachable_targets());
    InterpreterOptions options;
    options.step_limit = most_steps;
    options.stack_limit = size_t{1} << 26;
    options.trace_assignments = true;
    Interpreter interpreter(program, chooser, options);
    Status status = interpreter.start();
    for (uint32_t turn = 0; turn < most_inputs && (status == Status::stable || status == Status::refused); ++turn) {
        const auto offers = interpreter.offers();
        if (offers.empty()) break;
        const Offer& offer = offers[turn % offers.size()];
        if (!interpreter.name(offer.timer).empty() && offer.kind == Offer::Kind::timer) {
            status = turn % 3 == 0 ? interpreter.pass_time(1) : interpreter.pass_time();
            continue;
        }
        Values values(program, interpreter.heap(), turn);
        Value value = Value::fixnum(turn);
        const auto& in = program.ports[index(offer.port)].in;
        if (offer.kind == Offer::Kind::bare)
            value = values.of(offer.type);
        else if (offer.filter == SelectClause::Filter::message)
            value = values.of(offer.message);
        else if (!in.empty())
            value = values.of(in[turn % in.size()]);
        status = interpreter.deliver(offer.port, value);
    }
    if (status == Status::model_error) {
        require(interpreter.error().has_value(), "a model error without an error");
        render(model.sources, {Severity::error, interpreter.error()->span, interpreter.error()->text, {}, {}});
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    if (size > longest_text) return -1;
    CompileOptions options;
    options.dump = size % 8 == 0;
    Model model = compile_text(std::string(reinterpret_cast<const char*>(bytes), size), options);
    std::optional<Flow> flow;
    if (model.program) {
        flow.emplace(analyse(*model.program));
        warn_of_dead_targets(model, *flow);
    }
    for (const Diagnostic& diagnostic : model.diagnostics.all()) {
        check_place(model, diagnostic, size);
        render(model.sources, diagnostic);
    }
    render_json(model.sources, model.diagnostics);
    require(model.program.has_value() != model.diagnostics.has_errors(), "a program and errors, or neither");
    if (!model.program) return 0;
    print_ir(*model.program, model.sources, false);
    run(model, *flow);
    return 0;
}
