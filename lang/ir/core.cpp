// Arena of core forms, and letrec* reduced to let and fix.
#include "lang/ir/core.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace espalier {

CoreId CoreProgram::add(CoreKind kind, Span span) {
    nodes.push_back({std::move(kind), span});
    return CoreId{static_cast<uint32_t>(nodes.size() - 1)};
}

CoreList CoreProgram::add_list(std::span<const CoreId> ids) {
    const CoreList l{static_cast<uint32_t>(children.size()), static_cast<uint32_t>(ids.size())};
    children.insert(children.end(), ids.begin(), ids.end());
    return l;
}

LocalList CoreProgram::add_list(std::span<const LocalId> ids) {
    const LocalList l{static_cast<uint32_t>(locals_pool.size()), static_cast<uint32_t>(ids.size())};
    locals_pool.insert(locals_pool.end(), ids.begin(), ids.end());
    return l;
}

namespace {

// Strongly connected components of the bindings, dependencies first (Tarjan 1972).
class Components {
public:
    explicit Components(const std::vector<std::vector<uint32_t>>& edges)
        : edges_(edges), number_(edges.size(), 0), low_(edges.size(), 0), on_stack_(edges.size(), false) {
        for (uint32_t v = 0; v < edges.size(); ++v) {
            if (number_[v] == 0) visit(v);
        }
    }
    std::vector<std::vector<uint32_t>> found;

private:
    void visit(uint32_t root) {
        struct Turn {
            uint32_t node;
            size_t edge;
        };
        std::vector<Turn> turns{{root, 0}};
        begin(root);
        while (!turns.empty()) {
            const auto [v, e] = turns.back();
            if (e < edges_[v].size()) {
                ++turns.back().edge;
                const uint32_t w = edges_[v][e];
                if (number_[w] == 0) {
                    begin(w);
                    turns.push_back({w, 0});
                } else if (on_stack_[w]) {
                    low_[v] = std::min(low_[v], number_[w]);
                }
                continue;
            }
            turns.pop_back();
            if (!turns.empty()) low_[turns.back().node] = std::min(low_[turns.back().node], low_[v]);
            if (low_[v] != number_[v]) continue;
            std::vector<uint32_t> component;
            while (true) {
                const uint32_t w = stack_.back();
                stack_.pop_back();
                on_stack_[w] = false;
                component.push_back(w);
                if (w == v) break;
            }
            std::sort(component.begin(), component.end());
            found.push_back(std::move(component));
        }
    }
    void begin(uint32_t v) {
        number_[v] = low_[v] = ++count_;
        stack_.push_back(v);
        on_stack_[v] = true;
    }
    const std::vector<std::vector<uint32_t>>& edges_;
    std::vector<uint32_t> number_, low_, stack_;
    std::vector<bool> on_stack_;
    uint32_t count_ = 0;
};

// Which items of a letrec* each item refers to, and the last one before it that may have an effect: those keep their
// order.
std::vector<std::vector<uint32_t>> dependencies(const CoreProgram& p, std::span<const LocalId> locals,
                                                std::span<const CoreId> inits,
                                                const std::function<bool(uint32_t)>& is_lambda) {
    const auto n = static_cast<uint32_t>(locals.size());
    std::unordered_map<uint32_t, uint32_t> item_of;
    for (uint32_t i = 0; i < n; ++i) {
        if (locals[i] != no_local) item_of.emplace(index(locals[i]), i);
    }
    std::vector<std::vector<uint32_t>> edges(n);
    uint32_t last_complex = UINT32_MAX;
    std::vector<CoreId> work;
    for (uint32_t i = 0; i < n; ++i) {
        work.assign(1, inits[i]);
        while (!work.empty()) {
            const CoreId id = work.back();
            work.pop_back();
            auto uses = [&](LocalId local) {
                if (auto it = item_of.find(index(local)); it != item_of.end()) edges[i].push_back(it->second);
            };
            if (const auto* ref = std::get_if<core::LocalRef>(&p[id].kind)) uses(ref->local);
            if (const auto* set = std::get_if<core::LocalSet>(&p[id].kind)) uses(set->local);
            for_each_child(p, id, [&](CoreId child) { work.push_back(child); });
        }
        if (!is_lambda(i)) {
            if (last_complex != UINT32_MAX) edges[i].push_back(last_complex);
            last_complex = i;
        }
        std::sort(edges[i].begin(), edges[i].end());
        edges[i].erase(std::unique(edges[i].begin(), edges[i].end()), edges[i].end());
    }
    return edges;
}

} // namespace

CoreId make_letrec(CoreProgram& p, std::span<const LocalId> locals, std::span<const CoreId> inits, CoreId body,
                   Span span) {
    auto is_lambda = [&](uint32_t i) {
        return locals[i] != no_local && std::holds_alternative<core::Lambda>(p[inits[i]].kind) &&
               !p[locals[i]].assigned;
    };
    const std::vector<std::vector<uint32_t>> edges = dependencies(p, locals, inits, is_lambda);
    Components components(edges);
    CoreId result = body;
    for (size_t c = components.found.size(); c-- > 0;) {
        const auto& items = components.found[c];
        std::vector<LocalId> ls;
        std::vector<CoreId> is;
        for (uint32_t i : items) {
            ls.push_back(locals[i]);
            is.push_back(inits[i]);
        }
        const bool self = std::binary_search(edges[items[0]].begin(), edges[items[0]].end(), items[0]);
        if (std::all_of(items.begin(), items.end(), is_lambda)) {
            for (size_t k = 0; k < ls.size(); ++k) p[ls[k]].lambda = is[k];
            result = p.add(core::Fix{p.add_list(ls), p.add_list(is), result}, span);
        } else if (items.size() == 1 && !self && ls[0] == no_local) {
            const CoreId parts[] = {is[0], result};
            result = p.add(core::Seq{p.add_list(parts)}, span);
        } else if (items.size() == 1 && !self) {
            result = p.add(core::Let{p.add_list(ls), p.add_list(is), result}, span);
        } else {
            for (LocalId l : ls) {
                if (l == no_local) continue;
                p[l].assigned = true;
                p[l].unchecked = false;
            }
            result = p.add(core::Letrec{p.add_list(ls), p.add_list(is), result}, span);
        }
    }
    return result;
}

} // namespace espalier
