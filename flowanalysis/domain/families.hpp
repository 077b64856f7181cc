// Families: the kinds of parts that an abstract value is made of.
//
// Every part of a value belongs to one family. What a predicate is true of, and what an operation takes, is a set of
// families.
#pragma once

#include <cstdint>

namespace espalier::flow {

using Families = uint32_t;

namespace family {
inline constexpr Families boolean = 1U << 0, symbol = 1U << 1, character = 1U << 2, string = 1U << 3, null = 1U << 4,
                          integer = 1U << 5, rational = 1U << 6, unspecified = 1U << 7, fresh = 1U << 8,
                          any_output = 1U << 9, pair = 1U << 10, vector = 1U << 11, bytevector = 1U << 12,
                          procedure = 1U << 13, box = 1U << 14, record = 1U << 15, message = 1U << 16, table = 1U << 17,
                          channel = 1U << 18, timer = 1U << 19, port = 1U << 20, values = 1U << 21;
inline constexpr Families number = integer | rational;
inline constexpr Families everything = (1U << 22) - 1;
// Those of parts that are kept apart one by one.
inline constexpr Families datum = symbol | character | string;
inline constexpr Families object =
    pair | vector | bytevector | procedure | box | record | message | table | channel | timer | port | values;
// A fresh value, and (any): what a test says of them says nothing about others, nor others of them.
inline constexpr Families opaque = fresh | any_output;
} // namespace family

// Parts without further content. `any_…` stands for all of its family.
using Atoms = uint32_t;
namespace atom {
inline constexpr Atoms truth = 1U << 0, falsity = 1U << 1, null = 1U << 2, unspecified = 1U << 3, rational = 1U << 4,
                       any_symbol = 1U << 5, any_character = 1U << 6, any_string = 1U << 7, fresh = 1U << 8,
                       any_output = 1U << 9;
} // namespace atom

} // namespace espalier::flow
