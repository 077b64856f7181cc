// The numbers that the parts of a program are named by, and lists of variables.
#pragma once

#include <cstdint>

#include "lang/values/heap.hpp"

namespace espalier {

enum class BlockId : uint32_t {};
enum class VarId : uint32_t {}; // within one λ
enum class GlobalId : uint32_t {};
enum class TargetId : uint32_t {};
enum class Label : uint32_t {}; // of an operation or terminator; a call's label is its call site

inline constexpr VarId no_var{UINT32_MAX};
inline constexpr LambdaId no_lambda{UINT32_MAX};
inline constexpr BlockId no_block{UINT32_MAX};
inline constexpr Label no_label{UINT32_MAX};
inline constexpr TargetId no_target{UINT32_MAX};

// A run of variables in Program::variables.
struct VarList {
    uint32_t first = 0;
    uint32_t count = 0;
};

} // namespace espalier
