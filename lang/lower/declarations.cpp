#include "lang/lower/declarations.hpp"

#include <algorithm>
#include <tuple>

namespace espalier {

std::string numbered(Symbol scope, uint32_t number) {
    return std::string(name_of(scope)) + "#" + std::to_string(number);
}

Declarations::Declarations(const Program& program, Criteria criteria) : tables_(program.decision_tables) {
    for (const Target& t : program.targets) {
        if (!criteria.has(t.kind)) {
            kept_.push_back(no_target);
            continue;
        }
        kept_.push_back(add(t.kind, t.name, t.span));
        targets_[index(kept_.back())].text = t.text;
    }
}

TargetId Declarations::add(TargetKind kind, const std::string& name, Span span) {
    const auto [at, made] = ids_.try_emplace({kind, name}, TargetId{static_cast<uint32_t>(targets_.size())});
    if (made) targets_.push_back({kind, name, {}, span});
    return at->second;
}

void Declarations::target(TargetKind kind, const std::string& name, Span span) { add(kind, name, span); }

uint32_t Declarations::table(DecisionTable table) {
    tables_.push_back(std::move(table));
    return static_cast<uint32_t>(tables_.size() - 1);
}

void Declarations::sort() {
    std::vector<uint32_t> order(targets_.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        const auto key = [&](uint32_t i) {
            const Target& t = targets_[i];
            return std::tuple(t.kind, static_cast<uint32_t>(t.span.file), t.span.begin);
        };
        return key(a) < key(b);
    });
    std::vector<TargetId> now(targets_.size());
    std::vector<Target> sorted;
    for (uint32_t i = 0; i < order.size(); ++i) {
        now[order[i]] = TargetId{i};
        sorted.push_back(std::move(targets_[order[i]]));
    }
    targets_ = std::move(sorted);
    for (auto& [key, id] : ids_) id = now[index(id)];
    for (TargetId& id : kept_)
        if (id != no_target) id = now[index(id)];
}

} // namespace espalier
