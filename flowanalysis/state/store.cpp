// Reading registers, writing joins; see store.hpp.
#include "flowanalysis/state/store.hpp"

namespace espalier::flow {

namespace {
// How often the data in a cell may grow before it may be any of their families.
constexpr uint32_t most_data_moves = 512;
} // namespace

CellId Store::allocate(uint32_t count) {
    const CellId first{static_cast<uint32_t>(cells_.size())};
    cells_.resize(cells_.size() + count);
    return first;
}

CellId Store::allocate_sum() {
    const CellId cell = allocate(1);
    cells_[index(cell)].is_sum = true;
    return cell;
}

bool Store::link(CellId from, CellId to) {
    if (!linked_.insert(static_cast<uint64_t>(index(from)) << 32 | index(to))) return false;
    cells_[index(from)].links.push_back(to);
    return true;
}

ValueId Store::read(CellId id, Slot reader) {
    Cell& cell = cells_[index(id)];
    cell.looked_at = true;
    if ((cell.readers.empty() || cell.readers.back() != reader) &&
        registered_.insert(static_cast<uint64_t>(index(id)) << 32 | index(reader)))
        cell.readers.push_back(reader);
    return cell.value;
}

const std::vector<Slot>& Store::write(CellId id, ValueId value) {
    Cell& cell = cells_[index(id)];
    const ValueId grown = domain_.join(cell.value, value);
    if (grown == cell.value) return none_;
    if (cell.is_sum) {
        cell.value = grown;
        return cell.readers;
    }
    cell.value = widened(cell, domain_.has_new_data(cell.value, grown) ? with_all_data(cell, grown) : grown);
    cell.looked_at = false;
    return cell.readers;
}

// A variable that goes from symbol to symbol, each because of the last: after very many, it may be any.
ValueId Store::with_all_data(Cell& cell, ValueId grown) {
    if (!cell.looked_at || ++cell.data_moves <= most_data_moves) return grown;
    return domain_.with_all_data(grown);
}

// First a few exact steps, then as many to the constants of the program, then to the end.
ValueId Store::widened(Cell& cell, ValueId grown) {
    const Integers &before = domain_[cell.value].integers, &after = domain_[grown].integers;
    if (before.empty() || (before.low() == after.low() && before.high() == after.high())) return grown;
    if (++cell.moves <= patience_) return grown;
    static const std::vector<int64_t> none;
    return domain_.with_integers(grown, widen(before, after, cell.moves <= 2 * patience_ ? thresholds_ : none));
}

} // namespace espalier::flow
