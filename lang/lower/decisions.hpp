// The author's decisions as criteria see them: where they end, and the conditions that they are made of.
#pragma once

#include <string>
#include <vector>

#include "lang/ir/ir.hpp"

namespace espalier {

// A block in which a decision has been made.
struct DecisionEnd {
    const Decision* decision = nullptr; // none: null
    bool yes = false;
    uint32_t number = 0; // in Program::decisions
};
std::vector<DecisionEnd> decision_ends(const Program& program); // by block

// The atoms of decisions: what is left where `and`, `or` and `not` are taken apart. Each is a block's branch.
class Conditions {
public:
    explicit Conditions(const Program& program);
    const std::vector<BlockId>& atoms(uint32_t decision) const { return atoms_[decision]; } // in order of evaluation
    uint32_t place(BlockId block) const { return place_[index(block)]; }                    // in its decision
    std::string name(uint32_t decision, uint32_t atom, bool value) const;                   // "foo#3:true"
    Span span(uint32_t decision, uint32_t atom) const { return p_[atoms_[decision][atom]].terminator.span; }

private:
    void number();

    const Program& p_;
    std::vector<std::vector<BlockId>> atoms_; // by decision
    std::vector<uint32_t> first_;             // by decision: the number of its first condition, within its scope
    std::vector<uint32_t> place_;             // by block
};

} // namespace espalier
