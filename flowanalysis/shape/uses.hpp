// Where each variable gets its value, and which blocks look at it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "flowanalysis/shape/lists.hpp"
#include "lang/lang.hpp"

namespace espalier::flow {

// Where a variable gets its value.
struct Definition {
    enum class Kind : uint8_t { entry, operation, parameter } kind = Kind::entry;
    uint32_t where = 0;    // operation: in Program::ops; parameter: its block
    uint32_t position = 0; // parameter: which one
};

// How far a test is traced back to what it says of other variables.
inline constexpr int trace_depth = 8;

class Uses {
public:
    // `jumps`: by block, the blocks that jump to it with arguments.
    Uses(const Program& program, const Lists& jumps);
    const Definition& definition(LambdaId l, VarId v) const { return definitions_[at(l, v)]; }
    // The blocks, in ascending order, that must be looked at again when the variable's value grows. A block that tests
    // a condition looks, through it, at all that the condition was made of.
    std::span<const uint32_t> users(LambdaId l, VarId v) const { return users_[at(l, v)]; }
    // The last of them; 0: none.
    uint32_t last_user(LambdaId l, VarId v) const {
        const auto all = users(l, v);
        return all.empty() ? 0 : all.back();
    }
    // The last block in which something can be learnt from a fact on the variable.
    uint32_t last_use(LambdaId l, VarId v) const { return last_use_[at(l, v)]; }

private:
    uint32_t at(LambdaId l, VarId v) const { return program_[l].first_name + index(v); }
    void find_definitions();
    void find_last_uses();
    void keep_globals();

    const Program& program_;
    std::vector<Definition> definitions_; // by variable
    Lists users_;
    std::vector<uint32_t> last_use_;
};

} // namespace espalier::flow
