// What the criteria are called, and when their conditional marks count.
#include "lang/lower/criteria.hpp"

#include <array>
#include <optional>
#include <vector>

#include "lang/ir/type.hpp"
#include "lang/values/number.hpp"
#include "lang/values/print.hpp"

namespace espalier {

namespace {

struct Words {
    std::string_view criterion, prefix;
};

constexpr Words words(TargetKind kind) {
    switch (kind) {
    case TargetKind::checkpoint: return {"checkpoints", "cp:"};
    case TargetKind::requirement: return {"requirements", "req:"};
    case TargetKind::procedure: return {"procedures", "proc:"};
    case TargetKind::branch: return {"branches", "branch:"};
    case TargetKind::state: return {"states", "state:"};
    case TargetKind::transition: return {"transitions", "transition:"};
    case TargetKind::condition: return {"conditions", "cond:"};
    case TargetKind::mcdc: return {"mcdc", "mcdc:"};
    case TargetKind::boundary: return {"boundaries", "bound:"};
    case TargetKind::error: return {"errors", "error:"};
    }
    return {};
}

} // namespace

Criteria Criteria::standard() {
    Criteria c;
    for (TargetKind kind : {TargetKind::checkpoint, TargetKind::requirement, TargetKind::procedure, TargetKind::branch,
                            TargetKind::state, TargetKind::transition})
        c.add(kind);
    return c;
}

Criteria Criteria::all() {
    Criteria c;
    for (TargetKind kind : all_target_kinds) c.add(kind);
    return c;
}

std::string_view criterion_name(TargetKind kind) { return words(kind).criterion; }

std::string to_text(Criteria criteria) {
    std::string text;
    for (TargetKind kind : all_target_kinds)
        if (criteria.has(kind)) text += (text.empty() ? "" : ",") + std::string(criterion_name(kind));
    return text;
}

std::string parse_criteria(std::string_view list, Criteria& criteria) {
    criteria = {};
    while (true) {
        const size_t comma = list.find(',');
        const std::string_view word = list.substr(0, comma);
        bool known = word == "all";
        if (known) criteria = Criteria::all();
        for (TargetKind kind : all_target_kinds) {
            if (word != criterion_name(kind)) continue;
            criteria.add(kind);
            known = true;
        }
        if (!known)
            return (word.empty() ? "a criterion is missing" : "there is no criterion `" + std::string(word) + "`") +
                   "; there are " + to_text(Criteria::all()) + ", and all";
        if (comma == std::string_view::npos) return {};
        list.remove_prefix(comma + 1);
    }
}

std::string target_id(const Target& target) { return std::string(words(target.kind).prefix) + target.name; }

std::optional<TargetKind> target_kind(std::string_view id) {
    for (TargetKind kind : all_target_kinds)
        if (id.substr(0, words(kind).prefix.size()) == words(kind).prefix) return kind;
    return std::nullopt;
}

std::optional<TargetId> marked(const OpKind& op) {
    if (const auto* m = std::get_if<op::Mark>(&op)) return m->target;
    if (const auto* m = std::get_if<op::MarkBoundary>(&op)) return m->target;
    if (const auto* m = std::get_if<op::MarkDetermined>(&op)) return m->target;
    return std::nullopt;
}

bool is_at_boundary(Value left, Value right, int64_t difference) {
    if (is_type(left, ObjectType::fresh)) return difference == 0 && left == right;
    if (left.is_fixnum() && right.is_fixnum()) return left.as_fixnum() - right.as_fixnum() == difference;
    if (!number::is_integer(left) || !number::is_integer(right)) return false;
    Heap scratch;
    return number::equal(left, number::add(scratch, right, Value::fixnum(difference)));
}

// The atom's other way is followed with the values that were seen; at an atom that was not evaluated, both ways.
bool determines(const DecisionTable& table, Value trace, uint32_t atom, bool value) {
    enum : uint8_t { free, was_false, was_true };
    std::vector<uint8_t> seen(table.atoms.size(), free);
    for (Value rest = trace; is_pair(rest); rest = as_pair(rest).cdr) {
        const int64_t entry = as_pair(rest).car.as_fixnum();
        seen[static_cast<size_t>(entry / 2)] = entry % 2 != 0 ? was_true : was_false;
    }
    if (seen[atom] != (value ? was_true : was_false)) return false;
    const auto next = [&](uint32_t a, bool v) { return v ? table.atoms[a].if_true : table.atoms[a].if_false; };
    uint32_t outcome = next(atom, value);
    while (outcome < table.atoms.size()) outcome = next(outcome, seen[outcome] == was_true);
    std::vector<bool> reached(table.atoms.size(), false);
    bool other = false;
    const auto reach = [&](uint32_t to) {
        if (to < table.atoms.size())
            reached[to] = true;
        else
            other = other || to != outcome;
    };
    reach(next(atom, !value));
    for (uint32_t a = 0; a < table.atoms.size() && !other; ++a) { // each leads to later ones
        if (!reached[a]) continue;
        if (seen[a] != was_false) reach(table.atoms[a].if_true);
        if (seen[a] != was_true) reach(table.atoms[a].if_false);
    }
    return other;
}

} // namespace espalier
