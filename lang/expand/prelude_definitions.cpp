#include "lang/expand/prelude_definitions.hpp"

#include <unordered_set>

namespace espalier {

void PreludeDefinitions::add(GlobalId global, CoreId definition) {
    definitions_[index(global)] = definition;
    order_.push_back(global);
}

void PreludeDefinitions::keep_used(CoreProgram& program) const {
    std::vector<CoreId> work = program.top;
    std::unordered_set<uint32_t> wanted;
    auto want = [&](GlobalId g) {
        auto it = definitions_.find(index(g));
        if (it == definitions_.end() || !wanted.insert(index(g)).second) return;
        work.push_back(it->second);
    };
    while (!work.empty()) {
        const CoreId id = work.back();
        work.pop_back();
        if (const auto* ref = std::get_if<core::GlobalRef>(&program[id].kind)) want(ref->global);
        for_each_child(program, id, [&](CoreId child) { work.push_back(child); });
    }
    for (GlobalId g : order_) {
        if (wanted.contains(index(g))) program.prelude.push_back(definitions_.at(index(g)));
    }
}

} // namespace espalier
