// Cells: abstract content that the whole program shares, with the slots that have read it.
//
// Globals, parameters, results and the fields of abstract objects are cells. Updates are weak, and content only grows.
// Where integers keep growing, their bounds are widened, so that every chain ends (Cousot & Cousot 1977).
#pragma once

#include <cstdint>
#include <vector>

#include "flowanalysis/domain/domain.hpp"
#include "flowanalysis/state/number_set.hpp"

namespace espalier::flow {

// A block of a variant, see variants.hpp.
enum class Slot : uint32_t {};

class Store {
public:
    Store(Domain& domain, std::vector<int64_t> thresholds, uint32_t patience)
        : domain_(domain), thresholds_(std::move(thresholds)), patience_(patience) {}

    CellId allocate(uint32_t count);
    CellId allocate_sum(); // what flows into it was widened where it came from
    // All that `from` gets is also for `to`, from the next write on; false: that was so before.
    bool link(CellId from, CellId to);
    const std::vector<CellId>& links(CellId from) const { return cells_[index(from)].links; }
    ValueId peek(CellId cell) const { return cells_[index(cell)].value; }
    ValueId read(CellId cell, Slot reader); // and the slot is one of its readers from then on
    // Joins the value to the cell. The result: its readers where that changed it, else none.
    const std::vector<Slot>& write(CellId cell, ValueId value);
    size_t size() const { return cells_.size(); }

private:
    struct Cell {
        ValueId value = bottom;
        uint32_t moves = 0;      // of the bounds of its integers
        uint32_t data_moves = 0; // growth of its symbols and strings after one of its readers had looked
        bool looked_at = false;  // since it last grew
        bool is_sum = false;
        std::vector<Slot> readers;
        std::vector<CellId> links;
    };
    ValueId widened(Cell& cell, ValueId grown);
    ValueId with_all_data(Cell& cell, ValueId grown);

    Domain& domain_;
    std::vector<int64_t> thresholds_;
    uint32_t patience_;
    std::vector<Cell> cells_;
    NumberSet registered_, linked_;
    const std::vector<Slot> none_;
};

} // namespace espalier::flow
