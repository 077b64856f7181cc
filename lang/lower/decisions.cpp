#include "lang/lower/decisions.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "lang/lower/declarations.hpp"

namespace espalier {

std::vector<DecisionEnd> decision_ends(const Program& program) {
    std::vector<DecisionEnd> ends(program.blocks.size());
    for (uint32_t d = 0; d < program.decisions.size(); ++d) {
        const Decision& decision = program.decisions[d];
        if (decision.then_block != no_block) ends[index(decision.then_block)] = {&decision, true, d};
        if (decision.else_block != no_block) ends[index(decision.else_block)] = {&decision, false, d};
    }
    return ends;
}

Conditions::Conditions(const Program& program)
    : p_(program), atoms_(program.decisions.size()), place_(program.blocks.size(), 0) {
    for (uint32_t b = 0; b < p_.blocks.size(); ++b) {
        const auto* t = std::get_if<terminator::Branch>(&p_.blocks[b].terminator.kind);
        if (t == nullptr || t->number == 0) continue;
        std::vector<BlockId>& atoms = atoms_[t->number - 1];
        place_[b] = static_cast<uint32_t>(atoms.size());
        atoms.push_back(BlockId{b});
    }
    number();
}

// Conditions are counted within a scope; a clause that stands in several leaves of a machine counts once.
void Conditions::number() {
    using Scope = std::pair<Symbol, uint32_t>; // and the number of the decision in it
    const auto scope = [&](uint32_t d) { return Scope(p_.decisions[d].scope, p_.decisions[d].number); };
    std::map<Scope, uint32_t> sizes;
    for (uint32_t d = 0; d < atoms_.size(); ++d) {
        uint32_t& size = sizes[scope(d)];
        size = std::max(size, static_cast<uint32_t>(atoms_[d].size()));
    }
    std::map<Scope, uint32_t> first;
    uint32_t next = 1;
    for (auto at = sizes.begin(); at != sizes.end(); ++at) {
        if (at == sizes.begin() || std::prev(at)->first.first != at->first.first) next = 1;
        first[at->first] = next;
        next += at->second;
    }
    for (uint32_t d = 0; d < atoms_.size(); ++d) first_.push_back(first[scope(d)]);
}

std::string Conditions::name(uint32_t decision, uint32_t atom, bool value) const {
    return numbered(p_.decisions[decision].scope, first_[decision] + atom) + (value ? ":true" : ":false");
}

} // namespace espalier
