// One walk over the trees, iterative since they may be deep, then one pass over the lambdas, inner ones first.
#include "lang/ir/free_variables.hpp"

#include <algorithm>
#include <unordered_set>

namespace espalier {

FreeVariables::FreeVariables(const CoreProgram& p) {
    constexpr uint32_t top = UINT32_MAX;
    struct Info {
        uint32_t parent;
        std::vector<LocalId> uses;
    };
    std::unordered_map<uint32_t, Info> infos;
    std::vector<uint32_t> order; // lambdas, outer ones first
    std::vector<uint32_t> owner(p.locals.size(), top);
    struct Step {
        CoreId node;
        uint32_t lambda;
    };
    std::vector<Step> work;
    for (auto it = p.top.rbegin(); it != p.top.rend(); ++it) work.push_back({*it, top});
    for (auto it = p.prelude.rbegin(); it != p.prelude.rend(); ++it) work.push_back({*it, top});
    std::vector<CoreId> children;
    while (!work.empty()) {
        const auto [id, lambda] = work.back();
        work.pop_back();
        auto bind = [&, in = lambda](std::span<const LocalId> locals) {
            for (LocalId l : locals) {
                if (l != no_local) owner[index(l)] = in;
            }
        };
        auto use = [&, in = lambda](LocalId l) {
            if (in != top) infos[in].uses.push_back(l);
        };
        uint32_t inner = lambda;
        const CoreKind& kind = p[id].kind;
        if (const auto* n = std::get_if<core::LocalRef>(&kind)) use(n->local);
        if (const auto* n = std::get_if<core::LocalSet>(&kind)) use(n->local);
        if (const auto* n = std::get_if<core::Let>(&kind)) bind(p.list(n->locals));
        if (const auto* n = std::get_if<core::Fix>(&kind)) bind(p.list(n->locals));
        if (const auto* n = std::get_if<core::Letrec>(&kind)) bind(p.list(n->locals));
        if (const auto* n = std::get_if<core::Select>(&kind)) {
            for (const CoreClause& c : p.list(*n)) {
                const LocalId own[] = {c.whole, c.from_port};
                bind(own);
                for (const auto& [local, field] : c.fields) bind(std::span(&local, 1));
            }
        }
        if (const auto* n = std::get_if<core::Lambda>(&kind)) {
            inner = index(id);
            infos[inner].parent = lambda;
            order.push_back(inner);
            for (const LambdaCase& c : p.list(*n)) {
                for (LocalId l : p.list(c.params)) owner[index(l)] = inner;
            }
        }
        children.clear();
        for_each_child(p, id, [&](CoreId child) { children.push_back(child); });
        for (size_t i = children.size(); i-- > 0;) work.push_back({children[i], inner});
    }
    for (size_t i = order.size(); i-- > 0;) {
        const uint32_t lambda = order[i];
        std::unordered_set<uint32_t> seen;
        std::vector<LocalId>& free = free_[lambda];
        for (LocalId l : infos[lambda].uses) {
            if (owner[index(l)] == lambda || !seen.insert(index(l)).second) continue;
            free.push_back(l);
        }
        const uint32_t parent = infos[lambda].parent;
        if (parent != top) {
            auto& uses = infos[parent].uses;
            uses.insert(uses.end(), free.begin(), free.end());
        }
        std::erase_if(free, [&](LocalId l) {
            const bool own = !p[l].assigned && p[l].lambda == CoreId{lambda};
            if (own) self_[lambda] = l;
            return own;
        });
    }
}

} // namespace espalier
