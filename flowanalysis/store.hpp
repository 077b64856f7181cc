// What the whole program shares: cells with abstract content, and who must look again when one grows.
//
// Globals, parameters, results and the fields of abstract objects are cells. Updates are weak, and content
// only grows; where integers keep growing, their bounds are widened, so that every chain ends (Cousot &
// Cousot 1977).
#pragma once

#include <cstdint>
#include <vector>

#include "flowanalysis/domain.hpp"
#include "flowanalysis/number_set.hpp"

namespace espalier::flow {

// A block of a variant: what is evaluated at a time.
enum class Slot : uint32_t {};

class Store {
public:
    Store(Domain& domain, std::vector<int64_t> thresholds, uint32_t patience)
        : domain_(domain), thresholds_(std::move(thresholds)), patience_(patience) {}

    CellId allocate(uint32_t count);
    CellId allocate_sum(); // what flows into it was widened where it came from
    // All that the one gets is also for the other, from the next write on; false: that was so before.
    bool link(CellId from, CellId to);
    const std::vector<CellId>& links(CellId from) const { return cells_[index(from)].links; }
    ValueId peek(CellId cell) const { return cells_[index(cell)].value; }
    ValueId read(CellId cell, Slot reader); // the reader is told when it grows
    // Joins the value to the cell; its readers, where that changed it, else none.
    const std::vector<Slot>& write(CellId cell, ValueId value);
    size_t size() const { return cells_.size(); }

private:
    struct Cell {
        ValueId value = bottom;
        uint32_t moves = 0;      // of the bounds of its integers
        uint32_t data_moves = 0; // growth of its symbols and strings that somebody had looked at before
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
    const std::vector<Slot> nobody_;
};

} // namespace espalier::flow
