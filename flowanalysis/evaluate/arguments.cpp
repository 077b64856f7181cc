#include "flowanalysis/evaluate/arguments.hpp"

#include <algorithm>

namespace espalier::flow {

namespace {
// Elements of a list of arguments that are kept apart.
constexpr size_t most_positions = 16;
// Pairs of the list that a rest parameter takes, likewise: a call may be written with thousands of arguments.
constexpr size_t most_rest_pairs = 512;
} // namespace

Spread Arguments::spread(std::span<const VarId> args, bool last_is_list) {
    Spread result;
    const size_t single = args.size() - (last_is_list ? 1 : 0);
    for (size_t i = 0; i < single; ++i) result.elements.push_back(knowledge_.known(args[i]));
    result.may_end.assign(single, false);
    if (last_is_list)
        spread_list(knowledge_.known(args.back()), result);
    else
        result.may_end.push_back(true);
    return result;
}

// Walks the list as far as its pairs are different ones; what comes after that may come any number of times.
void Arguments::spread_list(ValueId list, Spread& into) {
    std::vector<ValueId> seen;
    const auto step = [&](ValueId at, uint32_t field) { return memory_.content(at, family::pair, field); };
    while (true) {
        into.may_end.push_back((domain_.families(list) & family::null) != 0);
        list = domain_.keep(list, family::pair);
        if (list == bottom) return;
        if (seen.size() == most_positions || std::find(seen.begin(), seen.end(), list) != seen.end()) break;
        seen.push_back(list);
        into.elements.push_back(step(list, 0));
        list = step(list, 1);
    }
    ValueId rest = list;
    while (true) {
        const ValueId more = domain_.join(rest, domain_.keep(step(rest, 1), family::pair));
        if (more == rest) break;
        rest = more;
    }
    into.more = step(rest, 0);
}

ValueId Arguments::list_of(const Spread& args, size_t from, Label label) {
    const auto pair_of = [&](uint32_t which, ValueId first, ValueId rest) {
        const ObjectId pair = memory_.make_here(family::pair, label, which, 2);
        memory_.grow(memory_.cell(pair, 0), first);
        memory_.grow(memory_.cell(pair, 1), rest);
        return domain_.object(pair);
    };
    const ValueId null = domain_.atoms(atom::null);
    ValueId list = bottom;
    if (args.more != bottom) {
        list = domain_.join(null, pair_of(UINT32_MAX, args.more, null));
        list = domain_.join(null, pair_of(UINT32_MAX, args.more, list));
    }
    for (size_t i = std::max(args.elements.size(), from);; --i) {
        if (i < args.elements.size())
            list = list == bottom || args.elements[i] == bottom
                       ? bottom
                       : pair_of(static_cast<uint32_t>(std::min(i, most_rest_pairs) + 1), args.elements[i], list);
        if (i < args.may_end.size() && args.may_end[i]) list = domain_.join(list, null);
        if (i == from) break;
    }
    return list;
}

} // namespace espalier::flow
