// The analysis as text, for `check --dump flow`.
#include "flowanalysis/machine.hpp"

namespace espalier {

namespace {

using flow::Machine;
using flow::Slot;

class Dump {
public:
    Dump(const Program& program, const Sources& sources, Machine& machine)
        : program_(program), sources_(sources), machine_(machine) {}
    void variant(VariantId v);
    std::string take() { return std::move(out_); }

private:
    void block(Slot slot, BlockId id);
    void value(VarId v, Label label, Span span);
    std::string name(VarId v) const;
    std::string name(VariantId v) const;
    void line(std::string text, Label label, Span span);

    const Program& program_;
    const Sources& sources_;
    Machine& machine_;
    VariantId variant_{};
    LambdaId lambda_{};
    std::string out_;
};

std::string Dump::name(VarId v) const {
    const std::string_view own = name_of(program_.variable_name(lambda_, v));
    return (own.empty() ? "v" : std::string(own) + ".") + std::to_string(index(v));
}

std::string Dump::name(VariantId v) const {
    const flow::VariantState& state = machine_.variant(v);
    std::string text{name_of(program_[state.lambda].name)};
    return state.site == no_label ? text : text + "@" + std::to_string(index(state.site));
}

void Dump::line(std::string text, Label label, Span span) {
    text = "    " + text;
    if (text.size() < 56) text.resize(56, ' ');
    out_ += text + "  ; " + std::to_string(index(label)) + " " + sources_.place(span) + "\n";
}

void Dump::value(VarId v, Label label, Span span) {
    line(name(v) + " = " + machine_.domain().text(machine_.value(variant_, v)), label, span);
}

void Dump::variant(VariantId v) {
    variant_ = v;
    const flow::VariantState state = machine_.variant(v);
    lambda_ = state.lambda;
    const Lambda& lambda = program_[lambda_];
    out_ += "procedure " + name(v);
    for (uint32_t i = 0; i < lambda.params() + lambda.captures; ++i)
        out_ += (i == lambda.params() ? "  captures " : " ") + name(VarId{i}) + " " +
                machine_.domain().text(machine_.value(v, VarId{i}));
    out_ += "  -> " + machine_.domain().text(machine_.result(v)) + "\n";
    for (uint32_t b = 0; b < lambda.block_count; ++b)
        if (const Slot slot{index(state.first_slot) + b}; machine_.reached(slot))
            block(slot, BlockId{lambda.first_block + b});
}

void Dump::block(Slot slot, BlockId id) {
    const flow::Outcome& outcome = machine_.evaluate(slot);
    const Block& b = program_[id];
    const auto short_name = [&](BlockId each) {
        return " b" + std::to_string(index(each) - program_[lambda_].first_block);
    };
    out_ += " " + short_name(id) + ":\n";
    for (VarId v : program_.list(b.params)) value(v, b.terminator.label, b.terminator.span);
    for (uint32_t i = 0; i < outcome.completed; ++i) {
        const Operation& o = program_.ops[b.first_op + i];
        std::visit(Overloaded{
                       [&](const op::MakeClosures& k) {
                           for (uint32_t c = k.first; c < k.first + k.count; ++c)
                               value(program_.closures[c].dst, o.label, o.span);
                       },
                       [&](const auto& k) {
                           if constexpr (requires { k.target; })
                               line("mark " + program_.targets[index(k.target)].name, o.label, o.span);
                           else if constexpr (requires { k.dst; })
                               value(k.dst, o.label, o.span);
                       },
                   },
                   o.kind);
    }
    std::string end = outcome.terminates ? "" : "ends here";
    for (VariantId callee : outcome.callees) end += (end.empty() ? "calls " : " ") + name(callee);
    for (const auto& [position, started] : outcome.spawns) end += (end.empty() ? "spawns " : " ") + name(started);
    if (!outcome.successors.empty()) end += end.empty() ? "goes to" : ", then";
    for (BlockId next : outcome.successors) end += short_name(next);
    line(end.empty() ? "returns" : end, b.terminator.label, b.terminator.span);
}

} // namespace

std::string dump_flow(const Program& program, const Sources& sources, const FlowOptions& options) {
    Machine machine(program, options, [] { return false; });
    machine.run();
    Dump dump(program, sources, machine);
    for (uint32_t v = 0; v < machine.variant_count(); ++v)
        if (!program[machine.variant(VariantId{v}).lambda].prelude) dump.variant(VariantId{v});
    return dump.take();
}

} // namespace espalier
