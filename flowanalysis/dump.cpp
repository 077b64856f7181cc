// The analysis as text, for `check --dump flow`.
#include "flowanalysis/domain/text.hpp"
#include "flowanalysis/evaluate/analyser.hpp"
#include "flowanalysis/flowanalysis.hpp"

namespace espalier {

namespace {

using flow::Analyser;
using flow::Slot;

class Dump {
public:
    Dump(const Program& program, const Sources& sources, Analyser& analyser)
        : program_(program), sources_(sources), analyser_(analyser), variants_(analyser.context().variants) {}
    void variant(VariantId v);
    std::string take() { return std::move(out_); }

private:
    void block(Slot slot, BlockId id);
    void value(VarId v, Label label, Span span);
    std::string text(flow::ValueId v) const { return to_text(program_, analyser_.context().domain, v); }
    std::string name(VarId v) const;
    std::string name(VariantId v) const;
    void line(std::string text, Label label, Span span);

    const Program& program_;
    const Sources& sources_;
    Analyser& analyser_;
    const flow::Variants& variants_;
    VariantId variant_{};
    LambdaId lambda_{};
    std::string out_;
};

std::string Dump::name(VarId v) const {
    const std::string_view own = name_of(program_.variable_name(lambda_, v));
    return (own.empty() ? "v" : std::string(own) + ".") + std::to_string(index(v));
}

std::string Dump::name(VariantId v) const {
    const flow::VariantState& state = variants_[v];
    std::string text{name_of(program_[state.lambda].name)};
    return state.site == no_label ? text : text + "@" + std::to_string(index(state.site));
}

void Dump::line(std::string text, Label label, Span span) {
    text = "    " + text;
    if (text.size() < 56) text.resize(56, ' ');
    out_ += text + "  ; " + std::to_string(index(label)) + " " + sources_.place(span) + "\n";
}

void Dump::value(VarId v, Label label, Span span) {
    line(name(v) + " = " + text(variants_.value(variant_, v)), label, span);
}

void Dump::variant(VariantId v) {
    variant_ = v;
    const flow::VariantState& state = variants_[v];
    lambda_ = state.lambda;
    const Lambda& lambda = program_[lambda_];
    out_ += "procedure " + name(v);
    for (uint32_t i = 0; i < lambda.params() + lambda.captures; ++i)
        out_ +=
            (i == lambda.params() ? "  captures " : " ") + name(VarId{i}) + " " + text(variants_.value(v, VarId{i}));
    out_ += "  -> " + text(analyser_.result(v)) + "\n";
    for (uint32_t b = 0; b < lambda.block_count; ++b)
        if (const Slot slot{index(state.first_slot) + b}; variants_[slot].reached)
            block(slot, BlockId{lambda.first_block + b});
}

void Dump::block(Slot slot, BlockId id) {
    const flow::Outcome& outcome = analyser_.evaluate(slot);
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
    Analyser analyser(program, options, [] { return false; });
    analyser.run();
    Dump dump(program, sources, analyser);
    const flow::Variants& variants = analyser.context().variants;
    for (uint32_t v = 0; v < variants.size(); ++v)
        if (!program[variants[VariantId{v}].lambda].prelude) dump.variant(VariantId{v});
    return dump.take();
}

} // namespace espalier
