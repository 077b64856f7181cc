// Constants as abstract values.
//
// An atom of the text is what it is. A list or vector of the text is an abstract object of its own.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "flowanalysis/state/memory.hpp"

namespace espalier::flow {

// Objects of literals, and those that stand for what the tester sends, have no label. Their numbers do not meet: those
// of literals are less than this one.
inline constexpr uint32_t first_type = (1U << 30) - 1;

class Literals {
public:
    Literals(Context& context, Memory& memory) : domain_(context.domain), memory_(memory) {}
    ValueId constant(Value v);
    bool is_literal(ObjectId o) const;

private:
    ValueId literal(Value v);
    ValueId literal_object(Value v, uint32_t number);

    Domain& domain_;
    Memory& memory_;
    std::unordered_map<uint64_t, ValueId> literals_; // by address
};

} // namespace espalier::flow
