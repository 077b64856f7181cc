// Where labels stand in the program's text, for reports that are made from them.
#pragma once

#include <vector>

#include "lang/lang.hpp"

namespace espalier {

class Places {
public:
    explicit Places(const Program& program) : spans_(program.label_count), blocks_(program.label_count, no_block) {
        for (uint32_t b = 0; b < program.blocks.size(); ++b) {
            const Block& block = program.blocks[b];
            for (const Operation& o : program.operations(block)) set(o.label, o.span, BlockId{b});
            set(block.terminator.label, block.terminator.span, BlockId{b});
            const auto* select = std::get_if<terminator::Select>(&block.terminator.kind);
            if (select == nullptr) continue;
            for (const SelectClause& c : program.select_clauses(*select)) set(c.label, c.span, BlockId{b});
        }
    }
    Span span(Label label) const { return label == no_label ? Span{} : spans_[index(label)]; }
    BlockId block(Label label) const { return label == no_label ? no_block : blocks_[index(label)]; }

private:
    void set(Label label, Span span, BlockId block) {
        if (label == no_label) return;
        spans_[index(label)] = span;
        blocks_[index(label)] = block;
    }
    std::vector<Span> spans_;
    std::vector<BlockId> blocks_;
};

} // namespace espalier
