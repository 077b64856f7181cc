// Which blocks lie in the test of which clause, and where that test refuses.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/lang.hpp"

namespace espalier::flow {

class Clauses {
public:
    explicit Clauses(const Program& program);
    // Of a block in a clause's test: the clause; no_clause for other blocks.
    uint32_t clause_of(BlockId b) const { return clause_of_[index(b)]; }
    BlockId select_of(uint32_t clause) const { return select_of_[clause]; }                    // the block that waits
    const std::vector<uint32_t>& refusals(uint32_t clause) const { return refusals_[clause]; } // blocks in its test
    // See idle_blocks.
    bool is_idle(BlockId b) const { return idle_[index(b)]; }

private:
    std::vector<uint32_t> clause_of_;
    std::vector<BlockId> select_of_;
    std::vector<std::vector<uint32_t>> refusals_;
    std::vector<bool> idle_; // by block
};

} // namespace espalier::flow
