// What marks refer to: the targets that an instrumented program will have, and tables of decisions.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lang/lower/criteria.hpp"

namespace espalier {

class Declarations {
public:
    // Begins with the program's own targets of these criteria.
    Declarations(const Program& program, Criteria criteria);

    void target(TargetKind kind, const std::string& name, Span span); // once, however often it is named
    uint32_t table(DecisionTable table);                              // its number in Program::decision_tables
    void sort();                                                      // by criterion, then by place in the text

    TargetId id(TargetKind kind, const std::string& name) const { return ids_.at({kind, name}); }
    TargetId kept(TargetId old) const { return kept_[index(old)]; } // no_target where it is none of the criteria's
    const std::vector<Target>& targets() const { return targets_; }
    const std::vector<DecisionTable>& tables() const { return tables_; }

private:
    TargetId add(TargetKind kind, const std::string& name, Span span);

    std::map<std::pair<TargetKind, std::string>, TargetId> ids_;
    std::vector<Target> targets_;
    std::vector<TargetId> kept_; // by old target
    std::vector<DecisionTable> tables_;
};

std::string numbered(Symbol scope, uint32_t number); // "foo#2"

} // namespace espalier
