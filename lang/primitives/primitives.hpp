// The concrete meanings, one function for each line of primitives.def, and how they complain.
#pragma once

#include <string>
#include <string_view>

#include "lang/primitives/concrete.hpp"

namespace espalier {

#define PRIMITIVE(id, name, arity, effect) Value concrete_##id(PrimContext& context, const Value* args, uint32_t count);
#include "lang/ir/primitives.def"
#undef PRIMITIVE

// "operation: text"
[[noreturn]] void fail(std::string_view operation, const std::string& text);
// "car: 5 is not a pair"
[[noreturn]] void fail_operand(const PrimContext& context, std::string_view operation, Value v,
                               std::string_view wanted);

inline void need(const PrimContext& context, Value v, ObjectType type, std::string_view operation,
                 std::string_view wanted) {
    if (!is_type(v, type)) [[unlikely]]
        fail_operand(context, operation, v, wanted);
}

// An index below `length`: of "a vector" and the like.
uint32_t need_index(const PrimContext& context, Value v, uint32_t length, std::string_view operation,
                    std::string_view of);
// A number of elements, no more than `most`.
uint32_t need_count(const PrimContext& context, Value v, uint32_t most, std::string_view operation);
// A range [start, end) within 0 … length.
void need_range(const PrimContext& context, Value start, Value end, uint32_t length, std::string_view operation,
                std::string_view of);

} // namespace espalier
