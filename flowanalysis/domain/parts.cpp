// Hash-consed Patricia trees; see parts.hpp. Recursion is as deep as a part has bits.
#include "flowanalysis/domain/parts.hpp"

#include <algorithm>
#include <utility>

namespace espalier::flow {

namespace {

uint64_t hashed(uint64_t prefix, PartsId low, PartsId high, int level) {
    uint64_t hash = prefix * 0x9e3779b97f4a7c15U + static_cast<uint64_t>(level);
    hash ^= static_cast<uint64_t>(low) << 32 | static_cast<uint64_t>(high);
    hash *= 0xff51afd7ed558ccdU;
    return hash ^ hash >> 32;
}

} // namespace

Parts::Parts() : nodes_(1), table_(64, 0) {}

PartsId Parts::interned(const Node& node) {
    ++steps_;
    if (2 * nodes_.size() > table_.size()) grow_table();
    std::size_t at = hashed(node.prefix, node.low, node.high, node.level) & (table_.size() - 1);
    for (; table_[at] != 0; at = (at + 1) & (table_.size() - 1)) {
        const Node& known = nodes_[table_[at]];
        if (known.prefix == node.prefix && known.level == node.level && known.low == node.low &&
            known.high == node.high)
            return PartsId{table_[at]};
    }
    table_[at] = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back(node);
    return PartsId{table_[at]};
}

void Parts::grow_table() {
    table_.assign(4 * table_.size(), 0);
    for (uint32_t i = 1; i < nodes_.size(); ++i) {
        const Node& n = nodes_[i];
        std::size_t at = hashed(n.prefix, n.low, n.high, n.level) & (table_.size() - 1);
        while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
        table_[at] = i;
    }
}

PartsId Parts::one(uint64_t part) {
    return interned({.prefix = part, .count = 1, .families = Part::family(part), .level = 0});
}

PartsId Parts::branch(int level, PartsId low, PartsId high) {
    if (low == no_parts || high == no_parts) return low == no_parts ? high : low;
    const Node &l = (*this)[low], &h = (*this)[high];
    return interned({.prefix = level == 64 ? 0 : l.prefix >> level << level,
                     .low = low,
                     .high = high,
                     .count = l.count + h.count,
                     .families = l.families | h.families,
                     .level = level});
}

PartsId Parts::both(PartsId a, PartsId b) {
    const uint64_t x = (*this)[a].prefix, y = (*this)[b].prefix;
    const int level = static_cast<int>(std::bit_width(x ^ y));
    return x < y ? branch(level, a, b) : branch(level, b, a);
}

PartsId Parts::unite(PartsId a, PartsId b) {
    if (a == b || b == no_parts) return a;
    if (a == no_parts) return b;
    if ((*this)[a].level < (*this)[b].level) std::swap(a, b);
    const Node x = (*this)[a], y = (*this)[b];
    if (!x.covers(y.prefix)) return both(a, b);
    if (x.level == y.level) { // no leaves: two of one part are the same one
        const PartsId low = unite(x.low, y.low);
        return branch(x.level, low, unite(x.high, y.high));
    }
    return x.goes_high(y.prefix) ? branch(x.level, x.low, unite(x.high, b)) : branch(x.level, unite(x.low, b), x.high);
}

PartsId Parts::unite(std::vector<PartsId> sets) {
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    std::sort(sets.begin(), sets.end(), [&](PartsId a, PartsId b) { return (*this)[a].prefix < (*this)[b].prefix; });
    for (std::size_t count = sets.size(); count > 1; count = (count + 1) / 2) {
        for (std::size_t i = 0; i + 1 < count; i += 2) sets[i / 2] = unite(sets[i], sets[i + 1]);
        if (count % 2 == 1) sets[count / 2] = sets[count - 1];
    }
    return sets.empty() ? no_parts : sets[0];
}

PartsId Parts::common(PartsId a, PartsId b) {
    if (a == b) return a;
    if (a == no_parts || b == no_parts) return no_parts;
    if ((*this)[a].level < (*this)[b].level) std::swap(a, b);
    const Node x = (*this)[a], y = (*this)[b];
    if (!x.covers(y.prefix)) return no_parts;
    if (x.level > y.level) return common(x.goes_high(y.prefix) ? x.high : x.low, b);
    const PartsId low = common(x.low, y.low);
    return branch(x.level, low, common(x.high, y.high));
}

bool Parts::contains(PartsId a, PartsId b) const {
    if (a == b || b == no_parts) return true;
    if (a == no_parts) return false;
    const Node &x = (*this)[a], &y = (*this)[b];
    if (x.level < y.level || !x.covers(y.prefix)) return false;
    if (x.level > y.level) return contains(x.goes_high(y.prefix) ? x.high : x.low, b);
    return x.level > 0 && contains(x.low, y.low) && contains(x.high, y.high);
}

bool Parts::meet(PartsId a, PartsId b) const {
    if (a == no_parts || b == no_parts) return false;
    if (a == b) return true;
    if ((*this)[a].level < (*this)[b].level) std::swap(a, b);
    const Node &x = (*this)[a], &y = (*this)[b];
    if (!x.covers(y.prefix)) return false;
    if (x.level > y.level) return meet(x.goes_high(y.prefix) ? x.high : x.low, b);
    return meet(x.low, y.low) || meet(x.high, y.high);
}

PartsId Parts::keep(PartsId a, Families families) {
    const Node n = (*this)[a];
    if ((n.families & ~families) == 0) return a;
    if ((n.families & families) == 0) return no_parts;
    const PartsId low = keep(n.low, families);
    return branch(n.level, low, keep(n.high, families));
}

PartsId Parts::within(PartsId a, uint64_t part, int free_bits) {
    while (a != no_parts && (*this)[a].level > free_bits) {
        const Node& n = (*this)[a];
        if (!n.covers(part)) return no_parts;
        a = n.goes_high(part) ? n.high : n.low;
    }
    return a != no_parts && ((*this)[a].prefix ^ part) >> free_bits == 0 ? a : no_parts;
}

PartsId Parts::without(PartsId a, uint64_t part, int free_bits) {
    if (a == no_parts) return a;
    const Node n = (*this)[a];
    if (n.level <= free_bits) return (n.prefix ^ part) >> free_bits == 0 ? no_parts : a;
    if (!n.covers(part)) return a;
    return n.goes_high(part) ? branch(n.level, n.low, without(n.high, part, free_bits))
                             : branch(n.level, without(n.low, part, free_bits), n.high);
}

uint64_t Parts::first(PartsId a) const {
    while ((*this)[a].level > 0) a = (*this)[a].low;
    return (*this)[a].prefix;
}

void Parts::list(PartsId a, std::vector<uint64_t>& into) const {
    if (a == no_parts) return;
    const Node& n = (*this)[a];
    ++steps_;
    if (n.level == 0) {
        into.push_back(n.prefix);
        return;
    }
    list(n.low, into);
    list(n.high, into);
}

void Parts::list_new(PartsId a, PartsId before, std::vector<uint64_t>& into) const {
    if (a == before) return;
    if (a == no_parts || before == no_parts) return list(a, into);
    const Node& x = (*this)[a];
    while ((*this)[before].level > x.level && (*this)[before].covers(x.prefix))
        before = (*this)[before].goes_high(x.prefix) ? (*this)[before].high : (*this)[before].low;
    if (a == before) return;
    const Node& y = (*this)[before];
    if (x.level == 0 || !x.covers(y.prefix)) return list(a, into);
    const bool same = x.level == y.level, high = x.goes_high(y.prefix);
    list_new(x.low, same ? y.low : high ? no_parts : before, into);
    list_new(x.high, same ? y.high : high ? before : no_parts, into);
}

} // namespace espalier::flow
