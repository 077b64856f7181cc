#include "symexec/values/position.hpp"

#include <utility>

namespace espalier::sym {

void Position::locate(const State& s) {
    if (s.running == UINT32_MAX) return;
    const Instruction& i = code_.at(s.threads[s.running].pc);
    const bool ends_block = i.op >= Opcode::terminator;
    label_ = ends_block ? program_[BlockId{i.e}].terminator.label : program_.ops[i.e].label;
    span_ = ends_block ? program_[BlockId{i.e}].terminator.span : program_.ops[i.e].span;
}

Label Position::author_label(const State& s) const {
    if (s.running == UINT32_MAX) return label_;
    const Thread& t = s.threads[s.running];
    if (program_[t.frame->lambda].prelude && t.frame->site != no_label) return t.frame->site;
    const Instruction& i = code_.at(t.pc);
    const bool ends_block = i.op >= Opcode::terminator || i.op == Opcode::move;
    return ends_block ? program_[BlockId{i.e}].terminator.label : program_.ops[i.e].label;
}

void Position::blame_caller(const State& s) {
    if (s.running == UINT32_MAX) return;
    const FrameRef& frame = s.threads[s.running].frame;
    if (!program_[frame->lambda].prelude || frame->site == no_label) return;
    label_ = frame->site;
    for (const Block& block : program_.blocks) {
        if (block.terminator.label == label_) span_ = block.terminator.span;
        for (const Operation& op : program_.operations(block))
            if (op.label == label_) span_ = op.span;
    }
}

// What only a solution could name reads the same on every path, so that a mistake is reported once.
ErrorAt Position::error(std::string text) const {
    for (const auto& [mark, name] :
         {std::pair<std::string, std::string>{"#<term ", "an input value"}, {"#<address ", "an object"}}) {
        for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
            const size_t end = text.find('>', at);
            text.replace(at, end == std::string::npos ? end : end - at + 1, name);
        }
    }
    return {std::move(text), span_, label_};
}

} // namespace espalier::sym
