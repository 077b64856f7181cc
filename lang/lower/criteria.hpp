// Coverage criteria: which points of a model a suite must reach.
//
//   Criteria criteria = Criteria::standard();
//   model.program = instrument(*model.program, criteria);   // now its targets are those of the criteria, and no others
//
// A criterion is a kind of target. Checkpoints, requirements, states and transitions are in every program; the others
// are put into the λ-IR as marks, so the interpreter, the analysis and the search treat all of them alike.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lang/ir/ir.hpp"

namespace espalier {

inline constexpr TargetKind all_target_kinds[] = {
    TargetKind::checkpoint, TargetKind::requirement, TargetKind::procedure, TargetKind::branch,   TargetKind::state,
    TargetKind::transition, TargetKind::condition,   TargetKind::mcdc,      TargetKind::boundary, TargetKind::error};

class Criteria {
public:
    static Criteria standard(); // checkpoints, requirements, procedures, branches, states, transitions
    static Criteria all();
    bool has(TargetKind kind) const { return (bits_ >> static_cast<unsigned>(kind) & 1U) != 0; }
    bool empty() const { return bits_ == 0; }
    Criteria& add(TargetKind kind) {
        bits_ = static_cast<uint16_t>(bits_ | 1U << static_cast<unsigned>(kind));
        return *this;
    }
    friend bool operator==(Criteria, Criteria) = default;

private:
    uint16_t bits_ = 0;
};

std::string_view criterion_name(TargetKind kind); // "checkpoints", "branches", …
std::string to_text(Criteria criteria);           // "checkpoints,branches"
// From such a list. Empty where it worked, else what is wrong with it.
std::string parse_criteria(std::string_view list, Criteria& criteria);

// "cp:proc:foo", "req:REQ-7", "branch:foo#2:then", "state:client/busy", "transition:client/busy#2", …
std::string target_id(const Target& target);
// The kind that such a name begins with; nothing where it is none.
std::optional<TargetKind> target_kind(std::string_view id);

// A new program whose targets are those of the criteria: marks of others are left out, and those that criteria ask for
// are put in. Labels and blocks are numbered anew; spans stay. The given program is as it was, and both share their
// literals.
//
// A program that criteria were put into keeps the one that it was made from (Program::plain), and is instrumented
// from there. So whatever it was instrumented with before, the result depends on these criteria alone:
//
//   instrument(instrument(p, a), b) = instrument(p, b)
[[nodiscard]] Program instrument(const Program& program, Criteria criteria);

} // namespace espalier
