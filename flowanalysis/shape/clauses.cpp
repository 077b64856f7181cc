#include "flowanalysis/shape/clauses.hpp"

#include "flowanalysis/shape/idle.hpp"

namespace espalier::flow {

// A test runs from the clause's first block to Accept or Refuse; blocks belong to one clause only.
Clauses::Clauses(const Program& program)
    : clause_of_(program.blocks.size(), no_clause), select_of_(program.clauses.size(), no_block),
      refusals_(program.clauses.size()) {
    for (uint32_t b = 0; b < program.blocks.size(); ++b) {
        const auto pass_on = [&](BlockId next) { clause_of_[index(next)] = clause_of_[b]; };
        const Block& block = program.blocks[b];
        const bool in_test = clause_of_[b] != no_clause;
        std::visit(Overloaded{
                       [&](const terminator::Jump& t) {
                           if (in_test) pass_on(t.target);
                       },
                       [&](const terminator::Branch& t) {
                           if (in_test) pass_on(t.then_block), pass_on(t.else_block);
                       },
                       [&](const terminator::Call& t) {
                           if (in_test) pass_on(t.back);
                       },
                       [](const terminator::TailCall&) {},
                       [](const terminator::Return&) {},
                       [&](const terminator::Select& t) {
                           for (uint32_t i = t.first; i < t.first + t.count; ++i) {
                               clause_of_[index(program.clauses[i].test)] = i;
                               select_of_[i] = BlockId{b};
                           }
                       },
                       [](const terminator::Accept&) {},
                       [&](const terminator::Refuse&) { refusals_[clause_of_[b]].push_back(b); },
                       [&](const terminator::Choose& t) {
                           for (uint32_t i = t.first; in_test && i < t.first + t.count; ++i)
                               pass_on(program.choices[i]);
                       },
                   },
                   block.terminator.kind);
    }
    idle_ = idle_blocks(program, clause_of_);
}

} // namespace espalier::flow
